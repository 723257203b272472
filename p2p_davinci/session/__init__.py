"""One peer at one table, sans I/O: lobby, contract, the game, the verifier."""
