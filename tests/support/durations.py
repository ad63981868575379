"""Where the time of a run of tests went."""


def print_slowest(took):
    """`took`: (seconds, name) of each."""
    slowest = sorted(took, reverse=True)[:15]
    print(f"{sum(seconds for seconds, _ in took):.0f} s in all; the slowest: "
          + ", ".join(f"{name} {seconds:.1f}" for seconds, name in slowest))
