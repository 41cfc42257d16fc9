"""Runs D programs, and returns their records."""

import asyncio
import struct
from collections import deque
from typing import NamedTuple

from . import aggregations as _aggregations
from .library import ffi, lib

_NUMBERS = {1: "<b", 2: "<h", 4: "<i", 8: "<q"}
_MOST_NAME = 512  # maximum bytes of a symbol's name
_NULL = ffi.NULL


class Error(Exception):
    """Error of libdtrace. `code` is one of EDT_*, or an errno."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Record(NamedTuple):
    """Record of one clause for one firing."""

    probe: str  # provider:module:function:name
    cpu: int
    time: int  # CLOCK_MONOTONIC, ns
    values: list  # values of trace() and similar actions: int, str, bytes; a list of Frame for a stack
    text: str  # output of printf() and other printing actions


class Frame(NamedTuple):
    address: int
    name: str


class Fault(NamedTuple):
    probe: str
    text: str


class Loss(NamedTuple):
    text: str
    count: int


def _text(chars):
    return ffi.string(chars).decode("utf-8", "replace")


def _probe(description):
    return ":".join(_text(part) for part in (description.dtpd_provider, description.dtpd_mod, description.dtpd_func, description.dtpd_name))


class Trace:
    """A run of a D program.

    `program` is the text of the program, and `args` are the values of $1, $2 and so on. `options` are options of -x by
    name; True means an option without a value. `command`, a list of words, is started, and continues when tracing is
    active. `pid` is the id of a running process. The started or given process is $target.
    """

    def __init__(self, program, *args, options=None, command=None, pid=None):
        self.faults, self.losses = [], []
        self._records = deque()
        self._open, self._is_over = None, True
        self._aggregations = {}
        error = ffi.new("int *")
        self._handle = lib.dtrace_open(lib.DTRACE_VERSION, 0, error)
        if self._handle == _NULL:
            raise Error(error[0], _text(lib.dtrace_errmsg(_NULL, error[0])))
        try:
            self._prepare(program, args, options or {}, command, pid)
        except BaseException:
            self.close()
            raise

    def _prepare(self, program, args, options, command, pid):
        for name, value in options.items():
            self._check(lib.dtrace_setopt(self._handle, name.encode(), _NULL if value is True else str(value).encode()))
        if command:
            words = [ffi.new("char[]", word.encode()) for word in command]
            started = lib.dtrace_proc_create(self._handle, words[0], ffi.new("char *[]", [*words, _NULL]))
            self._check(-1 if started == _NULL else 0)
        if pid is not None:
            self._check(-1 if lib.dtrace_proc_grab(self._handle, pid, 0) == _NULL else 0)
        words = [ffi.new("char[]", str(arg).encode()) for arg in args]
        compiled = lib.dtrace_program_strcompile(
            self._handle, program.encode(), lib.DTRACE_PROBESPEC_NONE, lib.DTRACE_C_EMPTY, len(words), ffi.new("char *[]", [*words, _NULL])
        )
        self._check(-1 if compiled == _NULL else 0)
        self._check(lib.dtrace_program_exec(self._handle, compiled, _NULL))
        self._callbacks = (
            ffi.callback("dtrace_consume_probe_f", self._on_probe, error=lib.DTRACE_CONSUME_ERROR),
            ffi.callback("dtrace_consume_rec_f", self._on_record, error=lib.DTRACE_CONSUME_ERROR),
            ffi.callback("dtrace_handle_buffered_f", self._on_text, error=lib.DTRACE_HANDLE_ABORT),
            ffi.callback("dtrace_handle_err_f", self._on_fault, error=lib.DTRACE_HANDLE_ABORT),
            ffi.callback("dtrace_handle_drop_f", self._on_loss, error=lib.DTRACE_HANDLE_ABORT),
        )
        lib.dtrace_handle_buffered(self._handle, self._callbacks[2], _NULL)
        lib.dtrace_handle_err(self._handle, self._callbacks[3], _NULL)
        lib.dtrace_handle_drop(self._handle, self._callbacks[4], _NULL)

    def _check(self, status):
        if status == -1:
            code = lib.dtrace_errno(self._handle)
            raise Error(code, _text(lib.dtrace_errmsg(self._handle, code)))

    # ---- running

    def __enter__(self):
        self.go()
        return self

    def __exit__(self, *_):
        try:
            self.stop()
        finally:
            self.close()

    def go(self):
        """Attaches all probes and activates them at the same time."""
        self._check(lib.dtrace_go(self._handle))
        self._is_over = False

    def stop(self):
        """Ends tracing and runs END. The remaining records can still be read by iteration."""
        if self._handle and not self._is_over:
            lib.dtrace_stop(self._handle)
            self._work()

    def close(self):
        if self._handle:
            handle, self._handle, self._is_over = self._handle, None, True
            lib.dtrace_close(handle)

    def _work(self):
        status = lib.dtrace_work(self._handle, _NULL, self._callbacks[0], self._callbacks[1], _NULL)
        self._check(-1 if status == lib.DTRACE_WORKSTATUS_ERROR else 0)
        if status == lib.DTRACE_WORKSTATUS_DONE:
            self._aggregations = self._read_aggregations()
            self._is_over = True

    def _turn(self):
        """Waits until records can be read or the next periodic read is due, then processes them."""
        lib.dtrace_sleep(self._handle)
        self._work()

    def __iter__(self):
        """Yields records as they arrive, until exit() is called or the processes have ended."""
        while True:
            while self._records:
                yield self._records.popleft()
            if self._is_over:
                return
            self._turn()

    async def __aiter__(self):
        loop = asyncio.get_running_loop()
        while True:
            while self._records:
                yield self._records.popleft()
            if self._is_over:
                return
            await loop.run_in_executor(None, self._turn)

    # ---- records and values

    def _on_probe(self, data, _):
        self._open = Record(_probe(data.dtpda_pdesc), data.dtpda_cpu, data.dtpda_timestamp, [], "")
        return lib.DTRACE_CONSUME_THIS

    def _on_record(self, data, record, _):
        if record == _NULL:
            self._records.append(self._open)
            return lib.DTRACE_CONSUME_NEXT
        kind = record.dtrd_action
        if kind in (lib.DTRACEACT_PRINTF, lib.DTRACEACT_PRINTA, lib.DTRACEACT_TRACEMEM, lib.DTRACEACT_LIBACT):
            return lib.DTRACE_CONSUME_THIS  # the library prints the record, and _on_text() gets the text
        self._open.values.append(self._value(record, bytes(ffi.buffer(data.dtpda_data, record.dtrd_size))))
        return lib.DTRACE_CONSUME_NEXT

    def _on_text(self, data, _):
        text = _text(data.dtbda_buffered)
        if self._open:
            self._open = self._open._replace(text=self._open.text + text)
        return lib.DTRACE_HANDLE_OK

    def _on_fault(self, data, _):
        self.faults.append(Fault(_probe(data.dteda_pdesc), _text(data.dteda_msg)))
        return lib.DTRACE_HANDLE_OK

    def _on_loss(self, data, _):
        self.losses.append(Loss(_text(data.dtdda_msg), data.dtdda_drops))
        return lib.DTRACE_HANDLE_OK

    def _value(self, record, data):
        kind = record.dtrd_action
        words = struct.unpack(f"<{len(data) // 8}Q", data) if kind != lib.DTRACEACT_DIFEXPR else ()
        if kind == lib.DTRACEACT_STACK:
            return [Frame(address, self._symbol(address)) for address in _until_zero(words)]
        if kind in (lib.DTRACEACT_USTACK, lib.DTRACEACT_JSTACK):
            return [Frame(address, self._symbol(address, words[0])) for address in _until_zero(words[1:])]
        if kind in (lib.DTRACEACT_SYM, lib.DTRACEACT_MOD):
            return Frame(words[0], self._symbol(words[0]))
        if kind in (lib.DTRACEACT_USYM, lib.DTRACEACT_UMOD, lib.DTRACEACT_UADDR):
            return Frame(words[1], self._symbol(words[1], words[0]))
        if len(data) in _NUMBERS:
            return struct.unpack(_NUMBERS[len(data)], data)[0]
        text, _, rest = data.partition(b"\0")
        return text.decode("utf-8", "replace") if not rest.strip(b"\0") else data

    def _symbol(self, address, pid=0):
        room = ffi.new("char[]", _MOST_NAME)
        if pid:
            lib.dtrace_uaddr2str(self._handle, pid, address, room, _MOST_NAME)
        else:
            lib.dtrace_addr2str(self._handle, address, room, _MOST_NAME)
        return _text(room)

    def _read_aggregations(self):
        return _aggregations.read(self._handle, self._value, self._check)

    @property
    def aggregations(self):
        """All aggregations by name; "_" is the nameless one. After the end of the run they have their final values."""
        if not self._is_over:
            self._aggregations = self._read_aggregations()
        return self._aggregations

    def clear(self):
        """Clears all aggregations, as clear() does."""
        lib.dtrace_aggregate_clear(self._handle)

    def _repr_html_(self):
        return "".join(each._repr_html_() for each in self.aggregations.values())


def _until_zero(addresses):
    for address in addresses:
        if address == 0:
            return
        yield address


def probes(description=""):
    """Returns the full names of all probes that match a description."""
    error = ffi.new("int *")
    handle = lib.dtrace_open(lib.DTRACE_VERSION, 0, error)
    if handle == _NULL:
        raise Error(error[0], _text(lib.dtrace_errmsg(_NULL, error[0])))
    found = []

    @ffi.callback("dtrace_probe_f")
    def take(_handle, probe, _argument):
        found.append(_probe(probe))
        return 0

    try:
        pattern = ffi.new("dtrace_probedesc_t *")
        status = lib.dtrace_str2desc(handle, lib.DTRACE_PROBESPEC_NONE, description.encode(), pattern)
        if status == 0:
            status = lib.dtrace_probe_iter(handle, pattern, take, _NULL)
        code = lib.dtrace_errno(handle)
        if status == -1 and code != lib.EDT_NOPROBE:
            raise Error(code, _text(lib.dtrace_errmsg(handle, code)))
    finally:
        lib.dtrace_close(handle)
    return found
