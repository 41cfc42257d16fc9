"""Tracing from Python, by libdtrace(3).

    import dtrace

    with dtrace.Trace('syscall:::entry { @calls[execname] = count(); }') as trace:
        time.sleep(1)
    for keys, calls in trace.aggregations['calls'].items():
        print(*keys, calls)

A trace is a context manager: tracing begins on entry and ends on exit at the latest. Iterate over the trace, also with
`async for`, to get records; they are only read during iteration. Aggregations can be read at any time: during the run
with their current values, after it with their final values. Errors of a program contain their location, with a caret.

Notebooks show aggregations as tables.
"""

from .aggregations import Aggregation, Average, Bucket, Deviation, Histogram
from .trace import Error, Fault, Frame, Loss, Record, Trace, probes

__all__ = [
    "Aggregation",
    "Average",
    "Bucket",
    "Deviation",
    "Error",
    "Fault",
    "Frame",
    "Histogram",
    "Loss",
    "Record",
    "Trace",
    "probes",
]
