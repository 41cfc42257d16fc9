#@ what:    udp:::receive fires once for each datagram, with addresses, lengths and checksum
#@ needs:   kprobe
"$DTRACE" -qn 'udp:::receive /args[4]->udp_dport == 7001/
{
    printf("%s v%d %s %s, %d: %s:%d %s:%d; %d %d %d %x\n", probename, args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr, args[2]->ip_plength,
        args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr, args[3]->udps_rport,
        args[4]->udp_sport, args[4]->udp_dport, args[4]->udp_length, args[4]->udp_checksum);
    printf("    %d\n", args[0]->pkt_addr == arg0 && args[1]->cs_addr == arg1 && args[1]->cs_cid == 0 && args[3]->udps_addr == arg1 && args[4]->udp_hdr == (void *)arg4 && arg1 != 0);
}' -c "$PROGS/talk udp 46" | grep .
