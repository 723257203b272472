"""The rules of the game: pure, deterministic, standard library only.

One file per thing a reader may look for: :mod:`.tiles`, :mod:`.options` (presets), :mod:`.moves`
(intentions and facts), :mod:`.state`, :mod:`.deal` (before the first turn), :mod:`.engine` (the
turns, as a table), :mod:`.truth` (the hidden faces, for whoever may know them), :mod:`.candidates`
(what can be concluded), :mod:`.scoring` (rounds), :mod:`.record` and :mod:`.referee` (the open
record). It knows neither network nor cryptography nor screens.
"""
