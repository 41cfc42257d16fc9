#@ what:    when speculation ids are reused, no sample prints under the wrong id
#@ needs:   syscall
#@ timeout: 60
count=300000
[ -n "$DTRACE_GUEST" ] && count=30000
$DTRACE -x nspec=4 -x switchrate=1ms -qn 'syscall::getppid:entry /pid == $target/ { self->s = speculation(); self->n++; }
    syscall::getppid:entry /self->s/ { speculate(self->s); printf("%d %d\n", self->n, self->s); }
    syscall::getppid:return /self->s/ { speculate(self->s); printf("%d %d\n", self->n, self->s); }
    syscall::getppid:return /self->s && self->n % 3 == 0/ { commit(self->s); self->s = 0; }
    syscall::getppid:return /self->s/ { discard(self->s); self->s = 0; }' -c "$PROGS/storm $count" 2>"$TMP/err" | grep . >"$TMP/out"
awk 'NR % 2 { line = $0; next } $0 != line || $1 % 3 { wrong++ } END { print (NR > 16 ? "many" : NR), NR % 2, wrong + 0 }' "$TMP/out"
grep -v 'failed speculations\{0,1\} (\(available buffer(s) still busy\|no speculative buffer available\))$' "$TMP/err"
exit 0
