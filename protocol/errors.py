"""Who is at fault, and on what evidence (SPEC, errors).

Two families, after h11: :class:`Misuse` is our own caller breaking this library's contract;
:class:`PeerFault` is something that came from a peer and failed a check. Leaf code raises a
``PeerFault`` without a seat, because it does not know one; the session adds seat and step with
:meth:`PeerFault.at`.
"""

from __future__ import annotations

import enum


class ProtocolError(Exception):
    """The common base of everything this library raises on purpose."""


class Misuse(ProtocolError):  # noqa: N818 - the name says who erred
    """The calling program broke the contract of a function; no peer is to blame."""


class Evidence(enum.Enum):
    """How far a fault can be shown to a third party."""

    PROOF = "proof"
    """The culprit's own signature stands under what failed: anybody can check it."""
    SUSPICION = "suspicion"
    """Only the receiver saw it (a bad signature, a broken frame): nobody else can be convinced."""


class PeerFault(ProtocolError):  # noqa: N818 - the name says who erred
    """What a peer sent failed a check.

    ``check`` is the stable name of the check, as SPEC lists it (``"codec.canonical"``,
    ``"sigma.equation"``); ``detail`` is a short English addition for developers that never holds
    a secret; ``seat`` and ``step`` are ``None`` until the session has added them.
    """

    def __init__(
        self,
        check: str,
        detail: str = "",
        *,
        seat: int | None = None,
        step: int | None = None,
        evidence: Evidence = Evidence.SUSPICION,
    ) -> None:
        self.check = check
        self.detail = detail
        self.seat = seat
        self.step = step
        self.evidence = evidence
        # Only what a copy can be made from; the other attributes travel by themselves.
        super().__init__(check, detail)

    def __str__(self) -> str:
        where = "" if self.seat is None else f"seat {self.seat}, step {self.step}: "
        return f"{where}{self.check}" + (f" ({self.detail})" if self.detail else "")

    def at(self, seat: int, step: int, evidence: Evidence) -> PeerFault:
        """Return the same fault with the seat that is to blame, the step and the evidence."""
        return PeerFault(self.check, self.detail, seat=seat, step=step, evidence=evidence)
