#@ what:    ip:::send and ip:::receive give length, offset and more-fragments flag of each fragment of a datagram
#@ needs:   root
"$DTRACE" -qn 'ip:::receive /args[4]->ipv4_ttl == 61/
{
	printf("v4 %d %d, %d %d\n", args[4]->ipv4_length, args[2]->ip_plength, args[4]->ipv4_flags, args[4]->ipv4_offset);
}
ip:::receive /args[5]->ipv6_hlim == 61/ { printf("v6 %d %d, %d %s\n", args[5]->ipv6_plen, args[2]->ip_plength, args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr); }' \
    -c "$PROGS/talk fragments 46" | grep .
