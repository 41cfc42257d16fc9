#@ what:    two tracers that run at the same time have separate BEGIN, END, variables and counts
#@ needs:   syscall
#@ timeout: 60
program='BEGIN { printf("begin %s\n", $$1); n = 0; }
    syscall::getppid:entry /pid == $target/ { n++; @c = count(); }
    END { printf("end %s %d\n", $$1, n); printa("count %@d\n", @c); }'
$DTRACE -qn "$program" -c "$PROGS/syscalls getppid 30000" first >"$TMP/first" 2>&1 &
first=$!
$DTRACE -qn "$program" -c "$PROGS/syscalls getppid 20000" second >"$TMP/second" 2>&1
second_status=$?
wait $first
echo "status $? $second_status"
cat "$TMP/first" "$TMP/second"
