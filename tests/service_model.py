"""A whole service against a model of it that fits in a few pages: Hypothesis finds calls that they
tell apart.

The model knows of each match what the service has said: the position at each version, and the
version at which it stands. `model_play` has what is done by calls, `model_taps` what is done at
tables, `model_cross_match` what reaches over several matches, or is settled between players. What
clocks must show is reckoned in `model_clocks`. A test runs it for some seconds; for more:

    python -m tests.service_model --lives 200

Half of those lives are spent with a service in a process of its own, which is really killed, also
while it is acting. `test_service_model_regressions` repeats the lives that once found a defect.
"""

import argparse
import asyncio
import sys
from random import Random
from uuid import uuid4

from hypothesis import HealthCheck, settings
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from services.runtime import logging
from tests.model_cross_match import CrossMatchRules
from tests.model_hosts import ProcessHost
from tests.model_machine import ModelMachine, ModelMatch
from tests.model_play import numbers

LONGEST_ACT_SECONDS = 0.02


class ServiceMachine(CrossMatchRules):
    """All that may happen to the service."""


class KilledServiceMachine(ServiceMachine):
    """The same with a service in a process of its own."""

    hosted = ProcessHost

    @precondition(ModelMachine.rested)
    @rule(model=ServiceMachine.matches, pick=numbers)
    def kill_during_action(self, model: ModelMatch, pick: int) -> None:
        """It is killed while it may be acting; who asked asks again, and it was done once."""
        chance = Random(pick)

        async def work() -> None:
            seat, real = await self._live(model)
            if not real:
                return
            asked = (model, seat, chance.choice(real), str(uuid4()))
            acting = asyncio.create_task(self._submit(*asked))
            await asyncio.sleep(chance.uniform(0, LONGEST_ACT_SECONDS))
            await self.host.stop(killed=True)
            await self.host.start()
            version = await acting
            assert await self._submit(*asked) == version
            await self._moved(model, version)

        self.run(work())


FEW = settings(
    max_examples=1,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lives", type=int, default=100)
    parser.add_argument("--steps", type=int, default=60)
    given = parser.parse_args()
    logging.configure("critical")
    long = settings(
        FEW, derandomize=False, max_examples=-(-given.lives // 2), stateful_step_count=given.steps
    )
    for machine in (KilledServiceMachine, ServiceMachine):
        run_state_machine_as_test(machine, settings=long)  # type: ignore[no-untyped-call]
    print(f"{given.lives} lives as the model has them")  # noqa: T201
    sys.exit(0)


if __name__ == "__main__":
    main()
