#@ what:    blame() follows a wait chain to the thread that computes, adds up to the elapsed time, and stops at a cycle of waits
#@ needs:   syscall alone
cat >"$TMP/script.d" <<'D'
syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->t = timestamp; }
syscall::close:entry /self->t && (int)arg0 == -2/ { @ = blame(self->t); @wall = sum(timestamp - self->t); self->t = 0; }
D
trace() { $DTRACE -q -x format=csv -s "$TMP/script.d" -c "$PROGS/chains $*" | tr -d '\r' | awk -F, '$1 == "@_" { print $2, $3 } $1 == "@wall" { print "wall", $2 }' >"$TMP/out"; }
# Function "has CHAIN NS": prints whether the wait chain CHAIN took at least NS nanoseconds, and whether all chains add up to the elapsed time.
has() { awk -v chain="$1" -v least=$2 '$1 == chain { time = $2 } $1 == "wall" { wall = $2 } $1 != "wall" { sum += $2 } $1 ~ /knot|deep/ { print }
    END { print chain, (time >= least ? "ok" : time "") , (sum == wall && wall > 0 ? "adds up" : sum " of " wall) }' "$TMP/out"; }
trace chain 20
has 'ch_a;pipe;ch_b;pipe;ch_c;running' 20000000
trace pool 20
has 'ch_a;pipe;ch_b;running' 40000000
trace circle 20
has 'ch_a;pipe;ch_b;poll;(interrupt)' 19000000
