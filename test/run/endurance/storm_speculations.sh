#@ what:    of 10,000 speculations, the committed half prints completely and in order
#@ needs:   syscall alone
#@ timeout: 60
count=10000
[ -n "$DTRACE_GUEST" ] && count=1000
$DTRACE -x nspec=$count -qn 'syscall::getppid:entry /pid == $target/ { self->s = speculation(); self->n++; }
    syscall::getppid:entry /self->s/ { speculate(self->s); printf("%d\n", self->n); }
    syscall::getppid:return /self->s && self->n % 2/ { commit(self->s); self->s = 0; }
    syscall::getppid:return /self->s/ { discard(self->s); self->s = 0; }' -c "$PROGS/storm $count" >"$TMP/out"
seq 1 2 "$count" >"$TMP/wanted"
grep . "$TMP/out" | cmp - "$TMP/wanted" && echo "every other one, in order"
