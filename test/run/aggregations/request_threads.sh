#@ what:    up to 4,095 threads can serve one request at a time; further threads count as drops
#@ needs:   syscall
#@ timeout: 60
#@ lost:    dynamic
cd "$TMP" || exit 1
$DTRACE -q -x format=jsonl -x drops -o trace -n 'pid$target:a.out:begin:entry { request_begin(arg0); @clauses = count(); }
    pid$target:a.out:end:entry { request_end(arg0); }
    pid$target:a.out:done:entry { @parts = breakdown(request(arg0)); request_done(arg0); }' \
    -c "$PROGS/pool flood 4200" >said 2>errors
sed -n 's/^{"type":"losses","cause":"\([a-z_]*\)".*"count":\([1-9][0-9]*\),.*/\1 \2/p' trace
awk -v said="$(cat said)" -F'[^"a-z0-9]+' '
    /"type":"agg"/ { for (i = 1; i < NF; i++) { if ($i == "\"name\"") name = $(i + 1); if ($i == "\"value\"") value[name] = $(i + 1); if ($i == "\"queued\"") queued = $(i + 1) } }
    END {
        split(said, w, " ")
        print "clauses", value["\"clauses\""]
        print "queued", (queued >= w[3] && queued <= w[4] && w[3] > 0 ? "as long" : queued ", not " w[3] " to " w[4])
    }' trace
