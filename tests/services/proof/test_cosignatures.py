"""Cosignatures are those of C2SP's tlog-cosignature: real ones by other programs hold."""

import pytest

from services.proof.cosignatures import Cosigner, read_cosigner
from services.proof.signing import NoteError, Signer, read_key

# A checkpoint of a public log, with the cosignatures of public witnesses that run other programs.
REAL = """\
arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
"""  # noqa: E501  # a note has no line breaks of ours
LOG = (
    "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
)
WITNESSES = (
    "transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM",
    "witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO",
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
)
OURS = Cosigner(bytes(range(32)), "example.org/witness")
TEXT = "example.org/emeth\n7\nVlPEqyUUzNbqTwFZcC0qupAfJWKqdavP9aGeNEvuA48=\n"


@pytest.mark.parametrize("key", WITNESSES)
def test_cosignatures_of_other_programs_hold(key: str) -> None:
    witness = read_cosigner(key)
    assert str(witness) == key
    found = witness.find(REAL)
    assert found is not None
    line, said = found
    assert line in REAL
    assert (said.name, said.at) == (witness.name, 0x6A122120)
    with pytest.raises(NoteError, match="does not fit the checkpoint"):
        witness.find(REAL.replace("1432088532", "1432088533"))


def test_the_log_has_signed_it_too_and_foreign_lines_are_passed_over() -> None:
    assert read_key(LOG).open(REAL).startswith("arche2025h1.staging.ct.transparency.dev\n")


def test_a_cosignature_says_when_it_was_made_and_covers_that() -> None:
    note = Signer(bytes(32), "example.org/emeth").note(TEXT)
    line = OURS.cosign(TEXT, 1_800_000_000)
    key = read_cosigner(str(OURS.key))
    found = key.find(note + line)
    assert found is not None
    assert (found[0], found[1].at) == (line, 1_800_000_000)
    assert key.find(note) is None
    assert read_cosigner(WITNESSES[0]).find(note + line) is None
    later = OURS.cosign(TEXT, 1_800_000_001)
    forged = line[: -len(line.split(" ")[2])] + later.split(" ")[2][:16] + line.split(" ")[2][16:]
    with pytest.raises(NoteError, match="does not fit"):
        key.find(note + forged)
    assert Signer(bytes(32), "example.org/emeth").key.open(note + line) == TEXT


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (LOG, "not a witness's Ed25519 key"),
        (WITNESSES[2].replace("da77", "da78"), "the id of the key remora.n621.de is da77ade7"),
        (WITNESSES[2][:-4], "not a witness's"),
        ("remora.n621.de", "it is not a key"),
    ],
)
def test_what_is_no_key_of_a_witness_is_refused(key: str, why: str) -> None:
    with pytest.raises(NoteError, match=why):
        read_cosigner(key)


def test_a_key_of_a_witness_is_no_key_of_a_log() -> None:
    with pytest.raises(NoteError, match="not an Ed25519 key"):
        read_key(WITNESSES[0])
