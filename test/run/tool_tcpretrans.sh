#@ what:    tcpretrans.d: a byte that was lost is sent again; what arrives at once is not
#@ needs:   root
"$DTRACE" -s tcpretrans.d 7001 -c "$PROGS/talk lossy 4" | awk '$2 == "127.0.0.1:7002" { print $2, $3, $4, ($5 > 0), $6 }' | uniq
"$DTRACE" -s tcpretrans.d 7001 -c "$PROGS/talk tcp 4" | awk '$2 == "127.0.0.1:7002"'
