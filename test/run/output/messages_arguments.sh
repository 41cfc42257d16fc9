#@ what:    a name given for $1 is no text: $$1 is; a system call that programs hardly make is accepted, and -v says which they make
#@ needs:   host
unset DTRACE_REPRODUCIBLE
echo 'BEGIN { trace($1); }' >"$TMP/script.d"
$DTRACE -es "$TMP/script.d" bash 2>&1 | sed -n 's/^ *= //p'
$DTRACE -evn syscall::open:entry 2>&1 | sed -n 's/^ *= //p'
$DTRACE -evn syscall::stat:entry 2>&1 | sed -n 's/^ *= //p'
$DTRACE -en syscall::open:entry 2>&1
$DTRACE -evn 'syscall::open*:entry' 2>&1 | sed -n 's/^ *= //p'
