#@ what:    after ERROR has run for a fault, later clauses of the probe still have their probe arguments, probefunc and this-> variables
#@ needs:   syscall
"$DTRACE" -q -c "$PROGS/write_sizes 1 16 16" -n '
syscall::write:entry /pid == $target && arg2 == 16/ { this->mark = 42; this->arg = arg2; trace(1 / (int)(arg2 - 16)); }
syscall::write:entry /pid == $target && arg2 == 16/ { printf("after %d %d %s\n", arg2, this->mark, probefunc); exit(0); }
ERROR { printf("error %d %d %d %d %s\n", this->mark, this->arg, arg4, pid == $target, probename); this->mark++; }
ERROR { printf("again %d %d %s\n", this->mark, (int)arg2, stringof(curthread->comm)); }' 2>/dev/null
