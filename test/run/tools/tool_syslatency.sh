#@ what:    syslatency.d shows number, failures and times of each system call, and a histogram of one of them
#@ needs:   syscall
"$DTRACE" -s syslatency.d -c "$PROGS/open_files /dev/null /nonexistent /nonexistent" |
    awk '$1 == "openat" { print $1, $2, $3, (0 < $4 && $4 <= $5 && $5 <= $4 * 3), ($6 >= int($5 / 1000) && $6 <= $5 * 3 / 1000) }'
"$DTRACE" -s syslatency.d getppid -c "$PROGS/syscalls getppid 7" | awk '$1 == "getppid" { print $1, $2, $3 } / \|/ { n += $NF } END { print n }'
