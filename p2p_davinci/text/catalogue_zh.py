"""The Chinese catalogue: every key, from all topics."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .zh_app import APP
from .zh_errors import ERRORS
from .zh_explain import EXPLAIN
from .zh_help import HELP
from .zh_lessons import LESSONS
from .zh_play import PLAY
from .zh_reports import REPORTS
from .zh_resuming import RESUMING
from .zh_screen import SCREEN
from .zh_staying import STAYING
from .zh_table import TABLE

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
