#@ what:    for common mistakes of beginners in programs, options and arguments, the hint after the error line gives the correction
#@ needs:   host
unset DTRACE_REPRODUCIBLE
while IFS= read -r program; do
    printf '%s\t' "$program"
    $DTRACE -en "$program" -c true 2>&1 | sed -n 's/^ *= //p' | head -n 1 | grep . || echo
done <<'E'
usdt:./foo:bar { }
BEGIN /execname == bash/ { }
BEGIN { @[execname] = count; }
BEGIN { @ = 1; }
BEGIN { printf("%d", execname); }
BEGIN { if (pid = 1) { } }
pid$1:::entry { }
sys_read:entry { }
io:::start { trace(args[0]->dev_statname); }
BEGIN { print(@); }
BEGIN { printa(@); }
tick 1s { }
BEGIN( trace(1); )
BEGIN { trace("abc); }
mach_trap:::entry { }
objc$target:::entry { }
syscall::read_nocancel:entry { }
plockstat$target:::mutex-block { }
BEGIN { @a[1] = count(); @a["x", 2] = count(); }
BEGIN { @a[1] = count(); @a["x"] = count(); }
struct a { kmutex_t *m; };
inline vfs_t *x = 0;
struct a { nosuch_t m; };
watchpoint:0x1000:8:w { }
BEGIN { trace(signal_name(9)); }
process("bash").function("readline") { }
probe process("/usr/bin/bash").function("readline").return { }
kernel.function("vfs_read@fs/read_write.c") { }
module("ext4").function("ext4_sync_file").return { }
process("/bin/bash").mark("begin") { }
timer.ms(100) { }
E
says() { "$@" 2>&1 | sed 's/^dtrace: //' | grep -v '^ *ID '; echo "status ${PIPESTATUS[0]}"; }
says $DTRACE -l openat
says $DTRACE help
says $DTRACE -n syscall::read:entry '{ trace(1); }'
says $DTRACE -c ls
says $DTRACE -p bash -n BEGIN
says $DTRACE -x followchildren -n BEGIN
says $DTRACE -ln 'syscall::reed*:'
head -c 100000 /dev/zero | tr '\0' x | sed 's/^/#pragma D option /' >"$TMP/long.d"
$DTRACE -es "$TMP/long.d" 2>&1 | wc -c | awk '{ print($1 < 1000 ? "cut" : $1) }'
