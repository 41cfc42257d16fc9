#@ what:    tcpstates.d: what becomes of the end that is asked and closes last, with times from the second state on
#@ needs:   root
"$DTRACE" -s tcpstates.d 7001 -c "$PROGS/talk tcp 4" | awk '$1 == "127.0.0.1:7001" { print ($3 == "-" ? "-" : $3 >= 0), $4, $6 }'
