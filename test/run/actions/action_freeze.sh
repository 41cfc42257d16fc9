#@ what:    freeze() prints the last records of the ring buffer, including its own record; recording continues, and no record prints twice
#@ needs:   syscall
count='syscall::getppid:entry /pid == $target/ { this->n = (int)(self->n++); trace(this->n);'
# The tracer and its command run on CPU 0, so that only one buffer is used. The buffer of 40 bytes holds five records: each takes 8 bytes, even one without data.
exec taskset -c 0 bash -c "
    \$DTRACE -x bufpolicy=ring -b 40 -qn '$count } syscall::getppid:entry /self->n == 50/ { freeze(); }' -c '$PROGS/storm 100' 2>&1; echo
    \$DTRACE -x bufpolicy=ring -b 40 -qn '$count if (this->n == 50 || this->n == 52) { printf(\" frozen\n\"); freeze(); } }' -c '$PROGS/storm 100' 2>&1; echo
    \$DTRACE -qn '$count if (this->n == 1) freeze(); }' -c '$PROGS/storm 3' 2>&1"
