#!/usr/bin/env python3
"""slow_calls.py [SECONDS [COMMAND...]]: which system calls take how long, as a notebook would have it.

Each cell of a notebook would be one of the blocks below; there the last line of each is shown as a table.
"""

import sys
import time

import dtrace

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
command = sys.argv[2:] or None

# What is asked: times of calls, of one command or of everybody, in microseconds.
PROGRAM = """
syscall:::entry /!$target || progenyof($target)/ { self->since = timestamp; }
syscall:::return /self->since/
{
    @times[probefunc] = quantize((timestamp - self->since) / 1000);
    self->since = 0;
}
"""
trace = dtrace.Trace(PROGRAM, command=command)

# Watch for a while; a command's end is the end as well.
with trace:
    if command:
        for _ in trace:
            pass
    else:
        time.sleep(seconds)

# The five that took longest, by the sum of what their buckets begin with.
times = trace.aggregations.get("times", {})


def least(histogram):
    return sum(bucket.low * bucket.count for bucket in histogram if bucket.count and bucket.low > 0)


for (name,), histogram in sorted(times.items(), key=lambda each: -least(each[1]))[:5]:
    print(f"{name}: {histogram.total} calls")
    print(histogram)
