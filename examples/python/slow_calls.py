#!/usr/bin/env python3
"""slow_calls.py [SECONDS [COMMAND...]]: shows the time that system calls take, in the style of a notebook.

In a notebook each block below would be a cell, which shows its last line as a table.
"""

import sys
import time

import dtrace

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
command = sys.argv[2:] or None

# D program: times of system calls in microseconds, of one command or of all processes.
PROGRAM = """
syscall:::entry /!$target || progenyof($target)/ { self->since = timestamp; }
syscall:::return /self->since/
{
    @times[probefunc] = quantize((timestamp - self->since) / 1000);
    self->since = 0;
}
"""
trace = dtrace.Trace(PROGRAM, command=command)

# Trace for some seconds, or until the command ends.
with trace:
    if command:
        for _ in trace:
            pass
    else:
        time.sleep(seconds)

# The five calls with the longest total time, computed from the lower bounds of their buckets.
times = trace.aggregations.get("times", {})


def least(histogram):
    return sum(bucket.low * bucket.count for bucket in histogram if bucket.count and bucket.low > 0)


for (name,), histogram in sorted(times.items(), key=lambda each: -least(each[1]))[:5]:
    print(f"{name}: {histogram.total} calls")
    print(histogram)
