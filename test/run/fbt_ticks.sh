#@ what:    where programs run most of the time on a CPU the kernel skips ticks, and tells nobody: they come all the same, each once
#@ needs:   guest kprobe.multi
#@ timeout: 120
"$PROGS/storm" 100000000 4 &
storm=$!
timeout -s TERM 60 $DTRACE -x fbtall -qn 'fbt::*lock*:entry, fbt::*sched*:entry, fbt::htab_*:entry { @ = count(); } tick-500ms { ++ticks; }
    tick-5s { printf("halves of a second: %d\n", ticks >= 9 && ticks <= 11 ? 10 : ticks); exit(0); } END { clear(@); trunc(@); }' 2>/dev/null
echo "status $?"
kill $storm 2>/dev/null
