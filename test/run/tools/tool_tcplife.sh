#@ what:    tcplife.d shows both ends of a closed connection, with bytes sent, bytes received and duration
#@ needs:   root
"$DTRACE" -s tcplife.d 7001 -c "$PROGS/talk tcp 46" | awk '$2 == "talk" { print $2, $3, $4, $5, $6 } /ended/' | sort
"$DTRACE" -s tcplife.d 7001 -c "$PROGS/talk lossy 4" | awk '$2 == "talk" { print $3, $5, $6, ($7 >= 100) }' | sort
