#@ what:    -x requestkey assigns each clause's thread to the request that the given expression identifies, and reports errors in the expression
#@ needs:   syscall
#@ timeout: 60
run() { $DTRACE -q -n 'pid$target:a.out:begin:entry, pid$target:a.out:end:entry { this->is = request(arg0) != 0; }
    pid$target:a.out:done:entry { @ = breakdown(request(arg0)); @wall = sum(timestamp - request(arg0)); request_done(arg0); }' \
    -x format=csv -c "$PROGS/pool hands 1" "$@" 2>&1 | tr -d '\r' | awk -F, '$1 == "@_" { sum += $3; time[$2] = $3 } $1 == "@wall" { wall = $2 }
        END { print (sum == wall && wall > 0 ? "adds up" : sum " of " wall), (time["queued"] > 10000000 ? "queued" : "not queued") }'; }
run -x 'requestkey=probefunc == "end" ? 0 : arg0'
env -u DTRACE_REPRODUCIBLE $DTRACE -en 'syscall:::entry { trace(1); }' -x requestkey=nothing 2>&1
env -u DTRACE_REPRODUCIBLE $DTRACE -en 'syscall:::entry { trace(1); }' -x 'requestkey=arg0 +' 2>&1
$DTRACE -en 'syscall:::entry { trace(1); } syscall:::entry' -x requestkey=execname 2>&1
