#@ what:    tick probes that the kernel skips while fbt programs run fire later, and no tick fires more often than its interval allows
#@ needs:   guest kprobe.multi
#@ timeout: 120
"$PROGS/storm" 100000000 4 &
storm=$!
# While the machine stalls, ticks come late or not at all, so the test waits until eight ticks in a row have come one interval apart.
timeout -s TERM 400 $DTRACE -x fbtall -qn 'uint64_t last, begun; int ticks, row;
    fbt::*lock*:entry, fbt::*sched*:entry, fbt::htab_*:entry { @ = count(); } tick-500ms
    {
        ++ticks;
        row = timestamp - last > 250000000 && timestamp - last < 750000000 ? row + 1 : 0;
        last = timestamp;
        begun = begun ? begun : timestamp;
    }
    tick-500ms /row >= 8/ { printf("eight in a row, no more than there is time for: %d\n", (ticks - 2) * 500000000 <= timestamp - begun); exit(0); } END { clear(@); trunc(@); }' 2>/dev/null
echo "status $?"
kill $storm 2>/dev/null
