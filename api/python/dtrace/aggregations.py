"""Aggregations as Python mappings from keys to values."""

import html
import math
import struct
from collections.abc import Mapping
from typing import NamedTuple

from .library import ffi, lib

_WORD = 8
_BAR = 40  # characters


class Average(NamedTuple):
    """Value of avg(): the number of values and their sum, from which `mean` is computed."""

    count: int
    total: int

    @property
    def mean(self):
        return self.total / self.count if self.count else 0.0


class Deviation(NamedTuple):
    """Value of stddev(): number, sum and sum of squares of the values, from which `deviation` is computed."""

    count: int
    total: int
    squares: int

    @property
    def deviation(self):
        if not self.count:
            return 0.0
        mean = self.total / self.count
        return math.sqrt(max(self.squares / self.count - mean * mean, 0.0))


class Bucket(NamedTuple):
    """Count of the integers from `low` to `high`, both inclusive. None means that the side has no bound."""

    low: int | None
    high: int | None
    count: int


class Histogram(list):
    """Value of quantize() and similar functions: all buckets that contain integers, in ascending order.

    The buckets of tseries() are the intervals with a value: first and last ns since 1970-01-01 UTC, and the value.
    """

    @property
    def total(self):
        return sum(bucket.count for bucket in self)

    def used(self):
        """Returns the buckets from the first to the last one with a count above 0."""
        filled = [i for i, bucket in enumerate(self) if bucket.count]
        return self[filled[0] : filled[-1] + 1] if filled else []

    def __str__(self):
        most = max((bucket.count for bucket in self), default=0) or 1
        rows = []
        for bucket in self.used():
            nearest = bucket.high if bucket.high is not None and bucket.high < 0 else bucket.low
            bar = "@" * round(_BAR * bucket.count / most)
            rows.append(f"{'' if nearest is None else nearest:>20} |{bar:<{_BAR}} {bucket.count}")
        return "\n".join(rows)

    def _repr_html_(self):
        most = max((bucket.count for bucket in self), default=0) or 1
        rows = "".join(
            f"<tr><td>{'' if b.low is None else b.low}</td><td>{'' if b.high is None else b.high}</td>"
            f'<td><div style="background:#48c;height:1em;width:{100 * b.count / most:.0f}px"></div></td>'
            f"<td>{b.count}</td></tr>"
            for b in self.used()
        )
        return f"<table><tr><th>from</th><th>to</th><th></th><th>count</th></tr>{rows}</table>"


class Aggregation(Mapping):
    """Read-only snapshot of one aggregation. Its keys are tuples; the type of its values depends on the aggregation."""

    def __init__(self, name, entries):
        self.name = name
        self._entries = entries

    def __getitem__(self, keys):
        return self._entries[keys if isinstance(keys, tuple) else (keys,)]

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    @property
    def value(self):
        """Value of an aggregation without keys."""
        return self._entries[()]

    def __repr__(self):
        return f"<Aggregation @{self.name} of {len(self)} keys>"

    def _repr_html_(self):
        def cell(value):
            return value._repr_html_() if isinstance(value, Histogram) else html.escape(str(value))

        rows = "".join(
            "<tr>" + "".join(f"<td>{cell(each)}</td>" for each in (*keys, value)) + "</tr>"
            for keys, value in self._entries.items()
        )
        return f"<table><caption>@{html.escape(self.name)}</caption>{rows}</table>"


def _buckets(handle, entry):
    """Returns a Histogram, for breakdown() a dict with the ns of each part, or None if the function has no buckets."""
    number = lib.dtrace_aggregate_buckets(handle, entry, ffi.NULL, 0)
    if number < 0:
        return None
    buckets = ffi.new("dtrace_bucket_t[]", number)
    lib.dtrace_aggregate_buckets(handle, entry, buckets, number)
    if number > 0 and buckets[0].dtb_name != ffi.NULL:
        return {ffi.string(each.dtb_name).decode(): each.dtb_count for each in buckets}
    return Histogram(
        Bucket(
            None if each.dtb_flags & lib.DTRACE_BUCKET_NOLOW else each.dtb_low,
            None if each.dtb_flags & lib.DTRACE_BUCKET_NOHIGH else each.dtb_high,
            each.dtb_count,
        )
        for each in buckets
        if not each.dtb_flags & lib.DTRACE_BUCKET_NEVER
    )


def value_of(record, data, normal):
    """Returns the number in an entry's last record, for values without buckets. `normal` is the divisor set by
    normalize().
    """
    words = struct.unpack_from(f"<{record.dtrd_size // _WORD}q", data, record.dtrd_offset)
    kind = record.dtrd_action
    if kind == lib.DTRACEAGG_AVG:
        return Average(words[0], words[1] // normal)
    if kind == lib.DTRACEAGG_STDDEV:
        low, high = words[2] & (1 << 64) - 1, words[3]
        return Deviation(words[0], words[1], high << 64 | low)
    return words[0] // normal if normal != 1 else words[0]


def read(handle, key_of, check):
    """Takes a snapshot and returns every aggregation by name.

    `key_of` decodes the record of a key, and `check` raises the error of a failed library call.
    """
    found = {}

    @ffi.callback("dtrace_aggregate_f")
    def take(entry, _):
        what = entry.dtada_desc
        data = bytes(ffi.buffer(entry.dtada_data, entry.dtada_size))
        first = ffi.cast("dtrace_recdesc_t *", what.dtagd_rec)  # declared with 1 element, has dtagd_nrecs
        records = [first[i] for i in range(1, what.dtagd_nrecs)]
        keys = tuple(key_of(key, data[key.dtrd_offset : key.dtrd_offset + key.dtrd_size]) for key in records[:-1])
        name = ffi.string(what.dtagd_name).decode()
        value = _buckets(handle, entry)
        found.setdefault(name, {})[keys] = value_of(records[-1], data, entry.dtada_normal or 1) if value is None else value
        return lib.DTRACE_AGGWALK_NEXT

    check(lib.dtrace_aggregate_snap(handle))
    check(lib.dtrace_aggregate_walk_valvarsorted(handle, take, ffi.NULL))
    return {name: Aggregation(name, entries) for name, entries in found.items()}
