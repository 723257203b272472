"""The player's side of the program: what the console knows, the shell that shows it, what is kept.

It turns typed lines into commands and remembers how the player wants things; what the commands do
is the runner's part.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from ..console.choice import choose_shell, open_shell
from ..console.commands import (
    Draft,
    Look,
    Outward,
    SetLanguage,
    SetLook,
    SetName,
)
from ..console.completion import completions
from ..console.dialogue import read_line
from ..console.model import Model, Told, ask_name
from ..text import Words, language
from .crash import system_said
from .settings import Config, Settings, load_config, login_name, save_config


class Desk:
    """One player at one terminal, pipe or nothing at all (where a bot plays)."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._config = config = load_config(settings.folders.config)
        stdio = os.isatty(0) and os.isatty(1)
        plain = settings.plain or settings.auto or bool(config.plain)
        choice = choose_shell(plain, os.environ, stdio)
        draft = Draft(options=settings.options, seats=settings.seats, bots=settings.bots)
        self.model = Model(
            lang=language(settings.lang or config.lang, os.environ),
            name=settings.name or config.name or login_name(os.environ),
            draft=draft,
            look=_look(settings, config),
            on_screen=choice.kind == "screen",
            stays=stdio and not settings.auto,
        )
        self._reason = choice.reason
        self.shell = open_shell(choice, lambda text: completions(self.model.context, text))

    @property
    def words(self) -> Words:
        """The sentences of the language that is spoken now."""
        return self.model.words

    @property
    def knows_name(self) -> bool:
        """Whether the player has ever told a name."""
        return bool(self._settings.name or self._config.name)

    # --- telling --------------------------------------------------------------------------------

    def greet(self, *, ask: bool) -> None:
        """Say why the mode is a plain one, if it is; ``ask`` for a name if none was ever told."""
        if self._reason is not None and not self._settings.auto:
            self.tell(self._reason)
        if ask and self.model.stays and not self.knows_name:
            self.show(ask_name(self.model))
        self.shell.show(self.model)

    def tell(self, key: str, **values: str | int) -> None:
        """Tell one sentence of the catalogue."""
        self.shell.tell(self.words.tell(key, **values))

    def explain(self, topic: str, reason: str, **values: str | int) -> None:
        """Tell why something is so."""
        self.shell.tell(self.words.reason(topic, reason, **values))

    def show(self, told: Told) -> None:
        """Take what the console knows now, and tell what is new in it."""
        self.model = told.model
        for line in told.lines:
            self.shell.tell(line)
        self.shell.show(told.model)

    # --- reading --------------------------------------------------------------------------------

    async def commands(self) -> AsyncIterator[Outward]:
        """Yield what the player wants done, until he leaves."""
        async for line in self.shell.lines():
            reply = read_line(self.model, line)
            self.model = reply.model
            self.shell.answer(reply.lines, reply.how)
            self.shell.show(self.model)
            if reply.command is not None:
                self._keep(reply.command)
                yield reply.command

    def _keep(self, command: Outward) -> None:
        """Remember a preference for the next time."""
        config = self._config
        match command:
            case SetName(name=name):
                config = replace(config, name=name)
            case SetLanguage(lang=lang):
                config = replace(config, lang=lang)
            case SetLook(look=look):
                config = replace(config, tiles=look.tiles, theme=look.theme, bell=look.bell)
        if config == self._config:
            return
        before, self._config = self._config, config
        try:
            save_config(self._settings.folders.config, config, before)
        except OSError as error:
            self.tell("app.not_kept", detail=system_said(error))

    async def close(self) -> None:
        """Give the terminal back."""
        self.shell.close()
        await self.shell.closed()

    def part(self, path: Path | None, *, saved: bool, out: bool = False) -> None:
        """Tell after the end where the log lies, and before it whether the game can go on.

        It does not wait for a player who is ``out``.

        The path is the last line, alone, so that a script can take it.
        """
        if saved:
            print(self.words.tell("app.saved_out" if out else "app.saved"))  # noqa: T201
        print(path or self.words.tell("app.no_log"), flush=True)  # noqa: T201


def _look(settings: Settings, config: Config) -> Look:
    look = Look()
    return Look(
        tiles=settings.tiles or config.tiles or look.tiles,
        theme=config.theme or look.theme,
        bell=look.bell if config.bell is None else config.bell,
    )
