#@ what:    -x format=ctf writes values with types, stacks, aggregation keys and times in a form that babeltrace2 reads
#@ needs:   syscall babeltrace2
#@ status:  1
cat >"$TMP/script.d" <<'D'
syscall::getppid:entry /pid == $target/ { trace((char)-5); trace((unsigned short)65000); trace(-7LL); printf("%d %s %x", 3, "a\"b", (uint64_t)-1); }
syscall::getppid:entry /pid == $target/ { printf("no arguments"); ustack(2); tracemem(curthread->comm, 4); self->n = 1; }
syscall::getppid:entry /pid == $target/ { @["k", 3] = count(); @q = quantize(5); @q = quantize(-1); trace(1 / (self->n - 1)); }
BEGIN { s = speculation(); }
syscall::getppid:entry /pid == $target/ { speculate(s); trace("late"); }
syscall::getppid:return /pid == $target/ { trace("after"); }
END { commit(s); }
END { printa(@q); clear(@q); }
D
$DTRACE -x format=ctf -x labels=site=here -o "$TMP/trace" -qs "$TMP/script.d" -c "$PROGS/two_stacks 1" 2>"$TMP/err"
babeltrace2 --clock-seconds "$TMP/trace" 2>&1 | sed -E 's/^\[[0-9.]+\] \(\+[0-9.?]+\) [^ ]+ //; s/cpu_id = [0-9]+/cpu_id = N/; s/ ns = [0-9]+/ ns = N/; s/(pc|ID) [0-9]+/\1 N/g; s/`0x[0-9a-f]+|\+0x[0-9a-f]+/+N/g'
grep -c 'label_site = "here"' "$TMP/trace/metadata"
# Checks that times are wall-clock times, and that a finished trace is neither overwritten nor extended.
babeltrace2 --clock-seconds "$TMP/trace" | tr -d '[' | awk -v now="$(date +%s)" '{ wrong += $1 > now + 1 || $1 < now - 600 } END { print "wrong times:", wrong + 0 }'
$DTRACE -x format=ctf -o "$TMP/trace" -qn 'BEGIN { exit(0); }' 2>&1
$DTRACE -qn '#pragma D option format=ctf
BEGIN { exit(0); }' 2>&1
$DTRACE -x format=ctf -x user=nobody -o "$TMP/users" -qn 'BEGIN { exit(0); }' 2>&1
$DTRACE -x format=ctf -x rotate=1m -o "$TMP/rotated" -qn 'BEGIN { exit(0); }' 2>&1
$DTRACE -x format=flamegraph -o "$TMP/script.d" -qn 'BEGIN { @[stack()] = count(); exit(0); }' 2>&1
