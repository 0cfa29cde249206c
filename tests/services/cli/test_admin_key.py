"""Where a command finds the admin key."""

from pathlib import Path

from click.testing import Result

from tests.services.cli.conftest import Emeth, RunningService


def test_it_is_read_from_the_folder_of_the_service(
    emeth_online: Emeth, shared_service: RunningService
) -> None:
    result = emeth_online("readjudicate", "--all", "--data", shared_service.data)
    assert result.exit_code == 0, result.output


def test_a_key_that_is_given_comes_first(
    emeth_online: Emeth, shared_service: RunningService
) -> None:
    right = (shared_service.data / "admin.key").read_text().strip()
    assert (
        emeth_online("readjudicate", "--all", "--data", "nowhere", "--admin-key", right).exit_code
        == 0
    )
    wrong: Result = emeth_online(
        "readjudicate", "--all", "--data", shared_service.data, "--admin-key", "f" * 64
    )
    assert (wrong.exit_code, "[ADMIN_KEY_INVALID]" in wrong.output) == (3, True)


def test_a_missing_key_is_reported_with_the_flags_that_help(
    emeth_online: Emeth, tmp_path: Path
) -> None:
    result = emeth_online("readjudicate", "--all", "--data", tmp_path)
    assert result.exit_code == 2
    assert "admin.key (No such file or directory): give the key with" in result.output
