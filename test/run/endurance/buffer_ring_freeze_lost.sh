#@ what:    freeze() prints the ring buffer even if the buffer that carries freeze() records to the tracer is full
#@ needs:   syscall
cp "$PROGS/storm" "$TMP/frozen_storm"
$DTRACE -x bufpolicy=ring -b 1k -qn 'BEGIN { printf("begun\n"); freeze(); }
    syscall::getppid:entry /execname == "frozen_storm"/ { printf("record %s\n", strjoin(execname, probefunc)); }
    syscall::exit_group:entry /execname == "frozen_storm"/ { printf("lost %s %s\n", strjoin(execname, "1"), strjoin(execname, "2")); freeze(); }' \
    >"$TMP/out" 2>"$TMP/err" &
pid=$!
until grep -qs begun "$TMP/out"; do sleep 0.05; done
kill -STOP $pid
taskset -c 0 "$TMP/frozen_storm" 20000 # 256 bytes each, and the buffer has a megabyte
kill -CONT $pid
until grep -q record "$TMP/out"; do sleep 0.05; done
kill -TERM $pid
wait $pid
grep . "$TMP/out" | sort -u
grep -c 'drops on CPU 0' "$TMP/err"
