"""How long a test waits: what suffices on an idle machine, times how slow this one is.

tools/test measures that once, at its start; what it starts finds it in its environment."""
import multiprocessing
import os
import signal
import statistics
import time

VARIABLE = "CLAWPERATOR_TEST_SLOWNESS"
SLOWNESS = float(os.environ.get(VARIABLE, "1"))
USUAL_S, SLOWEST = 0.1, 10  # what a sample takes on an idle machine; no machine counts as slower than that
STARTS, ADDITIONS, SAMPLES = 40, 1_000_000, 5


def scaled(seconds):
    return seconds * SLOWNESS


def scaled_word(number):
    """As a word of a command line: the limit within which the program must have come as far as the test wants."""
    return str(round(scaled(number)))


LIMIT_S = scaled(60)  # only what hangs takes so long


def sample():
    """Seconds for some starts of a process and some arithmetic."""
    began = time.monotonic()
    for _ in range(STARTS):
        os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
    number = 0
    for each in range(ADDITIONS):
        number += each
    return time.monotonic() - began


def usual_sample(_):
    return statistics.median(sample() for _ in range(SAMPLES))


def measured():
    """1 where this machine is as fast as an idle one is, more where it is slower or where other work keeps it busy:
    every core is measured at the same time, so that each waits for its turn."""
    cores = os.cpu_count() or 1
    # A worker that kept its parent's handler of SIGTERM would wait on, and its pool for it.
    usual = (signal.SIGTERM, signal.SIG_DFL)
    with multiprocessing.get_context("fork").Pool(cores, signal.signal, usual) as pool:
        seconds = statistics.mean(pool.map(usual_sample, range(cores), chunksize=1))
        pool.close()
        pool.join()
    return min(max(seconds / USUAL_S, 1), SLOWEST)
