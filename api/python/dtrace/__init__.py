"""Tracing from Python, by libdtrace(3).

    import dtrace

    with dtrace.Trace('syscall:::entry { @calls[execname] = count(); }') as trace:
        time.sleep(1)
    for keys, calls in trace.aggregations['calls'].items():
        print(*keys, calls)

A trace is a context: tracing begins with it, and ends with it at the latest. Records come by iterating over it, also with
`async for`; they are read only while somebody asks for them. Aggregations are there at any time, as they are then, and
as they were at the end. Errors of a program say where they are, with a caret.

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
