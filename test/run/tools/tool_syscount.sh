#@ what:    syscount.d counts the system calls of a program exactly, and can print the counts every second
#@ needs:   syscall
"$DTRACE" -s syscount.d -c "$PROGS/syscalls getppid 7" | awk '
$1 == "syscalls" { all = $2 } $1 == "getppid" { print } /^CALL/ { calls = 1; next } calls { sum += $2 } END { print all == sum }'
"$DTRACE" -s syscount.d 1 -n 'tick-1s /$1/ { exit(0); }' -c '/bin/sleep 1000' | grep -c '^COMMAND' # one report after a second, and one at the end
