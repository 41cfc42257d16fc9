#@ what:    tcpaccept.d: a connection by each version of IP, from where it came, and none of another port
#@ needs:   root
for port in 7001 7003; do
    "$DTRACE" -s tcpaccept.d $port -c "$PROGS/talk tcp 46" | awk 'NR > 1 && NF { sub(/^ *[0-9]+ +/, ""); print }' | sed 's/  */ /g'
done
