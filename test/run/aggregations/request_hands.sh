#@ what:    breakdown(request()) of a request that several threads serve one after the other gives the times that the program itself measured
#@ needs:   syscall
#@ timeout: 60
cd "$TMP" || exit 1
$DTRACE -q -x format=csv -o trace -n 'pid$target:a.out:begin:entry { request_begin(arg0); }
    pid$target:a.out:end:entry { request_end(arg0); }
    pid$target:a.out:done:entry { @[arg0] = breakdown(request(arg0)); @wall[arg0] = sum(timestamp - request(arg0)); request_done(arg0); }' \
    -c "$PROGS/pool hands 3" >lasted
tr -d '\r' <trace | awk -F, '
    BEGIN { while ((getline line <"lasted") > 0) { split(line, w, " "); least[w[1], w[2]] = w[3]; most[w[1], w[2]] = w[4] } }
    $1 == "@_" { time[$2, $3] = $4; sum[$2] += $4 }
    $1 == "@wall" { wall[$2] = $3 }
    function near(what, value, low, high) { # CPU time comes from another clock, so it may differ by 2 % or 1 ms
        printf "%s %s%s\n", key, what, (value + 0 >= low && value + 0 <= high ? "" : " " (value + 0) ", not " low " to " high)
    }
    END {
        for (key = 1; key <= 3; key++) {
            cpu = time[key, "user"] + time[key, "kernel"] + time[key, "interrupt"]; slack = most[key, "cpu"] / 50; if (slack < 1e6) slack = 1e6
            near("queued", time[key, "queued"], least[key, "queued"], most[key, "queued"])
            near("futex", time[key, "futex"], least[key, "futex"], most[key, "futex"])
            near("cpu", cpu, least[key, "cpu"] - slack, most[key, "cpu"] + slack)
            near("wall", sum[key], least[key, "wall"] * 0.999, most[key, "wall"] * 1.001)
            near("wall, asked", sum[key], wall[key] * 0.999, wall[key] * 1.001)
        }
    }'
