#@ what:    ip:::send and ip:::receive fire for each IPv4 packet, with all header fields and the network device
#@ needs:   root
"$DTRACE" -qn 'ip:::send,ip:::receive /args[4]->ipv4_ttl == 61/
{
    printf("%s v%d %s %s %d; %s %d %d\n", probename, args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr, args[2]->ip_plength, args[3]->if_name, args[3]->if_local,
        args[0]->pkt_addr == arg0 && args[1]->cs_addr == arg1 && args[3]->if_addr == arg3 && args[3]->if_ipstack != 0);
    printf("    %d %d %x %d %d %d %d %s %s %s %d %s\n", args[4]->ipv4_ver, args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length, args[4]->ipv4_flags,
        args[4]->ipv4_offset, args[4]->ipv4_protocol, args[4]->ipv4_protostr, args[4]->ipv4_saddr, args[4]->ipv4_daddr, args[5]->ipv6_ver, args[5]->ipv6_saddr);
    this->sum = 0x4500 + args[4]->ipv4_tos + args[4]->ipv4_length + args[4]->ipv4_ident + (args[4]->ipv4_flags << 12) + (args[4]->ipv4_ttl << 8) +
        args[4]->ipv4_protocol + args[4]->ipv4_checksum + 2 * (0x7f00 + 0x0001);
    printf("    %x %d\n", (this->sum & 0xffff) + (this->sum >> 16), args[4]->ipv4_src == args[4]->ipv4_dst && ntohl(args[4]->ipv4_src) == 0x7f000001 &&
        args[4]->ipv4_hdr == (struct iphdr *)arg4 && arg4 == arg2 && arg5 == 0);
}' -c "$PROGS/talk udp 4" | grep .
