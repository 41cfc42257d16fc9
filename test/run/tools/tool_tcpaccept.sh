#@ what:    tcpaccept.d shows accepted IPv4 and IPv6 connections with the address of the other end, optionally of one port only
#@ needs:   root
for port in 7001 7003; do
    "$DTRACE" -s tcpaccept.d $port -c "$PROGS/talk tcp 46" | awk 'NR > 1 && NF { sub(/^ *[0-9]+ +/, ""); print }' | sed 's/  */ /g'
done
