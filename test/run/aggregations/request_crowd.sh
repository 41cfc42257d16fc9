#@ what:    breakdown(request()) counts 16,000 work intervals of eight threads exactly once each
#@ needs:   syscall
#@ timeout: 60
# A thread may lose its CPU in the middle of a firing. mark() is the time when it is asked then, so that a turn lies between two of them. And a firing may
# come after one that began later: where an end takes long, as here, some of a crowd's do.
long=$(for i in $(seq 60); do printf 'n += strlen(probefunc) + %d; ' "$i"; done)
$DTRACE -q -x format=csv -n 'int64_t n; pid$target:a.out:begin:entry { self->before = mark(); request_begin(arg0); self->after = mark(); }
    pid$target:a.out:end:entry /self->after/ { this->before = mark(); '"$long"' request_end(arg0); this->after = mark();
        @turns = count(); @least = sum(this->before - self->after); @most = sum(this->after - self->before); self->after = 0; }
    pid$target:a.out:done:entry { @ = breakdown(request(arg0)); @wall = sum(timestamp - request(arg0)); request_done(arg0); }' \
    -c "$PROGS/pool crowd 2000" | tr -d '\r' | awk -F, -v show="${SHOW:-}" '
    $1 == "@_" { time[$2] = $3; sum += $3 }
    $1 ~ /^@(turns|least|most|wall)$/ { is[$1] = $2 }
    END {
        work = sum - time["queued"]
        if (show) print work, is["@least"], is["@most"], is["@wall"], sum
        print is["@turns"], (work >= is["@least"] && work <= is["@most"] && is["@least"] > 0 ? "the same" : work ", not " is["@least"] " to " is["@most"])
        print (sum >= is["@wall"] * 0.999 && time["queued"] <= is["@wall"] ? "wall" : sum " of " is["@wall"])
    }'
