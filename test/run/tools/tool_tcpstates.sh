#@ what:    tcpstates.d shows the states of a connection's accepting end, with the time in each state
#@ needs:   root
"$DTRACE" -s tcpstates.d 7001 -c "$PROGS/talk tcp 4" | awk '$1 == "127.0.0.1:7001" { print ($3 == "-" ? "-" : $3 >= 0), $4, $6 }'
