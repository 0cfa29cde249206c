"""How devices are: watched as it changes, told to do something, known by certificates."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import grpc
import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration

from services.client import Client
from services.client.gateway import Device, GatewayClient
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2
from tests.services.certificate_authority import CertificateAuthority, new_authority
from tests.services.conftest import STYLUS, GatewayConnection, refusal, set_up_gateway


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


async def until(
    watched: AsyncIterator[tables_pb2.Table],
    holds: Callable[[tables_pb2.Gateway, tables_pb2.Table], object],
) -> tables_pb2.Gateway:
    """Watch a table with one gateway until this holds of it."""
    async with asyncio.timeout(30):
        async for table in watched:
            gateway = next(iter(table.gateways), None)
            if gateway is not None and holds(gateway, table):
                return gateway
    raise AssertionError("the watch ended")


async def test_the_owner_watches_how_a_gateway_is(service: Service, client: Client) -> None:
    made = await client.create_gateway(service.admin_key, name="Corner")
    watched = client.watch_devices(made.owner_key, made.table_id)
    assert not (await until(watched, lambda g, t: True)).connected
    async with GatewayClient(
        service.address, made.gateway_key, device=Device(software="lamp/2.1")
    ) as gateway:
        gateway_state = await until(watched, lambda g, t: g.connected and g.software)
        assert (
            gateway_state.software,
            gateway_state.lost_message_count,
            gateway_state.wrong_pin_count,
        ) == ("lamp/2.1", 0, 0)
        assert gateway_state.HasField("first_connect_time")
        await client.pair_stylus(made.gateway_key, STYLUS, pin="9999")
        assert (await until(watched, lambda g, t: g.wrong_pin_count)).wrong_pin_count == 1
        await client.pair_stylus(made.gateway_key, STYLUS, pin="0000")
        gateway.report_status(STYLUS, tables_pb2.STYLUS_STATUS_KIND_BATTERY, 40)
        await until(watched, lambda g, t: [s.battery_percent for s in t.styluses] == [40])
    await until(watched, lambda g, t: not g.connected)
    call = client._gateways.Connect(metadata=(("authorization", f"Bearer {made.gateway_key}"),))
    hello = pb.Hello(gateway_id=made.gateway_id, epoch="later", first_kept_seq=8)
    await call.write(pb.ConnectRequest(hello=hello))
    assert (await until(watched, lambda g, t: g.lost_message_count)).lost_message_count == 7
    call.cancel()


async def test_a_gateway_states_its_language_and_receives_the_chosen_one(
    service: Service, client: Client
) -> None:
    shop = await set_up_gateway(service)
    for locale in ("de-CH", "pt", ""):  # the same run, which continues with its journal
        async with GatewayConnection(service, shop, locale=locale) as line:
            assert line.prompt.signals.locale == "en", (
                "the language of its texts, whatever was asked"
            )
            watched = client.watch_devices(shop.key)
            await until(watched, lambda g, t, said=locale: g.locale == said)  # type: ignore[misc]
    for locale in ("d", "de_CH", "x" * 9, "de-\x1b[2J", "de-" * 12 + "a"):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await GatewayConnection(service, shop, locale=locale).__aenter__()
        assert str(refused.value.details()).startswith("hello.locale: "), locale


async def test_a_caller_without_read_permission_may_not_watch_a_table(
    service: Service, client: Client
) -> None:
    one = await client.create_gateway(service.admin_key, name="One")
    other = await client.create_gateway(service.admin_key, name="Other")
    for key, table, reason in (
        (one.gateway_key, other.table_id, "GATEWAY_KEY_INVALID"),
        (one.owner_key, other.table_id, "GATEWAY_KEY_INVALID"),
        (service.admin_key, "", "FIELD_INVALID"),
        ("", one.table_id, "TOKEN_MISSING"),
    ):
        assert await refusal(anext(client.watch_devices(key, table))) == reason  # type: ignore[arg-type]


async def test_a_device_executes_a_command_and_responds(service: Service, client: Client) -> None:
    made = await client.create_gateway(service.admin_key, name="Corner")
    await client.pair_stylus(made.gateway_key, STYLUS, pin="0000")
    done: list[pb.DeviceCommand] = []

    async def obey(command: pb.DeviceCommand) -> str:
        done.append(command)
        return "" if command.HasField("light") else "it has no motor\x1b[31m"

    light = pb.DeviceCommand(stylus_id=STYLUS, light=pb.LIGHT_YELLOW)
    ask = client.command_device
    assert await refusal(ask(made.owner_key, made.gateway_id, light)) == "DEVICE_OFFLINE"
    async with GatewayClient(service.address, made.gateway_key, on_command=obey) as gateway:
        await gateway.wait_until_welcomed()
        answers = await asyncio.gather(
            *(ask(made.owner_key, made.gateway_id, light) for _ in range(3))
        )
        assert [each.succeeded for each in answers] == [True] * 3
        assert sorted(each.command_number for each in done) == [1, 2, 3]
        buzz = pb.DeviceCommand(vibration=pb.Vibration(pattern=[Duration(nanos=80_000_000)]))
        answer = await ask(made.owner_key, made.gateway_id, buzz)
        assert (answer.succeeded, answer.message) == (False, "it has no motor[31m")
        for wrong in (
            pb.DeviceCommand(),
            pb.DeviceCommand(stylus_id="BB:01", factory_reset=True),
            pb.DeviceCommand(text="x" * 161),
            pb.DeviceCommand(vibration=pb.Vibration(pattern=[Duration(seconds=5)])),
        ):
            assert await refusal(ask(made.owner_key, made.gateway_id, wrong)) == "FIELD_INVALID"
        assert await refusal(ask(made.gateway_key, made.gateway_id, light)) == "ADMIN_KEY_INVALID"


async def test_each_kind_of_command_reaches_the_device(service: Service, client: Client) -> None:
    made = await client.create_gateway(service.admin_key, name="Corner")
    done: list[str | None] = []

    async def obey(command: pb.DeviceCommand) -> str:
        done.append(command.WhichOneof("action"))
        return ""

    kinds = {
        "light": pb.LIGHT_GREEN,
        "sound": pb.SOUND_TURN,
        "vibration": pb.Vibration(pattern=[Duration(nanos=20_000_000)] * 2),
        "text": "Black is late",
        "factory_reset": True,
        "display_name": "Left clock",
    }
    assert {*kinds} == {each.name for each in pb.DeviceCommand.DESCRIPTOR.oneofs[0].fields}
    async with GatewayClient(service.address, made.gateway_key, on_command=obey) as gateway:
        await gateway.wait_until_welcomed()
        for kind, what in kinds.items():
            command = pb.DeviceCommand(**{kind: what})  # type: ignore[arg-type]  # of its own type
            assert (await client.command_device(made.owner_key, made.gateway_id, command)).succeeded
    assert done == [*kinds]


async def test_a_device_that_does_not_answer_is_called_silent(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.devices.gateway_stream.COMMAND_TIMEOUT_SECONDS", 0.1)
    shop = await set_up_gateway(service)
    async with GatewayConnection(service, shop):
        call = client.command_device(
            service.admin_key, shop.key.rpartition(".")[0], pb.DeviceCommand(factory_reset=True)
        )
        assert await refusal(call) == "DEVICE_NOT_RESPONDING"


@pytest.fixture
def authority() -> CertificateAuthority:
    return new_authority()


@pytest.fixture
async def by_tls(
    settings: Settings, authority: CertificateAuthority, tmp_path: Path
) -> AsyncIterator[Service]:
    """A service that asks its clients for certificates of this authority."""
    certificate, key = authority.signed("service")
    files = {"tls_certificate": certificate, "tls_key": key, "tls_client_ca": authority.pem}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    paths = {name: str(tmp_path / name) for name in files}
    async with Service(msgspec.structs.replace(settings, **paths)) as running:
        yield running


def shown(
    authority: CertificateAuthority, certificate: bytes, key: bytes
) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(authority.pem, key, certificate)


async def test_a_gateway_whose_certificate_is_required_is_not_let_in_by_its_key(
    by_tls: Service, authority: CertificateAuthority
) -> None:
    person = shown(authority, *authority.signed("a person"))
    async with Client(by_tls.address, credentials=person) as client:
        made = await client.create_gateway(by_tls.admin_key, name="Corner")
        certificate, key = authority.signed(made.gateway_id)
        device = shown(authority, certificate, key)
        nothing = client.certify_gateway(made.owner_key, made.gateway_id, "", required=True)
        assert await refusal(nothing) == "FIELD_INVALID"
        pem = certificate.decode()
        async with GatewayClient(by_tls.address, made.gateway_key, credentials=person) as gateway:
            await gateway.wait_until_welcomed()
            await client.certify_gateway(made.owner_key, made.gateway_id, pem, required=True)
            assert gateway._task is not None
            await gateway._task  # it is sent away, and gives up
            assert gateway.failed is not None
            assert gateway.failed.reason == "GATEWAY_KEY_INVALID"
        assert await refusal(client.list_devices(made.gateway_key)) == "GATEWAY_KEY_INVALID"
        async with Client(by_tls.address, credentials=device) as by_device:
            for token in ("", made.gateway_key):
                assert not (await by_device.list_devices(token))[0].styluses
        await client.certify_gateway(made.owner_key, made.gateway_id, "")
        assert not (await client.list_devices(made.gateway_key))[0].styluses


async def test_a_gateway_is_known_by_its_certificate_alone(
    by_tls: Service, authority: CertificateAuthority
) -> None:
    person = shown(authority, *authority.signed("a person"))
    async with Client(by_tls.address, credentials=person) as client:
        made = await client.create_gateway(by_tls.admin_key, name="Corner")
        certificate, key = authority.signed(made.gateway_id)
        device = shown(authority, certificate, key)
        async with GatewayClient(
            by_tls.address, "", credentials=device, gateway_id=made.gateway_id
        ) as gateway:
            assert await refusal(gateway.wait_until_welcomed()) == "GATEWAY_KEY_INVALID", (
                "not registered yet"
            )
        owner = made.owner_key
        for wrong in ("nonsense", authority.signed("another")[0].decode()):
            call = client.certify_gateway(owner, made.gateway_id, wrong)
            assert await refusal(call) == "FIELD_INVALID"
        await client.certify_gateway(owner, made.gateway_id, certificate.decode())
        async with (
            GatewayClient(
                by_tls.address, "", credentials=device, gateway_id=made.gateway_id
            ) as gateway,
            Client(by_tls.address, credentials=device) as by_device,
        ):
            await gateway.wait_until_welcomed()
            assert (await by_device.pair_stylus(stylus_id=STYLUS, pin="0000")).HasField("stylus")
        # Another certificate of the same name is not the one that was registered.
        twin = shown(authority, *authority.signed(made.gateway_id))
        async with Client(by_tls.address, credentials=twin) as other:
            assert await refusal(other.list_devices()) == "GATEWAY_KEY_INVALID"
        await client.certify_gateway(owner, made.gateway_id, "")
        async with Client(by_tls.address, credentials=device) as by_device:
            assert await refusal(by_device.list_devices()) == "GATEWAY_KEY_INVALID"
            assert await refusal(by_device.list_devices()) == "GATEWAY_KEY_INVALID"
