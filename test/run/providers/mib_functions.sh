#@ what:    mib probes that use kernel functions count the same as /proc/net/snmp
#@ needs:   kprobe python3
PROBES='mib:::tcpActiveOpens, mib:::tcpInSegs, mib:::udpInDatagrams, mib:::icmpInMsgs, mib:::icmpInEchos, mib:::icmpInEchoReps, mib:::icmpInDestUnreachs,
mib:::icmpOutMsgs, mib:::icmpOutEchos, mib:::icmpOutEchoReps, mib:::icmpOutDestUnreachs'
$DTRACE -qn "$PROBES"' { @[((struct net *)arg1)->ns.inum, probename] = sum(arg0); } END { printa("%d %s %@d\n", @); }' \
    -o $TMP/traced -c "unshare -n sh -c 'exec python3 $(dirname $0)/mib_traffic.py >$TMP/counted'"
awk 'NR == FNR { counted[$1] = $2; next } $1 == counted["net"] { print $2, $3 == counted[$2] ? "agrees" : $3 " of " counted[$2] }' $TMP/counted $TMP/traced | sort
