#@ what:    a hint explains that $$1 is the argument as a string, and -v says which call C libraries use instead of open() or stat()
#@ needs:   host
unset DTRACE_REPRODUCIBLE
echo 'BEGIN { trace($1); }' >"$TMP/script.d"
$DTRACE -es "$TMP/script.d" bash 2>&1 | sed -n 's/^ *= //p'
$DTRACE -evn syscall::open:entry 2>&1 | sed -n 's/^ *= //p'
$DTRACE -evn syscall::stat:entry 2>&1 | sed -n 's/^ *= //p'
$DTRACE -en syscall::open:entry 2>&1
$DTRACE -evn 'syscall::open*:entry' 2>&1 | sed -n 's/^ *= //p'
