#@ what:    a -x pin name has one tracer at a time, and a tracer with another program discards the pinned counts and starts from zero
#@ needs:   syscall
. ./pinned.bash
name=names$$
$DTRACE -x pin=$name -qn 'BEGIN { printf("begun\n"); } tick-1h { }' >"$TMP/out" 2>"$TMP/err" & tracer=$!
until_says "$TMP/out" begun
$DTRACE -x pin=$name -qn 'BEGIN { exit(0); }' 2>&1 | sed "s/$name/NAME/"
killed $tracer
ls /sys/fs/bpf/dtrace | sed "s/$name/NAME/"
$DTRACE -x pin=$name -qn 'BEGIN { printf("another\n"); exit(0); }' 2>&1 | sed "s/$name/NAME/; s/started [0-9]* s/started N s/"
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
sleep 1000 & sleeper=$!
for text in 'BEGIN { @ = count(); clear(@); }' 'BEGIN { self->s = speculation(); speculate(self->s); }' 'BEGIN { ustack(); }' "pid$sleeper:libc.so.6:nanosleep:entry"; do
    $DTRACE -x pin=$name -qn "$text" 2>&1 | head -1
done
kill $sleeper
$DTRACE -x pin=$name -x maxcost=1% -qn BEGIN 2>&1
$DTRACE -x pin=$name -qn BEGIN -c true 2>&1
$DTRACE -x pin=a.b -qn BEGIN 2>&1
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
umount /sys/fs/bpf 2>/dev/null
exit 0
