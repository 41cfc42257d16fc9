#@ what:    bufpolicy=fill stores the first records, drops later ones, and reserves space for the records of END
#@ needs:   syscall
int='syscall::getppid:entry /pid == $target/ { trace((int)(self->n++)); }'
# The tracer and its command run on CPU 0, so that only one buffer is used.
exec taskset -c 0 bash -c "
    \$DTRACE -x bufpolicy=fill -b 64 -qn '$int' -c '$PROGS/storm 100' 2>'$TMP/err'; echo ' status' \$?; sed \"s/lost: [0-9]*/lost: N/\" '$TMP/err'
    \$DTRACE -x bufpolicy=fill -b 64 -qn '$int END { trace((int)-1); }' -c '$PROGS/storm 100' 2>'$TMP/err'; echo ' status' \$?; sed \"s/lost: [0-9]*/lost: N/\" '$TMP/err'
    \$DTRACE -x bufpolicy=fill -b 64 -qn '$int' -c '$PROGS/storm 8' 2>'$TMP/err'; echo ' status' \$?; sed \"s/lost: [0-9]*/lost: N/\" '$TMP/err'"
