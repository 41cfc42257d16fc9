#@ what:    tcpconnect.d shows established and refused outgoing connections over IPv4 and IPv6
#@ needs:   root
"$DTRACE" -s tcpconnect.d 7001 -c "$PROGS/talk tcp 46" | awk '$2 == "talk" { print $2, $3, $4, ($5 > 0), $6 } /^[0-9]+ [a-z]+$/'
"$DTRACE" -s tcpconnect.d -c "$PROGS/talk refused 46" | awk '$2 == "talk" { print $2, $3, $4, $6 } /^[0-9]+ [a-z]+$/'
"$DTRACE" -s tcpconnect.d 7004 -c "$PROGS/talk tcp 46" | grep -v OUTCOME | grep .
exit 0
