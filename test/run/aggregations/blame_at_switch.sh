#@ what:    blame() in a sched:::off-cpu probe counts every wait chain, even if the kernel has memory ready for only one new key
#@ needs:   syscall alone
cat >"$TMP/script.d" <<'D'
syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->t = timestamp; }
syscall::close:entry /self->t && (int)arg0 == -2/ { self->is_over = 1; }
sched:::off-cpu /self->is_over/ { self->is_over = 0; @ = blame(self->t); @wall = sum(timestamp - self->t); }
D
$DTRACE -q -x format=csv -s "$TMP/script.d" -c "$PROGS/chains chain 20" | tr -d '\r' |
    awk -F, '$1 == "@_" { n++; sum += $3 } $1 == "@wall" { wall = $2 } END { print (n > 3 ? "chains" : n), (sum == wall && wall > 0 ? "that add up" : sum " of " wall) }'
