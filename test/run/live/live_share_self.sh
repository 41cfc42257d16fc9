#@ what:    with -x sharedvars=self, clauses in the kernel and clauses that the engine library runs inside the traced program use the same self-> variables
#@ timeout: 60
. ./program.bash
serve
"$DTRACE" -qp $program -x sharedvars=self -n '
    syscall::*poll:entry /pid == $target && !self->calls/ { self->calls = (char)41; }
    app$target:::request /self->calls == 41/ { self->calls++; self->word = arg1 + 1; }
    syscall::*poll:entry /self->calls == 42 && self->word/ {
        printf("%d in %s, of this process: %d\n", self->calls, execname, pid == $target); exit(0); }'
exec 7>&-
wait $program; echo "the program ends: $?"
