"""Da Vinci Code for friends on one network: no server, no trusted host, every move proved."""

__version__ = "0.1.0"
