"""Gateways that send by calls of their own, as a page in a browser does."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from tests.services.conftest import STYLUS, actions, refusal, set_up_gateway

Answers = AsyncGenerator[pb.ConnectResponse, None]


def tap(seq: int, code: str, prompt: int) -> pb.ConnectRequest:
    return pb.ConnectRequest(tap=pb.Tap(seq=seq, stylus_id=STYLUS, code=code, prompt_number=prompt))


async def listening(client: Client, key: str, first_kept: int = 1) -> Answers:
    """Yield what the service sends to the gateway."""
    hello = pb.Hello(gateway_id=key.rpartition(".")[0], epoch="page", first_kept_seq=first_kept)
    async with aclosing(client.listen(key, hello)) as stream:
        async for each in stream:
            yield each.response


async def prompted(answers: Answers, seq: int) -> pb.DevicePrompt:
    """The prompt that answers this message."""
    async for answer in answers:
        if answer.prompt.answered_seq == seq:
            return answer.prompt
    raise AssertionError("the stream ended")


async def test_what_is_sent_is_answered_where_the_gateway_listens(service: Service) -> None:
    shop = await set_up_gateway(service)
    async with Client(service.address) as client:
        answers = listening(client, shop.key)
        assert (await anext(answers)).welcome.highest_seq == 0
        shown = (await anext(answers)).prompt
        codes = ["space a6", "space b6", "button/confirm"]
        sent = [tap(seq, code, shown.prompt_number) for seq, code in enumerate(codes, 1)]
        await client.send(shop.key, "page", sent)
        last = await prompted(answers, 3)
        assert [event.action.notation for event in last.events] == ["a6-b6"]
        assert last.acknowledged_seq == 3
        # The same once more, as after an answer that was lost: it is done once.
        await client.send(shop.key, "page", sent[2:])
        again = await prompted(answers, 3)
        assert again.replayed
        await client.send(shop.key, "page", [tap(9, "space h3", last.prompt_number)])
        assert (await anext(answers)).gap.expected_seq == 4
        # Others act: the gateway receives that too.
        await client.submit(shop.tokens["black"], shop.match, "h3-g3")
        assert (await anext(answers)).prompt.match_version == 3
        assert (await actions(client, shop.tokens["referee"], shop.match, 3)) == ["a6-b6", "h3-g3"]
        await answers.aclose()
        # Whoever comes back hears what is recorded.
        later = listening(client, shop.key, 4)
        assert (await anext(later)).welcome.highest_seq == 3
        await later.aclose()


async def test_a_gateway_without_a_listening_call_or_key_cannot_send(service: Service) -> None:
    shop = await set_up_gateway(service)
    async with Client(service.address) as client:
        one = [tap(1, "space a6", 0)]
        assert await refusal(client.send(shop.key, "page", one)) == "GATEWAY_NOT_LISTENING"
        answers = listening(client, shop.key)
        await anext(answers)
        assert await refusal(client.send(shop.key, "other", one)) == "GATEWAY_NOT_LISTENING"
        assert await refusal(client.send(f"{shop.key}x", "page", one)) == "GATEWAY_KEY_INVALID"
        assert await refusal(client.send(epoch="page", messages=one)) == "TOKEN_MISSING"
        assert await refusal(client.send(shop.key, "page", [])) == "FIELD_INVALID"
        assert await refusal(client.send(shop.key, "page", one * 101)) == "FIELD_INVALID"
        hello = pb.ConnectRequest(hello=pb.Hello(gateway_id="x"))
        assert await refusal(client.send(shop.key, "page", [hello])) == "FIELD_INVALID"
        await answers.aclose()


async def test_the_latest_listening_call_receives_the_responses(service: Service) -> None:
    shop = await set_up_gateway(service)
    async with Client(service.address) as client:
        older, newer = listening(client, shop.key), listening(client, shop.key)
        assert (await anext(older)).HasField("welcome")
        assert (await anext(newer)).HasField("welcome")
        shown = (await anext(newer)).prompt
        received = [each.WhichOneof("message") async for each in older]
        assert received[-1] == "disconnect"
        await client.send(shop.key, "page", [tap(1, "space a6", shown.prompt_number)])
        assert [*(await prompted(newer, 1)).selected] == ["space a6"]
        await newer.aclose()


@pytest.mark.parametrize("key", ["x.y", "foreign"])
async def test_a_wrong_key_hears_nothing(service: Service, key: str) -> None:
    shop = await set_up_gateway(service)
    async with Client(service.address) as client:
        wrong = f"{shop.key.rpartition('.')[0]}.{key}"
        with pytest.raises(ServiceError) as refused:
            await anext(listening(client, wrong))
        assert refused.value.reason == "GATEWAY_KEY_INVALID"
