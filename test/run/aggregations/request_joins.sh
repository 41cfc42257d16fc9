#@ what:    breakdown(request()) adds the work of two threads that serve a request in parallel, and counts no time as queued
#@ needs:   syscall
#@ timeout: 60
cd "$TMP" || exit 1
$DTRACE -q -x format=csv -o trace -n 'pid$target:a.out:begin:entry { request_begin(arg0); }
    pid$target:a.out:end:entry { request_end(arg0); }
    pid$target:a.out:done:entry { @[arg0] = breakdown(request(arg0)); @wall[arg0] = sum(timestamp - request(arg0)); request_done(arg0); }' \
    -c "$PROGS/pool joins 3" >lasted
tr -d '\r' <trace | awk -F, '
    BEGIN { while ((getline line <"lasted") > 0) { split(line, w, " "); least[w[1], w[2]] = w[3]; most[w[1], w[2]] = w[4] } }
    $1 == "@_" { time[$2, $3] = $4; sum[$2] += $4 }
    $1 == "@wall" { wall[$2] = $3 }
    function is(what, value) { printf "%s %s%s\n", key, what, (value >= least[key, what] * 0.999 && value <= most[key, what] * 1.001 ? "" : " " value ", not " least[key, what] " to " most[key, what]) }
    END {
        for (key = 1; key <= 3; key++) {
            is("work", sum[key] - time[key, "queued"])
            is("wall", wall[key])
            print key, "queued", time[key, "queued"] + 0
        }
    }'
