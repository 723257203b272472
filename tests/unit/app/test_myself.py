"""What ``id`` tells of a player."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from p2p_davinci.app.settings import Exit
from p2p_davinci.cli import main
from p2p_davinci.net.interfaces import Interface
from p2p_davinci.storage.identity import load_identity
from p2p_davinci.text import Words

EN = Words("en")

pytestmark = pytest.mark.usefixtures("own_data")


@pytest.fixture
def two_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    from ipaddress import ip_interface

    present = (
        Interface(name="net0", index=1, addresses=(ip_interface("192.0.2.5/24"),)),
        Interface(name="net1", index=2, addresses=(ip_interface("fe80::1/64"),)),
    )
    monkeypatch.setattr("p2p_davinci.app.myself.lan_interfaces", lambda: present)


@pytest.mark.usefixtures("two_interfaces")
def test_id_tells_name_fingerprint_folders_and_addresses(
    own_data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", "ana")
    assert main(["id"]) == Exit.OK
    identity = load_identity(own_data / "identity")
    identity.close()
    assert capsys.readouterr().out.splitlines() == [
        EN.tell("id.name", name="ana"),
        EN.tell("id.fingerprint", fingerprint=identity.fingerprint),
        EN.tell("id.data", path=str(own_data)),
        EN.tell("id.logs", path=str(own_data / "logs")),
        EN.tell("id.address", interface="net0", addresses="192.0.2.5"),
    ]


def test_id_leaves_a_running_game_its_key(
    own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    playing = load_identity(own_data / "identity")
    second = load_identity(own_data / "identity")
    assert main(["id"]) == Exit.OK
    out = capsys.readouterr().out
    assert EN.tell("id.fingerprint", fingerprint=playing.fingerprint) in out
    told = {"profile": "profile-2", "fingerprint": second.fingerprint}
    assert EN.tell("id.profile", **told) in out
    assert not (own_data / "identity" / "profile-3").exists()
    playing.close()
    second.close()


def other_key() -> bytes:
    return X25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )


@pytest.mark.parametrize("content", [b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n", other_key()])
def test_id_says_that_a_key_is_damaged(
    content: bytes, own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_data / "identity" / "identity.pem"
    file.parent.mkdir()
    file.write_bytes(content)
    assert main(["id"]) == Exit.ERROR
    assert EN.tell("identity.damaged", detail=str(file)) in capsys.readouterr().err


def test_id_says_that_a_key_cannot_be_read(
    own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_data / "identity" / "identity.pem").mkdir(parents=True)
    assert main(["id"]) == Exit.ERROR
    start = EN.tell("identity.folder", detail="").partition("(")[0]
    assert start in capsys.readouterr().err


def test_id_when_the_system_does_not_tell_its_interfaces(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> tuple[Interface, ...]:
        raise OSError("not told")

    monkeypatch.setattr("p2p_davinci.app.myself.lan_interfaces", refuse)
    assert main(["id"]) == Exit.OK
    assert EN.tell("cli.system", detail="not told") in capsys.readouterr().out


def test_id_without_a_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_davinci.app.myself.lan_interfaces", lambda: ())
    assert main(["id"]) == Exit.OK
    assert EN.tell("id.no_address") in capsys.readouterr().out
