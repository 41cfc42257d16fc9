#@ what:    udptop.d counts datagrams and bytes by destination for IPv4 and IPv6
#@ needs:   root
"$DTRACE" -s udptop.d -c "$PROGS/talk udp 46" | awk '$2 == "talk" { print $2, $3, $4, $5 }' | sort
