#@ what:    repeated freeze() calls print each record of the ring buffer once and in order, on every CPU
#@ needs:   syscall
$DTRACE -x bufpolicy=ring -qn 'syscall::getppid:entry /pid == $target/ { printf("%d %d\n", tid, self->n++); }
    syscall::getppid:entry /self->n % 100 == 1/ { freeze(); }' -c "$PROGS/storm 20000 2" |
    awk '{ if ($2 != next_of[$1]++) wrong++ } END { print NR, "records,", wrong + 0, "out of order" }'
