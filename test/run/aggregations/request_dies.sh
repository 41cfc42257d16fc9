#@ what:    if a thread ends without request_end(), the time of its request after that counts as queued
#@ needs:   syscall
cd "$TMP" || exit 1
$DTRACE -q -x format=csv -o trace -n 'pid$target:a.out:begin:entry { request_begin(arg0); }
    pid$target:a.out:done:entry { @[arg0] = breakdown(request(arg0)); @wall = sum(timestamp - request(arg0)); request_done(arg0); }' -c "$PROGS/pool dies 1" >lasted
tr -d '\r' <trace | awk -F, '
    BEGIN { getline line <"lasted"; split(line, w, " ") }
    $1 == "@_" { time[$3] = $4; sum += $4 }
    $1 == "@wall" { wall = $2 }
    END {
        print (time["queued"] >= w[3] && time["queued"] <= w[4] ? "queued" : time["queued"] ", not " w[3] " to " w[4])
        print (time["other"] + 0 < wall / 100 && sum >= wall * 0.999 && sum <= wall * 1.001 ? "adds up" : "sum " sum ", wall " wall ", other " time["other"])
    }'
