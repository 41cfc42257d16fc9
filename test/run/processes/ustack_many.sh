#@ what:    the kernel accepts a program with a hundred calls of ustack()
#@ needs:   syscall
for i in $(seq 100); do echo "syscall::getppid:entry /pid == \$target/ { ustack($i); }"; done >"$TMP/many.d"
$DTRACE -qs "$TMP/many.d" -c "$PROGS/deep call" | grep -c make_call
