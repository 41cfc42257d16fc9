#@ what:    libdtrace supports a Python ctypes program like python-dtrace, which hard-codes structure offsets and only calls dtrace_work()
#@ needs:   syscall python3
export LIBDTRACE=$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so
cat >"$TMP/consumer.py" <<'P'
import ctypes as c
import os

class Record(c.Structure):
    _fields_ = [("action", c.c_uint16), ("size", c.c_uint32), ("offset", c.c_uint32), ("alignment", c.c_uint16), ("format", c.c_uint16),
                ("arg", c.c_uint64), ("uarg", c.c_uint64)]

class Description(c.Structure):
    _fields_ = [("name", c.c_char_p), ("variable", c.c_int64), ("flags", c.c_int), ("id", c.c_uint32), ("epid", c.c_uint32), ("size", c.c_uint32),
                ("number", c.c_int), ("pad", c.c_uint32), ("records", Record * 3)]

class Probe(c.Structure):
    _fields_ = [("id", c.c_uint32), ("provider", c.c_char * 64), ("module", c.c_char * 64), ("function", c.c_char * 192), ("name", c.c_char * 64)]

class Entry(c.Structure):
    _fields_ = [("handle", c.c_void_p), ("description", c.POINTER(Description)), ("enabled", c.c_void_p), ("probe", c.POINTER(Probe)),
                ("data", c.c_void_p), ("normal", c.c_uint64), ("size", c.c_size_t), ("delta", c.c_void_p), ("percpu", c.c_void_p),
                ("percpu_delta", c.c_void_p), ("total", c.c_int64), ("first", c.c_uint16), ("last", c.c_uint16), ("flags", c.c_uint32)]

Walk = c.CFUNCTYPE(c.c_int, c.POINTER(Entry), c.c_void_p)

@Walk
def show(entry, _):
    entry = entry.contents
    what = entry.description.contents
    key, value = what.records[1], what.records[2]
    text = c.string_at(entry.data + key.offset).decode()
    number = c.cast(entry.data + value.offset, c.POINTER(c.c_int64))[0]
    print(what.name.decode(), entry.probe.contents.name.decode(), text, number, "of", entry.total)
    return 0

lib = c.CDLL(os.environ["LIBDTRACE"])
lib.dtrace_open.restype = lib.dtrace_program_strcompile.restype = c.c_void_p
handle = c.c_void_p(lib.dtrace_open(3, 0, None))
program = c.c_void_p(lib.dtrace_program_strcompile(handle, b'BEGIN { @n["one"] = sum(20); @n["two"] = sum(30); @n["one"] = sum(1); }', 3, 4, 0, None))
information = (c.c_uint32 * 6)()
assert lib.dtrace_program_exec(handle, program, information) == 0
print("aggregations, clauses, probes:", *information[2:5])
assert lib.dtrace_go(handle) == 0
assert lib.dtrace_work(handle, None, None, None, None) == 0
lib.dtrace_aggregate_walk_valsorted(handle, show, None)
lib.dtrace_stop(handle)
lib.dtrace_close(handle)
P
python3 "$TMP/consumer.py"
