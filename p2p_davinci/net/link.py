"""One authenticated, encrypted link, without any I/O (PEER, link; RFC 8446, RFC 8032).

In order: the *preface* in the clear, the listener's first: ``magic (8) ‖ link version (1) ‖ status
(1) ‖ length (2) ‖ certificate``, of which magic and version stay as they are for ever; TLS 1.3 in
which each side accepts exactly the certificate it was shown; a hello from each side; a proof from
each side, a signature by the identity key over everything that went before. After that, frames.
Both certificates stand under the proof: somebody in the middle has another certificate on one side,
and no proof fits both.
"""

from __future__ import annotations

import enum
import hashlib
import ssl
import struct
from collections import deque

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from .certificate import CERTIFICATE_BYTES, Credentials, is_certificate, tls_context
from .framing import Frame, FrameParser, FrameTooLong, pack_frame
from .hello import HELLO_BYTES_MAX, BadHello, Hello, decode_hello
from .limits import FRAME_BODY_BYTES_MAX

LINK_VERSION = 1
MAGIC = b"\x89davinci"
_PREFACE = struct.Struct(">8sBBH")
_VERSION_END = len(MAGIC) + 1
_PROOF_TAG = b"p2p-davinci link proof v1\x00"
_ID_TAG = b"p2p-davinci link id v1\x00"
_READ_BYTES = 65536


class Status(enum.IntEnum):
    """What a listener says before anything else."""

    OPEN = 0
    BUSY = 1


class Kind(enum.IntEnum):
    """The kinds of frames. The first two are the handshake's."""

    HELLO = 1
    PROOF = 2
    CLAIM = 3
    """To the smaller key: this connection is here; may it be the one? (seen, holding)"""
    GO = 4
    """From the smaller key: this connection is the one. (number)"""
    BEAT = 5
    DATA = 6
    BYE = 7
    """The last frame: why it is the last."""


class LinkError(Exception):
    """The link is over.

    ``reason`` is a catalogue key: ``not_ours`` (the other side is no p2p-davinci), ``version``
    (another link version; ``detail`` is theirs), ``busy``, ``self`` (one's own echo), ``fault``
    (the peer broke the protocol; ``detail`` names the check for developers), ``lost`` (the
    connection ended).
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(reason, detail)


class _Phase(enum.Enum):
    PREFACE = "preface"
    TLS = "tls"
    HELLO = "hello"
    PROOF = "proof"
    OPEN = "open"
    CLOSED = "closed"


class Link:
    """One end of a link; ``dialer`` is the end that opened the connection.

    Feed what arrives to :meth:`receive`, send what :meth:`take_output` returns, also after an
    error. ``peer`` is the other side's hello once it has proved it, ``id`` then names this very
    connection on both sides (32 bytes).
    """

    def __init__(
        self,
        *,
        credentials: Credentials,
        key: Ed25519PrivateKey,
        hello: Hello,
        dialer: bool,
        unproved_bytes: int,
    ) -> None:
        self.dialer = dialer
        self.peer: Hello | None = None
        self.id = b""
        self._credentials = credentials
        self._key = key
        self._hello = hello
        self._hello_bytes = hello.encode()
        self._their_hello: Hello | None = None
        self._their_hello_bytes = b""
        self._their_certificate = b""
        self._budget = unproved_bytes
        self._phase = _Phase.PREFACE
        self._clear = bytearray()
        self._output = bytearray()
        self._tls_in = ssl.MemoryBIO()
        self._tls_out = ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None
        self._parser = FrameParser(HELLO_BYTES_MAX)
        self._frames: deque[Frame] = deque()
        if not dialer:
            self._output += _preface(Status.OPEN, credentials.certificate)

    def receive(self, data: bytes) -> None:
        """Take bytes from the connection.

        Raises:
            LinkError: ``not_ours``, ``version``, ``busy``, ``self``, ``fault``, ``lost`` (closed
                inside TLS). The link is then closed.
        """
        try:
            at = 0
            while at < len(data):
                step = len(data) - at if self.peer else min(self._budget, len(data) - at)
                if step == 0:
                    raise LinkError("fault", "too many bytes before the proof")
                if not self.peer:
                    self._budget -= step
                self._advance(data[at : at + step])
                at += step
        except LinkError:
            self._phase = _Phase.CLOSED
            raise

    def next_frame(self) -> Frame | None:
        """Return the next frame that came after the proofs, or ``None``."""
        return self._frames.popleft() if self._frames else None

    def send(self, kind: Kind, body: bytes) -> None:
        """Encrypt one frame; its bytes are in the next :meth:`take_output`.

        Raises:
            ValueError: the body is longer than 65,536 bytes.
            RuntimeError: TLS is not set up yet.
        """
        if self._tls is None or self._phase in (_Phase.PREFACE, _Phase.TLS):
            raise RuntimeError("nothing can be sent before the TLS handshake")
        self._tls.write(pack_frame(kind, body))

    def take_output(self) -> bytes:
        """Return, once, what has to be sent to the other side."""
        if self._phase is not _Phase.PREFACE:
            self._output += self._tls_out.read()
        data = bytes(self._output)
        self._output.clear()
        return data

    # --- the phases ---------------------------------------------------------------------------

    def _advance(self, data: bytes) -> None:
        if self._phase is _Phase.CLOSED:
            raise LinkError("lost")
        if self._phase is not _Phase.PREFACE:
            self._tls_in.write(data)
        else:
            self._clear += data
            if not self._read_preface():
                return
        try:
            self._run_tls()
        except ssl.SSLWantReadError:
            return
        except ssl.SSLZeroReturnError:
            raise LinkError("lost") from None
        except ssl.SSLError as error:
            raise LinkError("fault", f"tls: {error.reason}") from None

    def _read_preface(self) -> bool:
        seen = bytes(self._clear[:_VERSION_END])
        if not (MAGIC + bytes([LINK_VERSION])).startswith(seen):
            self._refuse_preface(seen)
        if len(self._clear) < _PREFACE.size:
            return False
        _, _, status, length = _PREFACE.unpack_from(self._clear)
        if status == Status.BUSY:
            raise LinkError("busy")
        if length != CERTIFICATE_BYTES or status != Status.OPEN:
            raise LinkError("fault", "preface")
        end = _PREFACE.size + length
        if len(self._clear) < end:
            return False
        self._start_tls(bytes(self._clear[_PREFACE.size : end]))
        self._tls_in.write(bytes(self._clear[end:]))
        self._clear.clear()
        return True

    def _refuse_preface(self, seen: bytes) -> None:
        if not seen.startswith(MAGIC):
            raise LinkError("not_ours")
        if self.dialer:
            # The listener has told its version already; it learns ours from this.
            self._output += _preface(Status.OPEN, self._credentials.certificate)
        raise LinkError("version", str(seen[-1]))

    def _start_tls(self, certificate: bytes) -> None:
        if certificate == self._credentials.certificate:
            raise LinkError("self")
        if not is_certificate(certificate):
            raise LinkError("fault", "certificate")
        self._their_certificate = certificate
        context = tls_context(self._credentials, certificate, server=not self.dialer)
        self._tls = context.wrap_bio(self._tls_in, self._tls_out, server_side=not self.dialer)
        if self.dialer:
            self._output += _preface(Status.OPEN, self._credentials.certificate)
        self._phase = _Phase.TLS

    def _run_tls(self) -> None:
        tls = self._tls
        if tls is None:
            return
        if self._phase is _Phase.TLS:
            tls.do_handshake()
            if tls.getpeercert(binary_form=True) != self._their_certificate:
                raise LinkError("fault", "another certificate inside TLS")
            self._phase = _Phase.HELLO
            self.send(Kind.HELLO, self._hello_bytes)
        while True:
            plain = tls.read(_READ_BYTES)
            if not plain:
                raise LinkError("lost")
            self._parser.feed(plain)
            self._take_frames()

    def _take_frames(self) -> None:
        try:
            while (frame := self._parser.next_frame()) is not None:
                self._take_frame(frame)
        except FrameTooLong as error:
            raise LinkError("fault", str(error)) from None

    def _take_frame(self, frame: Frame) -> None:
        if self._phase is _Phase.OPEN:
            self._frames.append(frame)
        elif self._phase is _Phase.HELLO and frame.kind == Kind.HELLO:
            self._take_hello(frame.body)
        elif self._phase is _Phase.PROOF and frame.kind == Kind.PROOF:
            self._take_proof(frame.body)
        else:
            raise LinkError("fault", f"frame {frame.kind} before the proof")

    def _take_hello(self, body: bytes) -> None:
        try:
            hello = decode_hello(body)
        except BadHello as error:
            raise LinkError("fault", f"hello: {error}") from None
        if hello.identity == self._hello.identity:
            raise LinkError("self")
        if hello.link_version != LINK_VERSION:
            raise LinkError("fault", "hello and preface name different versions")
        self._their_hello = hello
        self._their_hello_bytes = body
        self._phase = _Phase.PROOF
        self.send(Kind.PROOF, self._key.sign(self._statement(self.dialer)))

    def _take_proof(self, body: bytes) -> None:
        hello = self._their_hello
        if hello is None:
            raise LinkError("fault", "proof before hello")
        try:
            Ed25519PublicKey.from_public_bytes(hello.identity).verify(
                body, self._statement(not self.dialer)
            )
        except InvalidSignature:
            raise LinkError("fault", "proof") from None
        self.id = hashlib.sha256(_ID_TAG + self._context()).digest()
        self._parser.body_bytes_max = FRAME_BODY_BYTES_MAX
        self._phase = _Phase.OPEN
        self.peer = hello

    def _statement(self, by_dialer: bool) -> bytes:
        """Return what one side's proof signs: tag ‖ side ‖ what both have seen."""
        return _PROOF_TAG + (b"dialer\x00\x00" if by_dialer else b"listener") + self._context()

    def _context(self) -> bytes:
        """Both certificates and both hellos (identities, nonces, versions, role), hashed."""
        mine = _hashes(self._credentials.certificate, self._hello_bytes)
        theirs = _hashes(self._their_certificate, self._their_hello_bytes)
        return mine + theirs if self.dialer else theirs + mine


def _hashes(certificate: bytes, hello: bytes) -> bytes:
    return hashlib.sha256(certificate).digest() + hashlib.sha256(hello).digest()


def _preface(status: Status, certificate: bytes) -> bytes:
    return _PREFACE.pack(MAGIC, LINK_VERSION, status, len(certificate)) + certificate


def busy_preface() -> bytes:
    """Return what a listener says to a connection it has no room for, before closing it."""
    return _preface(Status.BUSY, b"")
