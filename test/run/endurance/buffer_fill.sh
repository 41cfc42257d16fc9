#@ what:    bufpolicy=fill: the first samples that fit are printed at the end, then the run is over; one drop, all are lost; END has its own room
#@ needs:   syscall
int='syscall::getppid:entry /pid == $target/ { trace((int)(self->n++)); }'
# The tracer and what it starts are bound to CPU 0: one buffer.
exec taskset -c 0 bash -c "
    \$DTRACE -x bufpolicy=fill -b 64 -qn '$int' -c '$PROGS/storm 100' 2>'$TMP/err'; echo ' status' \$?; sed \"s/lost: [0-9]*/lost: N/\" '$TMP/err'
    \$DTRACE -x bufpolicy=fill -b 64 -qn '$int END { trace((int)-1); }' -c '$PROGS/storm 100' 2>'$TMP/err'; echo ' status' \$?; sed \"s/lost: [0-9]*/lost: N/\" '$TMP/err'
    \$DTRACE -x bufpolicy=fill -b 64 -qn '$int' -c '$PROGS/storm 8' 2>'$TMP/err'; echo ' status' \$?; sed \"s/lost: [0-9]*/lost: N/\" '$TMP/err'"
