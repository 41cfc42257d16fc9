#@ what:    a hundred user stacks in one program are not too many for the kernel's verifier
#@ needs:   syscall
for i in $(seq 100); do echo "syscall::getppid:entry /pid == \$target/ { ustack($i); }"; done >"$TMP/many.d"
$DTRACE -qs "$TMP/many.d" -c "$PROGS/deep call" | grep -c make_call
