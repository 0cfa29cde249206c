"""Settings from `EMETH_*` environment variables, overridden by flags of `emeth serve`.

`docs/operations.md` has the same table for people; a test compares both.
"""

import os
import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from services.runtime.keys import BadKeyError, check_admin_key

PREFIX = "EMETH_"
CLIENT_VARIABLES = {
    "EMETH_ADDRESS",
    "EMETH_CONFIG",
    "EMETH_FRONTEND",
    "EMETH_GATEWAY_KEY",
    "EMETH_JOURNAL",
    "EMETH_OWNER",
    "EMETH_PLAYER",
    "EMETH_TOKEN",
}
"""Variables of the command-line client, which `emeth serve` ignores."""
SERVICE_LINK: Final = re.compile(
    r"EMETH_([A-Z0-9][A-Z0-9_]*_)?"
    r"(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)"
    r"|EMETH_([A-Z0-9][A-Z0-9_]*_)?PORT=(tcp|udp|sctp)://.*"
)
"""Variables that kubelet injects for a Kubernetes Service named `emeth` or `emeth-...` (service
links), by name or as `NAME=value`. `EMETH_PORT` may also be a misspelled setting, so its value
is matched too: kubelet's is a URL."""

ORIGIN: Final = re.compile(r"null|[a-z][a-z0-9+.-]*://([^\s/?#@A-Z]+)")
"""The `Origin` header of browsers: a scheme and a host, with a port unless it is the default
one."""


class SettingsError(ValueError):
    """A setting is unknown or invalid; `str()` says which, and what is valid."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the service. The variable of each is `EMETH_` and its name in capitals."""

    # Where the data is

    data: Annotated[str, Meta(description="folder of the log, the read models and the keys")] = (
        "./data"
    )
    reads: Annotated[
        str, Meta(description="folder of the read models; empty: `reads` in `data`")
    ] = ""
    store: Annotated[
        str,
        Meta(
            pattern="^(postgres(ql)?://.*)?$",
            description="URL of the log's PostgreSQL database, `postgresql://...`; empty: the "
            "file `log.sqlite` in `data`",
        ),
    ] = ""
    packs: Annotated[
        str,
        Meta(
            description="folder of content packs that matches may use in addition to the built-in"
            " ones",
        ),
    ] = ""

    # Who may call, and how much

    open: Annotated[
        Literal["", "yes", "no"],
        Meta(
            description="whether anybody may create matches; `no`: only frontends; empty: yes if "
            "only this machine can call the service, else no",
        ),
    ] = ""
    limits: Annotated[
        float,
        Meta(
            ge=0,
            le=1000,
            description="factor for the limits of each caller (rates and counts); 0: no limits, "
            "also not on wrong tokens",
        ),
    ] = 1.0
    bots: Annotated[
        str,
        Meta(
            pattern="^([0-9]|[1-5][0-9]|6[0-4])?$",
            description="number of processes that compute bot moves, 0 to 64; 0: no bots; empty: "
            "1 if only this machine can call the service, else 0",
        ),
    ] = ""

    # Network and TLS. The default ports are below 32768, outside Linux's ephemeral port range: an
    # outgoing connection cannot have taken the port before the service starts.

    listen: Annotated[
        str, Meta(description="address and port for gRPC; port 0 picks a free port")
    ] = "127.0.0.1:20051"
    http: Annotated[
        str,
        Meta(
            description="address and port for HTTP (browsers and curl); `no`: no HTTP; empty: "
            "port 20080 on this machine only, or a free port if it is taken",
        ),
    ] = ""
    cors: Annotated[
        str,
        Meta(
            description="origins whose pages may call the HTTP port, separated by commas; their "
            "host names are accepted as Host headers too; `*`: all; empty: only the "
            "service's own pages",
        ),
    ] = ""
    proxies: Annotated[
        str,
        Meta(
            description="addresses or networks (`10.0.0.0/8`) of trusted proxies, separated by "
            "commas, whose `x-forwarded-for` header names the caller",
        ),
    ] = ""
    tls_certificate: Annotated[
        str, Meta(description="PEM file of the certificate; with `tls_key`, both ports use TLS")
    ] = ""
    tls_key: Annotated[str, Meta(description="PEM file of the certificate's private key")] = ""
    tls_client_ca: Annotated[
        str,
        Meta(
            description="PEM file of an authority; clients must present a certificate signed by it",
        ),
    ] = ""

    # What the service calls

    outbound: Annotated[
        Literal["no", "public", "any"],
        Meta(
            description="which URLs of frontends the service may call; `no`: none; `public`: "
            "`https` at public addresses; `any`: also private addresses and this "
            "machine",
        ),
    ] = "public"
    witnesses: Annotated[
        str,
        Meta(
            description="witnesses that cosign the log: the public key, a space and the URL of "
            "each, separated by commas",
        ),
    ] = ""

    # Secrets

    admin_key: Annotated[
        str,
        Meta(
            description="key for admin calls, at least 16 characters; empty: generated into "
            "`admin.key` in `data`",
        ),
    ] = ""
    secret: Annotated[
        str,
        Meta(
            pattern="^([0-9a-f]{64})?$",
            description="64 hex digits from which tokens are derived; empty: generated into "
            "`secret.key` in `data`",
        ),
    ] = ""
    signing_key: Annotated[
        str,
        Meta(
            pattern="^([0-9a-f]{64})?$",
            description="private Ed25519 key of 64 hex digits that signs the log; empty: "
            "generated into `signing.key` in `data`",
        ),
    ] = ""
    key_name: Annotated[
        str,
        Meta(
            pattern=r"^[^\s+]*$",
            max_length=100,
            description="name of the signing key and of the log; empty: derived from the public "
            "key",
        ),
    ] = ""
    cipher_keys: Annotated[
        str,
        Meta(
            description="keys that encrypt the log, 64 hex digits each: the first encrypts new "
            "events, the others only decrypt; empty: no encryption",
        ),
    ] = ""

    # Several services on one log

    role: Annotated[
        Literal["all", "play", "read"],
        Meta(
            description="what this service does for a shared log; `all`: everything; `play`: "
            "actions and gateways; `read`: everything except actions",
        ),
    ] = "all"

    # Running and watching

    drain_seconds: Annotated[
        int,
        Meta(
            ge=0,
            le=600,
            description="seconds that calls in flight get to finish when the service stops, 0 to "
            "600",
        ),
    ] = 10
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="lowest level of messages that are logged"),
    ] = "info"
    traces: Annotated[
        Literal["", "console", "otlp"],
        Meta(
            description="where OpenTelemetry traces go; `console`: standard error; `otlp`: the "
            "collector in the `OTEL_` variables; empty: no traces",
        ),
    ] = ""

    @property
    def folder(self) -> Path:
        """Return the data folder."""
        return Path(self.data)

    @property
    def reads_folder(self) -> Path:
        """Return the folder of the read models."""
        return Path(self.reads) if self.reads else self.folder / "reads"


SECRETS = ("admin_key", "cipher_keys", "secret", "signing_key", "store")
"""Settings that are never shown, and may be given as files. A URI may contain a password."""


def load_settings(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Return the settings from an environment, overridden by `flags`.

    A secret may be given as a file: `EMETH_ADMIN_KEY_FILE`. Flags that are None count as absent.

    Args:
        environment: The variables; those of the process by default.
        flags: Settings by name.

    Raises:
        SettingsError: A setting is unknown or invalid, or a named file is empty.
    """
    environment = os.environ if environment is None else environment
    given: dict[str, Any] = {}
    for variable, value in environment.items():
        if not variable.startswith(PREFIX) or variable in CLIENT_VARIABLES:
            continue
        if SERVICE_LINK.fullmatch(variable) or SERVICE_LINK.fullmatch(f"{variable}={value}"):
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name.removesuffix("_file") in SECRETS and name.endswith("_file"):
            given[name.removesuffix("_file")] = _content(variable, Path(value))
        else:
            given[name] = value
    given |= {name: value for name, value in flags.items() if value is not None}
    try:
        settings = msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"settings: {error}") from None
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        raise SettingsError("settings: TLS needs both EMETH_TLS_CERTIFICATE and EMETH_TLS_KEY")
    if settings.role != "all" and not settings.store:
        raise SettingsError(
            f"settings: the role {settings.role} needs a shared database in EMETH_STORE"
        )
    trusted_proxies(settings)
    allowed_origins(settings)
    if settings.admin_key:
        try:
            check_admin_key(settings.admin_key, "EMETH_ADMIN_KEY")
        except BadKeyError as error:
            raise SettingsError(f"settings: {error}") from None
    return settings


def _content(variable: str, path: Path) -> str:
    """Return the content of the file that a variable names."""
    try:
        text = path.read_text().strip()
    except OSError as error:
        raise SettingsError(f"settings: {variable}: cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"settings: {variable}: {path} is not a text file") from None
    if not text:
        raise SettingsError(f"settings: {variable}: {path} is empty: put a key into it")
    return text


def masked_settings(settings: Settings) -> dict[str, Any]:
    """Return the effective settings by name, with secrets masked."""
    shown = msgspec.structs.asdict(settings)
    return {name: "***" if name in SECRETS and value else value for name, value in shown.items()}


def trusted_proxies(settings: Settings) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks of the proxies in front of the service.

    Raises:
        SettingsError: An entry is neither an address nor a network.
    """
    return tuple(map(_network, _split_list(settings.proxies)))


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise SettingsError(
            f"settings: EMETH_PROXIES: {error}; an entry is an address such as 10.0.0.1 or"
            " 2001:db8::1, or a network such as 10.0.0.0/8"
        ) from None


def allowed_origins(settings: Settings) -> tuple[str, ...]:
    """Return the origins whose pages may call the HTTP port; `*` stands for all.

    Raises:
        SettingsError: An entry is not an origin in the form that browsers send.
    """
    origins = _split_list(settings.cors)
    for origin in origins:
        if origin != "*" and not ORIGIN.fullmatch(origin):
            raise SettingsError(
                f"settings: EMETH_CORS: {origin!r} is not an origin as browsers send it, such as"
                " https://play.example or http://localhost:3000: lower case, no path, no slash at"
                " the end"
            )
    return origins


def _split_list(text: str) -> tuple[str, ...]:
    """Return the entries of a comma-separated list, without surrounding blanks."""
    return tuple(entry for each in text.split(",") if (entry := each.strip()))


def bot_processes(settings: Settings) -> int:
    """Return the number of processes that compute bot moves; 0 for no bots."""
    if settings.bots:
        return int(settings.bots)
    return int(is_local(settings))


def is_local(settings: Settings) -> bool:
    """Return whether only this machine can call the service."""
    given = (settings.listen, *(each for each in (settings.http,) if each not in ("", "no")))
    return all(map(is_loopback, given))


def is_loopback(address: str) -> bool:
    """Return whether an address and port can be reached from this machine only."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
