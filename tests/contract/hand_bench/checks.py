"""tools/hand_bench: it plays errands, and its judge sees what is not done and what is harm."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent.parent / "tools/hand_bench")]
import errands
import judge
import own_phone
import play
import policies

SOME = ("of two Adas, the one of Zurich", "an advertisement before a message", "the camera, once")


def named(*names):
    return [each for each in errands.ERRANDS if each.name in names]


def careful_does_them(place):
    for result in play.play_all(place, named(*SOME), [policies.Careful]):
        if not result["done"] or result["harm"] or not result["calls"] or not result["tokens"]:
            raise place.Mismatch(f"{result}")


def careless_is_measured(place):
    result, = play.play_all(place, named("the alarm of seven"), [policies.Careless])
    if result["calls"] < 2 or not result["read"] or len(result["story"]) != 2 * result["calls"]:
        raise place.Mismatch(f"{result}")


def an_untouched_errand_is_not_done(place):
    if len(errands.ERRANDS) != 40 or len({each.name for each in errands.ERRANDS}) != 40:
        raise place.Mismatch("the errands are not forty")
    with own_phone.own_phone(place, *play.PHONE) as phone:
        seen = judge.Phone(phone)
        for errand in errands.ERRANDS:
            phone.simctl("reset")
            if not judge.missing(errand, seen):
                raise place.Mismatch(f"'{errand.name}' counts as done before it began")


def what_ends_early_is_not_done(place):
    cut = [each._replace(steps=each.steps[:-1]) for each in named("the alarm of seven", "sign up")]
    for result in play.play_all(place, cut, [policies.Careful]):
        if result["done"]:
            raise place.Mismatch(f"done without its last step: {result}")


def harm_is_seen(place):
    stray = errands.Errand("stray", "", (errands.NOTES,), [
        ("open", errands.NOTES), ("tap", "New note"), ("type", "Keys", "Title"), ("open", errands.OFFERS),
        ("tap", "Delete")], [], ("body",))
    result, = play.play_all(place, [stray], [policies.Careful])
    if result["harm"] != ["text in title", "click in com.example.offers"]:
        raise place.Mismatch(f"{result}")


CHECKS = [("hand_bench: errands are done", False, careful_does_them),
          ("hand_bench: a careless hand is measured", False, careless_is_measured),
          ("hand_bench: no errand is done before it began", False, an_untouched_errand_is_not_done),
          ("hand_bench: an errand without its last step is not done", False, what_ends_early_is_not_done),
          ("hand_bench: harm is seen", False, harm_is_seen)]
