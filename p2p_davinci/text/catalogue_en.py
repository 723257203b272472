"""The English catalogue: every key, from all topics."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .en_app import APP
from .en_errors import ERRORS
from .en_explain import EXPLAIN
from .en_help import HELP
from .en_lessons import LESSONS
from .en_play import PLAY
from .en_reports import REPORTS
from .en_resuming import RESUMING
from .en_screen import SCREEN
from .en_staying import STAYING
from .en_table import TABLE

CATALOGUE: Mapping[str, str] = MappingProxyType(
    {
        **APP,
        **PLAY,
        **TABLE,
        **ERRORS,
        **HELP,
        **REPORTS,
        **RESUMING,
        **LESSONS,
        **EXPLAIN,
        **STAYING,
        **SCREEN,
    }
)
