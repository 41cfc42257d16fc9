#@ what:    -x format=perfetto writes entry and return probes as time intervals of their thread, and other probes as events
#@ needs:   syscall protoc
cat >"$TMP/script.d" <<'D'
BEGIN { printf("tracer's own"); }
syscall::getppid:entry /pid == $target/ { trace((char)-5); printf("%d %s", 3, "a"); self->n = 1; }
syscall::getppid:entry /pid == $target/ { trace("second clause"); ustack(1); tracemem(curthread->comm, 4); }
syscall::getppid:return /pid == $target/ { trace(7); @["k", 3] = count(); @sum = sum(-2); @q = quantize(5); @q = quantize(-1); }
syscall::getppid:return /pid == $target && ++calls == 2/ { printa(@q); }
syscall::exit_group:entry /pid == $target/ { trace(1 / (calls - 2)); }
syscall::exit_group:entry /pid == $target/ { trace("never returns"); }
D
$DTRACE -x format=perfetto -o "$TMP/trace" -qs "$TMP/script.d" -c "$PROGS/two_stacks 2" 2>/dev/null
protoc --decode=Trace --proto_path=. perfetto.proto <"$TMP/trace" >"$TMP/text" || exit
# Prints one line for each packet, without values that differ from run to run and fields that all packets have.
sed -E '/trusted_packet|timestamp|clock_id: 3$/d; s/uuid: [0-9]+/uuid: N/; s/pid: [0-9]+/pid: N/; s/tid: [0-9]+/tid: N/; s/uint_value: [0-9]+/uint_value: N/; s/two_stacks`[^"]*/two_stacks`N/; s/(pc|ID) [0-9]+/\1 N/g' "$TMP/text" |
    awk '/^packet/ { line = ""; next } /^}/ { print line; next } { sub(/^ +/, ""); line = line (line == "" ? "" : " ") $0 }'
# Checks that each interval ends after it begins.
awk '/^  timestamp:/ { time = $2 } /SLICE_BEGIN/ { begun = time } /SLICE_END/ { wrong += time <= begun; ++intervals } END { print intervals, "intervals, wrong:", wrong + 0 }' "$TMP/text"
