"""What follows from an action: its own facts, and all that goes on by itself after them."""

from itertools import chain, islice
from typing import assert_never

from domain.games.res_arcana import (
    artifacts,
    claims,
    collect,
    decks,
    losses,
    mixes,
    powers,
    setup,
    turns,
    victory,
)
from domain.games.res_arcana.actions import (
    Action,
    ChooseMage,
    Claim,
    Collect,
    Deal,
    Decline,
    Discard,
    DrawFirst,
    Drop,
    Flip,
    Gain,
    Ignore,
    Keep,
    Leave,
    Lose,
    Next,
    Order,
    Pass,
    Pay,
    Pick,
    Place,
    Play,
    Put,
    React,
    Skip,
    Take,
    TakeItem,
    Turn,
    Use,
)
from domain.games.res_arcana.facts import Fact, SeatResigned, StepDone
from domain.games.res_arcana.legal import asked, bunches
from domain.games.res_arcana.notation import write_action
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    Acting,
    Checking,
    Choosing,
    ChoosingItem,
    Collecting,
    Drawing,
    Dropping,
    Entering,
    Gaining,
    GainingSame,
    Looking,
    Losing,
    Ordering,
    Over,
    Placing,
    Putting,
    Revealing,
    Seat,
    Shuffling,
    State,
    area_of,
    playing,
)
from domain.games.res_arcana.victory import end_with_the_last
from domain.kernel.rulings import Accepted

InAction = Play | Claim | Discard | Use | Pass
InSetup = Pick | Keep | ChooseMage | TakeItem
InPrompt = Gain | Put | Place | Decline | Drop | Order | Lose | React | Ignore | Skip


def take(course: Resolution, seat: str, action: Action) -> None:
    """Let an action that may be taken become true."""
    match action:
        case DrawFirst() | Flip() | Next() | Deal():
            _enter(course, action)
        case Pick() | Keep() | ChooseMage() | TakeItem():
            _choose(course, area_of(course.state, seat).seat, action)
        case Collect() | Take() | Leave() | Pay() | Turn():
            collect.answer(course, area_of(course.state, seat).seat, action)
        case Play() | Claim() | Discard() | Use() | Pass():
            course.record(StepDone())
            _act(course, area_of(course.state, seat).seat, action)
        case _:
            _answer(course, action)


def _enter(course: Resolution, entry: DrawFirst | Flip | Next | Deal) -> None:
    step = course.state.queue[0]
    if isinstance(step, Entering):
        setup.enter(course, step.what, entry)
    else:
        assert isinstance(step, Shuffling), "an entry was awaited"
        assert isinstance(entry, Next), "a shuffle tells the next card"
        decks.shuffle_in(course, step, entry)


def _choose(course: Resolution, seat: Seat, action: InSetup) -> None:
    match action:
        case Pick():
            setup.pick(course, seat, action)
        case Keep():
            setup.keep(course, seat, action)
        case ChooseMage():
            setup.choose_mage(course, seat, action)
        case TakeItem():
            setup.take_item(course, seat, action)
        case _:
            assert_never(action)


def _act(course: Resolution, seat: Seat, action: InAction) -> None:
    match action:
        case Play():
            artifacts.play(course, seat, action)
        case Claim():
            claims.claim(course, seat, action)
        case Discard():
            artifacts.discard(course, seat, action)
        case Use():
            powers.use(course, seat, action)
        case Pass():
            turns.pass_round(course, seat, action)
        case _:
            assert_never(action)


def _answer(course: Resolution, action: InPrompt) -> None:
    match course.state.queue[0], action:
        case (Gaining() | GainingSame() as step, Gain()):
            mixes.gain(course, step, action)
        case (Putting() as step, Put()):
            mixes.put(course, step, action)
        case (Placing() as step, Place() | Decline()):
            artifacts.place(course, step, action)
        case (Dropping() as step, Drop()):
            decks.drop(course, step, action)
        case (Ordering() as step, Order()):
            decks.order(course, step, action)
        case (Losing() as step, Lose() | React() | Ignore()):
            losses.answer(course, step, action)
        case (Checking() as step, React() | Skip()):
            victory.answer(course, step, action)
        case step, _:
            raise AssertionError(f"{action} does not answer {step}")


# --- what goes on by itself ----------------------------------------------------------------------


def settle(course: Resolution) -> None:
    """Go on until somebody has to answer, or the game is over."""
    going_on = True
    while going_on:
        if course.state.queue:
            going_on = _go_on(course)
        elif course.state.turn is None:
            collect.begin_round(course)  # the set-up is finished
        else:
            turns.next_turn(course)  # an action is finished


def _go_on(course: Resolution) -> bool:
    """Do what the first step does by itself. False if it awaits an answer."""
    step = course.state.queue[0]
    if (seat := _gone_to_choose(course.state)) is not None:
        take(course, seat, next(chain.from_iterable(bunches(course.state, seat))))
        course.explain("ra.resign.out", seat=seat)
        return True
    match step:
        case Over() | Acting() | Choosing() | ChoosingItem() | Ordering():
            return False
        case Drawing():
            decks.draw(course, step)
        case Looking():
            decks.look(course, step)
        case Revealing():
            claims.reveal(course)
        case Collecting():
            return collect.go_on(course)
        case Checking():
            return victory.go_on(course, step)
        case _:
            return _take_single(course)
    return True


def _gone_to_choose(state: State) -> str | None:
    """A seat that has resigned, and would have to choose in the set-up."""
    if not isinstance(state.queue[0], Choosing | ChoosingItem):
        return None
    return next((seat for seat in asked(state) if area_of(state, seat).gone), None)


def _take_single(course: Resolution) -> bool:
    """Take the only answer that a prompt has. False if it has several, or is always asked."""
    state = course.state
    step = state.queue[0]
    if isinstance(step, Placing) and artifacts.placing_of(state, step).place == "hand":
        return False  # nobody is to learn from a missing question what a hand holds
    (seat,) = asked(state)
    found = list(islice(chain.from_iterable(bunches(state, seat)), 2))
    assert found, f"{step} has no answer"
    if len(found) > 1:
        return False
    take(course, seat, found[0])
    if isinstance(found[0], Next | Deal):
        course.explain("ra.single")  # shown to all, and so without the card
    else:
        course.explain("ra.single", answer=write_action(found[0]))
    return True


def forfeit(state: State, seat: str) -> Accepted[Fact]:
    """What follows when a seat gives up: it is out, and who is left alone wins."""
    course = Resolution(state)
    course.record(SeatResigned(area_of(state, seat).seat), "ra.resign.out", seat=seat)
    if len(playing(course.state)) == 1:
        end_with_the_last(course)
    else:
        settle(course)
    return course.accepted()


def resigned_seats(state: State) -> tuple[str, ...]:
    """The seats that gave up."""
    return tuple(area.seat for area in state.areas if area.gone)


def is_at_rest(state: State) -> bool:
    """Does nothing go on by itself from here?"""
    course = Resolution(state)
    settle(course)
    return not course.facts
