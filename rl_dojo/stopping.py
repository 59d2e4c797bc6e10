"""Ctrl-C: whoever presses it is heard, wherever the work stands, and the command ends in one way.

Belongs here: hearing it. Python raises it inside whatever runs, and what a finalizer or a foreign library
swallows is lost; the system's own handler also writes into a socket, which nothing can swallow. Does not
belong here: what is said then (`terminal`).
"""

from __future__ import annotations

import signal
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

_READ_AT_ONCE = 4096


class Stops:
    """Hears Ctrl-C between `with` and its end, in the main thread."""

    def __init__(self) -> None:
        """Hears nothing yet."""
        self._ends: tuple[socket.socket, socket.socket] | None = None
        self._former = -1
        self._pressed = False

    def pressed(self) -> bool:
        """Says whether Ctrl-C was pressed since the beginning."""
        if self._ends is not None:
            with suppress(BlockingIOError):
                self._pressed |= signal.SIGINT in self._ends[0].recv(_READ_AT_ONCE)
        return self._pressed

    def check(self) -> None:
        """Raises what a swallowed Ctrl-C would have raised."""
        if self.pressed():
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        """Begins to hear."""
        self._pressed = False
        if threading.current_thread() is threading.main_thread():
            self._ends = socket.socketpair()
            for end in self._ends:
                end.setblocking(False)
            self._former = signal.set_wakeup_fd(self._ends[1].fileno(), warn_on_full_buffer=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Hears nothing any more."""
        if self._ends is not None:
            signal.set_wakeup_fd(self._former)
            for end in self._ends:
                end.close()
            self._ends = None


stops = Stops()
"""Of this process, which `main` lets begin."""
