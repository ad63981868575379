"""Signals as a terminal's shell leaves them to what it starts."""
import signal

PYTHONS_OWN = {signal.SIGPIPE, signal.SIGXFSZ}  # it ignores them, and resets them in what it starts


def reset():
    """A shell without job control ignores SIGINT and SIGQUIT for what it starts in the background, nohup ignores
    SIGHUP; the programs under test would inherit that."""
    for number in signal.valid_signals() - PYTHONS_OWN:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
