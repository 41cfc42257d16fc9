#@ what:    breakdown(request()) counts each of 16,000 work intervals of eight threads once
#@ needs:   syscall
#@ timeout: 60
# A thread may lose its CPU during a probe hit, so the exact start and end of a work interval are not known. Each is
# between two calls of mark(). So the two calls of mark() inside the interval give its shortest possible length, and the
# two outside give its longest. A hit may also end after a hit that began later; this occurs here, because the clause
# for the end takes long.
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
