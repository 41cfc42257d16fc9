#@ what:    bufpolicy=ring prints the last records at exit without drop messages, and aggregations count all probe hits
#@ needs:   syscall
int='syscall::getppid:entry /pid == $target/ { trace((int)(self->n++)); @ = count(); }'
# The tracer and its command run on CPU 0, so that only one buffer is used.
exec taskset -c 0 bash -c "
    \$DTRACE -x bufpolicy=ring -b 50 -qn '$int' -c '$PROGS/storm 100' 2>&1
    \$DTRACE -x bufpolicy=ring -b 64 -qn 'syscall::getppid:entry /pid == \$target/ { trace((long long)(self->n++)); }' -c '$PROGS/storm 100' 2>&1"
