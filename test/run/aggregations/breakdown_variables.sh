#@ what:    a variable such as blocked_pipe grows by the time that breakdown() reports for the same part
#@ needs:   syscall
for part in pipe futex timer; do
    $DTRACE -qn 'syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->m = mark(); self->p = blocked_'$part'; }
        syscall::close:entry /pid == $target && (int)arg0 == -2/ { @ = breakdown(self->m); printf("grew %d\n", blocked_'$part' - self->p); }' -c "$PROGS/parts $part" |
        awk -v part=$part '$1 == "grew" { grew = $2 } $2 == "lasted" { lasted = $3 } $1 == part && $2 ~ /\|/ { shown = $NF }
            END { print part, (grew == shown ? "the same" : grew " and " shown), (grew >= lasted ? "at least as long" : grew " of " lasted) }'
done
$DTRACE -qn 'BEGIN { runq = "mine"; trace(runq); exit(0); }'
