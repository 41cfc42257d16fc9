#@ what:    the wait chains that blame() prints contain no waits that ended before the measured interval, in ten thousand chains
#@ needs:   syscall
$DTRACE -q -x format=folded -n 'syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->t = timestamp; }
    syscall::close:entry /self->t && (int)arg0 == -2/ { @ = blame(self->t); @count[1] = count(); self->t = 0; }
    END { printa(@); }' -c "$PROGS/chains many 10000" >"$TMP/out"
awk '/timer|knot|deep|ch_b;pipe;ch_a|ch_c;pipe;ch_b/ { print "phantom:", $0 } /ch_c;running/ { followed = 1 } END { print followed ? "followed" : "not followed" }' "$TMP/out"
