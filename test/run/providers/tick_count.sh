#@ what:    a tick probe fires at its interval
#@ needs:   profile
# Never sooner; later where the machine stands still, so two that are an interval apart are waited for. All on one CPU: what is due there comes before BEGIN.
taskset -c 0 "$DTRACE" -x cpu=0 -qn 'int n, near; uint64_t last;
    BEGIN { begun = timestamp; }
    tick-50ms { n++; near += n > 1 && timestamp - last > 25000000 && timestamp - last < 75000000; last = timestamp; }
    tick-50ms /n >= 6 && near/ { printf("%d\n", timestamp - begun >= (n - 1) * 50000000 - 10000000); exit(0); }'
