#@ what:    errsnoop.d shows failed system calls with their error; with an argument, it shows only calls that failed with this error
#@ needs:   syscall
"$DTRACE" -s errsnoop.d -c "$PROGS/open_files /nonexistent /nonexistent /dev/null/file /dev/null" | grep openat
"$DTRACE" -s errsnoop.d 20 -c "$PROGS/open_files /nonexistent /nonexistent /dev/null/file /dev/null" | grep -v '^$'
