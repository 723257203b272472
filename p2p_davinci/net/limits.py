"""Every number that bounds what a stranger or a peer can make this program do.

PEER, network limits. Tests pass their own instance to make waiting short.
"""

from __future__ import annotations

from dataclasses import dataclass

FRAME_BODY_BYTES_MAX = 65536
"""The largest body of one frame, and so of one message of the application."""
NAME_BYTES_MAX = 64
"""The longest nickname, in bytes of UTF-8."""
CARD_BYTES_MAX = 2048
"""The longest card (what an application tells about itself before anybody joins)."""
HOSTS_MAX = 8
"""How many addresses of its own a peer may tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Times in seconds, sizes in bytes, and counts."""

    handshake_s: float = 5.0
    """From the first byte to an authenticated link."""
    unproved_bytes: int = 8192
    """Read from one connection before its peer has authenticated itself."""
    half_open: int = 16
    """Incoming connections that have not authenticated themselves, in all."""
    half_open_per_host: int = 4
    """The same, from one address."""
    links: int = 32
    """Authenticated connections; peers that the application wants come in beyond it."""
    links_per_peer: int = 4
    """The same, of one peer."""
    outbound_bytes: int = 256 * 1024
    """Waiting to be sent to one peer; one byte more cuts the connection."""
    backlog: int = 256
    """Events that wait for the application before reading from peers pauses."""
    beat_s: float = 2.0
    """Between two heartbeats."""
    quiet_s: float = 6.0
    """Silence after which a peer is reported as quiet."""
    silent_s: float = 15.0
    """Silence after which a link is given up."""
    tick_s: float = 0.5
    """How often silence is looked at."""
    jump_s: float = 5.0
    """A tick so late means that this machine slept."""
    undecided_s: float = 20.0
    """How long an authenticated connection may wait to be chosen or dropped."""
    linger_s: float = 1.0
    """How long a farewell may take to go out."""
    dial_gap_s: float = 0.5
    """Between two dials of one peer."""
    redial_max_s: float = 8.0
    """The longest pause between two dials of a peer that does not answer."""
    race_gap_s: float = 0.25
    """Between the starts of attempts at several addresses of one peer."""
