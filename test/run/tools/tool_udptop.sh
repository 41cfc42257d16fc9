#@ what:    udptop.d counts datagrams and bytes for each IPv4 and IPv6 destination
#@ needs:   root
"$DTRACE" -s udptop.d -c "$PROGS/talk udp 46" | awk '$2 == "talk" { print $2, $3, $4, $5 }' | sort
