"""JSON as its readers take it who are strict."""
import json


def no_twins(pairs):
    """Of an object no name twice: most readers would see one of the two."""
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError(f"a name twice: {names}")
    return dict(pairs)


def read(text):
    return json.loads(text, object_pairs_hook=no_twins)
