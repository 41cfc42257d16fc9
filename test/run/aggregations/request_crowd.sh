#@ what:    breakdown(request()): of 16,000 turns of eight threads none is lost and none counts twice: the parts beside the queue are the sum of the turns
#@ needs:   syscall
#@ timeout: 60
$DTRACE -q -x format=csv -n 'pid$target:a.out:begin:entry { request_begin(arg0); self->from = timestamp; }
    pid$target:a.out:end:entry /self->from/ { request_end(arg0); @turns = count(); @work = sum(timestamp - self->from); self->from = 0; }
    pid$target:a.out:done:entry { @ = breakdown(request(arg0)); @wall = sum(timestamp - request(arg0)); request_done(arg0); }' \
    -c "$PROGS/pool crowd 2000" | tr -d '\r' | awk -F, '
    $1 == "@_" { time[$2] = $3; sum += $3 }
    $1 ~ /^@(turns|work|wall)$/ { is[$1] = $2 }
    END {
        differs = sum - time["queued"] - is["@work"]
        print is["@turns"], (differs * differs <= is["@work"] * is["@work"] / 1e6 && is["@work"] > 0 ? "the same" : sum - time["queued"] " of " is["@work"])
        print (sum >= is["@wall"] * 0.999 && time["queued"] <= is["@wall"] ? "wall" : sum " of " is["@wall"])
    }'
