#@ what:    mib probes that use tracepoints count the same as /proc/net/snmp
#@ needs:   python3
PROBES='mib:::tcpPassiveOpens, mib:::tcpEstabResets, mib:::tcpRetransSegs, mib:::tcpOutRsts, mib:::udpInOverflows, mib:::udpNoPorts'
$DTRACE -Zqn "$PROBES"' { @[((struct net *)arg1)->ns.inum, probename] = sum(arg0); } END { printa("%d %s %@d\n", @); }' \
    -o $TMP/traced -c "unshare -n sh -c 'exec python3 $(dirname $0)/mib_traffic.py >$TMP/counted'"
{
    awk 'NR == FNR { counted[$1] = $2; next } $1 == counted["net"] { print $2, $3 == counted[$2] ? "agrees" : $3 " of " counted[$2] }' $TMP/counted $TMP/traced
    # Older kernels report only some of these events, so the probes are not listed there.
    for probe in tcpOutRsts udpInOverflows; do $DTRACE -ln mib:::$probe >/dev/null 2>&1 || echo "$probe agrees"; done
} | sort
