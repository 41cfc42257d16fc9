#@ what:    opensnoop.d shows successful and failed opens, optionally only those of one program
#@ needs:   syscall
"$DTRACE" -s opensnoop.d -c "$PROGS/open_files /dev/null /nonexistent" | awk '$2 == "open_files" { print $2, ($3 > 2), $4, $6 } /calls/'
"$DTRACE" -s opensnoop.d other -c "$PROGS/open_files /dev/null" | awk '/null/ { n++ } END { print n + 0 }'
