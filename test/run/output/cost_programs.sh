#@ what:    -x cost counts hits of programs with many clauses, faults, exit(), speculations and shared code
#@ needs:   syscall
fired() { awk '{ gsub(",", "") } / PROBE$/ { on = 1 } on && $NF ~ /:getppid:entry$/ { print ($1 >= 50) }' "$TMP/err"; } # other processes call it too
many=$(for i in $(seq 60); do printf 'syscall:::entry /pid == $target/ { @[%d, probefunc] = sum(arg0 %% %d + strlen(execname)); }\n' "$i" "$((i + 1))"; done)
$DTRACE -x cost -qn "$many" -c "$PROGS/syscalls getppid 50" >/dev/null 2>"$TMP/err"
echo "functions: $(fired)"
$DTRACE -x cost -qn 'syscall::getppid:entry /pid == $target/ { trace(*(int *)0); } syscall::getppid:entry /pid == $target/ { n++; }
    ERROR { faults++; }' -c "$PROGS/syscalls getppid 50" >/dev/null 2>"$TMP/err"
echo "faults: $(fired)"
$DTRACE -x cost -qn 'syscall::getppid:entry /pid == $target && n++ == 60/ { exit(0); } syscall::getppid:entry /pid == $target/ { n += 0; }' \
    -c "$PROGS/syscalls getppid 90" >/dev/null 2>"$TMP/err"
echo "exit: $(fired)"
$DTRACE -x cost -qn 'syscall::getppid:entry /pid == $target/ { self->s = speculation(); speculate(self->s); printf("%d", arg0); }
    syscall::getppid:return /self->s/ { discard(self->s); self->s = 0; }' -c "$PROGS/syscalls getppid 50" >/dev/null 2>"$TMP/err"
echo "speculation: $(fired)"
$DTRACE -x cost -qn 'syscall::getppid:entry, syscall::getpid:entry, syscall::getuid:entry /pid == $target/ { @[probefunc] = count(); }' \
    -c "$PROGS/syscalls getppid 50" >/dev/null 2>"$TMP/err"
echo "shared: $(fired)"
