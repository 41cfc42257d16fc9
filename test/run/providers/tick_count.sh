#@ what:    a tick probe fires once in each interval
#@ needs:   profile
# A tick is never early, but it is late if the machine stalls, so the test waits for two ticks that are one interval
# apart. Everything runs on one CPU, so that an overdue tick fires before BEGIN.
taskset -c 0 "$DTRACE" -x cpu=0 -qn 'int n, near; uint64_t last;
    BEGIN { begun = timestamp; }
    tick-50ms { n++; near += n > 1 && timestamp - last > 25000000 && timestamp - last < 75000000; last = timestamp; }
    tick-50ms /n >= 6 && near/ { printf("%d\n", timestamp - begun >= (n - 1) * 50000000 - 10000000); exit(0); }'
