"""The network: finding peers, trusting them, staying together.

Peers are 32-byte Ed25519 identity keys, messages are bytes; nothing here knows the game or the
fairness protocol.
"""
