"""`emeth gateway mqtt`: a gateway for devices that speak MQTT."""

import asyncio
import signal
import ssl
from contextlib import suppress
from pathlib import Path

import click
from msgspec import Struct

from services.cli.connection import ServiceAddress, connected
from services.cli.options import gathered
from services.cli.terminal.console import ServiceFailed
from services.client.connection import ServiceError
from services.client.gateway_device import locale_here

_PORT, _TLS_PORT = 1883, 8883


class _Broker(Struct, frozen=True):
    """What was said of the broker."""

    broker: str
    user: str | None
    password: str | None
    broker_ca: Path | None
    prefix: str
    group: str


@click.command(short_help="Be the gateway of devices that speak MQTT.")
@click.argument("broker", metavar="HOST[:PORT]")
@click.option(
    "--key",
    envvar="EMETH_GATEWAY_KEY",
    show_envvar=True,
    required=True,
    help="The gateway's, from `emeth gateway register`.",
)
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("gateway.journal"),
    show_default=True,
    help="Where what devices tell is kept until the service has it.",
)
@click.option("--group", default="table", show_default=True, help="The table's level in topics.")
@click.option("--prefix", default="emeth", show_default=True, help="The first level of topics.")
@click.option("--locale", help="What the devices' users read, as de-CH; else what you do.")
@click.option("--user", help="For the broker.")
@click.option("--password", envvar="EMETH_MQTT_PASSWORD", show_envvar=True, help="The same.")
@click.option(
    "--broker-ca",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Speak TLS to the broker, whose certificate one of these signed.",
)
@connected
@gathered("given", _Broker)
def mqtt(
    service: ServiceAddress, given: _Broker, key: str, journal: Path, locale: str | None
) -> None:
    """Bridge a broker of MQTT and the service: styluses and boards on the broker play at the table
    of this gateway. `docs/mqtt.md` has the topics.

    \b
    Examples:
      emeth gateway mqtt localhost --key 5f2c0c8e-....1a2b3c4d.x9...
      emeth gateway mqtt broker.local:8883 --broker-ca ca.pem --user table-1
    """
    # Only here: no other command speaks MQTT.
    from services.client.mqtt_bridge import MqttBridge
    from services.client.mqtt_broker import Broker

    host, _, port = given.broker.partition(":")
    if not host or not (port or "1").isdecimal():
        raise click.UsageError(f"{given.broker!r} is no HOST or HOST:PORT, as localhost:1883")
    for name, level in (("--group", given.group), ("--prefix", given.prefix)):
        if not level or set(level) & set("/+#"):
            raise click.UsageError(f"{name} is one level of a topic, without / + or #")
    usual = _TLS_PORT if given.broker_ca else _PORT
    broker = Broker(
        host=host,
        port=int(port or usual),
        user=given.user,
        password=given.password,
        tls=ssl.create_default_context(cafile=given.broker_ca) if given.broker_ca else None,
        prefix=given.prefix,
        group=given.group,
    )

    async def bridging() -> None:
        bridge = MqttBridge(
            service.address,
            key,
            broker,
            journal=journal,
            locale=locale_here() if locale is None else locale,
            credentials=service.credentials(),
            say=click.echo,
        )
        loop, whole = asyncio.get_running_loop(), asyncio.current_task()
        assert whole is not None
        for number in (signal.SIGINT, signal.SIGTERM):  # so that the broker hears of either
            loop.add_signal_handler(number, whole.cancel)
        async with bridge:
            await bridge.welcomed()
            click.echo(f"connected to the service at {service.address}")
            await asyncio.Event().wait()

    try:
        with suppress(asyncio.CancelledError):  # to stop is no failure
            asyncio.run(bridging())
    except ServiceError as error:
        raise ServiceFailed(str(error)) from None
