"""The warmed parent: imports everything once, holds no key, and forks each program of the system on request.

A program that is forked shares the memory of what was imported and starts in a fraction of a second. The parent is
given no secret: what a program may hold travels through a pipe that only the program itself reads, after the fork.
Run by trustweb.serve.forked as `python -m trustweb.serve.warm DESCRIPTOR`.
"""

import contextlib
import fcntl
import gc
import importlib
import json
import os
import re
import runpy
import select
import signal
import socket
import struct
import sys
import tempfile

from setproctitle import getproctitle, setproctitle

from auditing.checker.sandbox.parent import dies_with_parent

NUMBER = struct.Struct("!i")  # what a status socket carries: the child's pid, then its exit code
MOST_DESCRIPTORS = 8
_HEAD = sys.getsizeof(b"")  # bytes of an empty bytes object
_HIGH = 100  # descriptors of an order are moved up here, so that none stands where the program wants another
_STRANGERS = "/auditing/verifier/"  # programs that know nothing of Django: settings would only copy pages
# Beside what Django loads: programs, and libraries that are imported late because commands can do without them.
_MODULES = (
    "django.core.asgi",
    "uvicorn.lifespan.off",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "websockets.asyncio.server",
    "celery.bin.celery",
    "celery.apps.worker",
    "celery.apps.beat",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.log",
    "celery.backends.base",
    "celery.concurrency.prefork",
    "celery.contrib.django.task",
    "celery.events.receiver",
    "celery.worker.consumer",
    "celery.worker.consumer.delayed_delivery",
    "celery.worker.strategy",
    "cffi.cparser",  # billiard has each process of a worker end with its parent by it
    "kombu.transport.redis",
    "channels_redis.core",
    "psycopg_pool",
    "openai",
    "sympy",
    "auditing.sockets",
    "auditing.tasks",
    "auditing.research.tasks",
    "trustweb.cache",
    "trustweb.serve.web",
    "trustweb.management.commands.sequencer",
    "trustweb.management.commands.revealer",
    "trustweb.urls",
)


def main(descriptor: int) -> None:
    """Import, then fork what is asked for until the other end of the socket is closed."""
    getproctitle()  # it finds the place of the title now, while the environment is where the kernel put it
    gc.disable()  # nothing is freed while importing, so every collection would be in vain
    _import_everything()
    # Frozen objects are never walked by a child's collector, which would copy every page that it marks.
    gc.collect()
    gc.freeze()
    filling = fill_holes()  # kept as long as the process
    with socket.socket(fileno=descriptor) as orders:
        order = _take_orders(orders)
    if order:  # we are a fork: from here on this process is the program
        gc.enable()
        # A page makes some ten thousand objects and keeps none: to look for circles after every 700 finds nothing.
        gc.set_threshold(20_000, 10, 10)
        _run(_become(*order))
    del filling


def _import_everything() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")
    django.setup()
    for name in _MODULES:
        importlib.import_module(name)
    importlib.import_module("hdag.core.text.cues").prepare_all()
    _look_up_fields()


def _look_up_fields() -> None:
    """What Django looks up of each model at its first query: once here, where each fork would keep 3 MB of its own."""
    from django.apps import apps

    for model in apps.get_models(include_auto_created=True):
        model._meta.get_fields(include_hidden=True)
        str(model._base_manager.all().query)


def fill_holes() -> list[object]:
    """Small objects in every free place between those that were imported; the caller keeps them.

    CPython puts a new object of at most 512 bytes into the first pool that has room for its size. After the imports
    some ten thousand places are free, one or two in each of as many pages: a fork would fill them with objects of its
    own, and by writing one copy the whole page. With no place free, a fork's objects lie together on its own pages.
    """
    filling: list[object] = []
    for _ in range(2):  # counting frees a few itself
        filling += [_object_of(size) for size, free in _free_places().items() for _ in range(free)]
    return filling


def _object_of(size: int) -> object:
    """A new object that takes a place of so many bytes."""
    if size < _HEAD:
        return object() if size <= object().__sizeof__() else float(size) * 1.5
    return bytes(size - _HEAD)


def _free_places() -> dict[int, int]:
    """Size of a place in bytes -> how many are free in pools that are in use, as CPython's own statistics say it."""
    with tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            sys._debugmallocstats()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        file.seek(0)
        text = file.read().decode(errors="replace")
    rows = re.findall(r"^ *\d+ +(\d+) +\d+ +\d+ +(\d+)$", text, re.MULTILINE)
    return {int(size): int(free) for size, free in rows}


def _take_orders(orders: socket.socket) -> list[int]:
    """In the parent: fork for each order, and nothing once nobody can give one. In a fork: its order's descriptors."""
    woken, wake = socket.socketpair()
    for end in (woken, wake):
        end.setblocking(False)
    # A signal writes one byte to `wake`, so that select returns when a child ends (Python's documented self-pipe).
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, socket.socket] = {}
    descriptors: list[int] | None = None
    with woken, wake:
        while descriptors is None:
            ready, _, _ = select.select([orders, woken], [], [])
            if woken in ready:
                woken.recv(4096)
                _report_ended(running)
            if orders in ready:
                descriptors = _take_order(orders, running)
    return descriptors


def _take_order(orders: socket.socket, running: dict[int, socket.socket]) -> list[int] | None:
    """Fork once. In the parent None, or nothing when the other end is closed; in the fork its descriptors."""
    word, descriptors, _, _ = socket.recv_fds(orders, 1, MOST_DESCRIPTORS)
    if not word:
        return []
    status = socket.socket(fileno=descriptors.pop(1))
    pid = _fork()
    if pid == 0:
        for end in (status, *running.values()):
            end.close()
        return descriptors
    running[pid] = status
    _send(status, pid)
    for number in descriptors:
        os.close(number)
    return None


def _report_ended(running: dict[int, socket.socket]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with running.pop(pid) as waiting:
            _send(waiting, os.waitstatus_to_exitcode(status))


def _send(status: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):  # whoever asked may be gone; the kernel ends the child
        status.sendall(NUMBER.pack(number))


def _fork() -> int:
    """os.fork, whose child leads a session of its own and is killed by the kernel when we end.

    Killed, not asked: a worker that is asked first waits for its tasks, and these for a database and a broker that
    have ended as well. What it had in hand is done again (docs/decisions/0002).
    """
    ends_with_us = dies_with_parent(signal.SIGKILL)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        ends_with_us()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    return pid


def _become(order: int, log: int, *inherited: int) -> list[str]:
    """Take the environment, the output and the descriptors that the order names; returns its command line."""
    with open(order, encoding="utf-8") as file:
        told = json.load(file)
    for number in (1, 2):
        os.dup2(log, number)
    os.close(log)
    # Moved up first, so that none stands where the program wants another.
    moved = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _HIGH) for number in inherited]
    for number, high, wanted in zip(inherited, moved, told["descriptors"], strict=True):
        os.close(number)
        os.dup2(high, wanted)
        os.close(high)
    os.environ.clear()
    os.environ.update(told["environment"])
    command = list(told["command"])
    if not any(_STRANGERS in word for word in command):
        _read_settings_again()
    return command


def _read_settings_again() -> None:
    """Settings come from the environment, and ours is another one now: forget what was derived from the parent's.

    Nothing is connected yet, so that no connection has to be closed.
    """
    from channels.layers import channel_layers
    from django.conf import empty, settings  # type: ignore[attr-defined]
    from django.core.cache import caches
    from django.core.files.storage import storages
    from django.db import connections
    from django.utils.log import configure_logging

    del sys.modules["trustweb.settings"]
    settings._wrapped = empty
    for handler in (connections, caches):
        with contextlib.suppress(AttributeError):  # where an import has looked at it, unconnected
            del handler["default"]
        handler.__dict__.pop("settings", None)
        handler._settings = None  # type: ignore[union-attr]
    channel_layers._reset_backends("CHANNEL_LAYERS")
    storages.__dict__.pop("backends", None)
    storages._backends = None  # type: ignore[attr-defined]
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


def _run(command: list[str]) -> None:
    """Run a Python command line, `python -u FILE ...` or `python -u -m MODULE ...`, as the interpreter would."""
    setproctitle(" ".join(command))  # so that ps, top and a person who kills one see which program it is
    arguments = [word for word in command[1:] if word != "-u"]
    is_module = arguments[0] == "-m"
    sys.argv = arguments[1:] if is_module else arguments
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if is_module:
        sys.modules.pop(arguments[1], None)  # runpy warns of a module that is imported already
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(int(sys.argv[1]))
