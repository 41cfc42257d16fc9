#@ what:    ip:::send and ip:::receive fire for each IPv6 packet, with all header fields and the network device
#@ needs:   root
"$DTRACE" -qn 'ip:::send,ip:::receive /args[5]->ipv6_hlim == 61/
{
    printf("%s v%d %s %s %d; %s %d %d\n", probename, args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr, args[2]->ip_plength, args[3]->if_name, args[3]->if_local,
        args[0]->pkt_addr == arg0 && args[1]->cs_addr == arg1 && args[3]->if_addr == arg3 && args[3]->if_ipstack != 0);
    printf("    %d %x %d %d %d %s %s %s %d %s\n", args[5]->ipv6_ver, args[5]->ipv6_tclass, args[5]->ipv6_flow, args[5]->ipv6_plen, args[5]->ipv6_nexthdr,
        args[5]->ipv6_nextstr, args[5]->ipv6_saddr, args[5]->ipv6_daddr, args[4]->ipv4_ver, args[4]->ipv4_protostr);
    printf("    %s %s %d\n", inet_ntoa6(args[5]->ipv6_src), inet_ntoa6(args[5]->ipv6_dst), args[5]->ipv6_hdr == (struct ipv6hdr *)arg5 && arg5 == arg2 && arg4 == 0);
}' -c "$PROGS/talk udp 6" | grep .
