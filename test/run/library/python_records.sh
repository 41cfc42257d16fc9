#@ what:    the Python module returns records with values and text, symbols, faults, and errors with position, also with asyncio
#@ needs:   syscall python3
for python in python3 /usr/bin/python3; do $python -c 'import cffi' 2>/dev/null && break; done || { echo "cffi is not installed"; exit 77; }
export PYTHONPATH=$PWD/../../../api/python LIBDTRACE=$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so PYTHONDONTWRITEBYTECODE=1
cat >"$TMP/records.py" <<'P'
import asyncio
import os

import dtrace

PROGRAM = 'BEGIN { trace((int64_t)-7); trace("text"); printf("%d of %s", 42, $$1); } BEGIN { trace(*(int *)8); } BEGIN { exit(0); } END { trace((int64_t)9); }'
with dtrace.Trace(PROGRAM, "word", options={"bufsize": "64k", "temporal": True}) as trace:
    for record in trace:
        print(record.probe, record.values, repr(record.text))
print([fault.probe for fault in trace.faults], trace.losses)


async def count(name):
    total = 0
    with dtrace.Trace('tick-10ms { trace((int64_t)1); } tick-10ms /++n == 5/ { exit(0); }') as ticks:
        async for record in ticks:
            total += sum(record.values)
    return name, total


async def both():
    return await asyncio.gather(count("a"), count("b"))


print(asyncio.run(both()))
with dtrace.Trace("syscall::getppid:entry /pid == $1/ { stack(1); ustack(1); }", os.getpid()) as trace:
    os.getppid()
    trace.stop()
    for record in trace:
        print([len(stack) for stack in record.values], record.values[1][0].name.split("+")[0])
for wrong in (lambda: dtrace.Trace("BEGIN { trace(nothing); }"), lambda: dtrace.Trace("BEGIN { }", options={"nosuch": 1})):
    try:
        wrong()
    except dtrace.Error as error:
        print(error)
print(dtrace.probes("syscall::getppid:"), dtrace.probes("nosuch:::"))
P
$python "$TMP/records.py"
