#@ what:    the intervals of tseries() in the formats ctf, perfetto and journal
#@ needs:   babeltrace2 protoc python3
# All firings of BEGIN are in the same interval, unless midnight UTC passes between them.
program='BEGIN { @["k"] = tseries(-3, 86400s, 4, "sum"); @["k"] = tseries(10, 86400s, 4, "sum"); exit(0); }'
day=$(($(date +%s) / 86400 * 86400))
$DTRACE -x format=ctf -o "$TMP/ctf" -qn "$program"
babeltrace2 "$TMP/ctf" | grep -o 'key1.*' | sed "s/${day}000000000/DAY/"
$DTRACE -x format=perfetto -o "$TMP/trace" -qn 'BEGIN { @ = tseries(5, 1s, 4, "sum"); @ = tseries(2, 1s, 4, "sum"); exit(0); }'
protoc --decode=Trace --proto_path=. perfetto.proto <"$TMP/trace" >"$TMP/text" || exit
python3 - "$TMP/text" <<'P'
import re, sys, time
text = open(sys.argv[1]).read()
clocks = {int(kind): int(time) for kind, time in re.findall(r"clock_id: (\d+)\s+timestamp: (\d+)", text)}
# Clocks 3 and 1 are CLOCK_MONOTONIC and CLOCK_REALTIME, which the tracer reads one after the other.
starts = [int(re.search(r"\btimestamp: (\d+)", packet)[1]) + clocks[1] - clocks[3] for packet in text.split("\npacket {") if "counter_value: 7" in packet]
print("points at the start of a second:", [(start + 10**7) % 10**9 < 2 * 10**7 and time.time() - 60 < start / 10**9 <= time.time() for start in starts])
P
TZ=UTC python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn "$program" |
    sed -E "s/$(date -u -d "@$day" '+%F %T')/DATE/; s/${day}0{9}/DAY/; s/ +(\\\\n|\")/\1/g"
