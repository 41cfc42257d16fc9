#@ what:    tcp:::send and tcp:::receive of the same segment have equal headers, addresses, lengths and sequence numbers
#@ needs:   kprobe
cat >"$TMP/segments.d" <<'END'
tcp:::send,tcp:::receive /args[4]->tcp_sport == 7001 || args[4]->tcp_sport == 7002/
{
    @bytes[probename, args[2]->ip_ver, args[4]->tcp_sport] = sum(args[2]->ip_plength - args[4]->tcp_offset);
    @opened[probename, args[2]->ip_ver, args[4]->tcp_sport] = sum((args[4]->tcp_flags & TH_SYN) != 0);
    @closed[probename, args[2]->ip_ver, args[4]->tcp_sport] = sum((args[4]->tcp_flags & TH_FIN) != 0);
    @each[args[2]->ip_ver] = sum(probename == "send" ? 1 : -1);
    @wrong = sum(args[2]->ip_saddr != (args[2]->ip_ver == 4 ? "127.0.0.1" : "::1") || args[2]->ip_daddr != args[2]->ip_saddr ||
        args[4]->tcp_sport + args[4]->tcp_dport != 7001 + 7002);
    @strange = sum(args[0]->pkt_addr != arg0 || args[1]->cs_addr != arg1 || args[1]->cs_cid != 0 || args[4]->tcp_hdr != arg4 ||
        args[4]->tcp_urgent != 0 || args[4]->tcp_checksum == 0 || args[3]->tcps_local != (args[3]->tcps_state != TCP_STATE_LISTEN));
}
tcp:::send /args[4]->tcp_sport == 7001 || args[4]->tcp_sport == 7002/
{
    @ours = sum(args[3]->tcps_lport != args[4]->tcp_sport || args[3]->tcps_rport != args[4]->tcp_dport ||
        args[3]->tcps_laddr != args[2]->ip_saddr || args[3]->tcps_raddr != args[2]->ip_daddr);
}
tcp:::receive /args[4]->tcp_sport == 7001 || args[4]->tcp_sport == 7002/
{
    @theirs = sum(args[3]->tcps_lport != args[4]->tcp_dport || args[3]->tcps_rport != args[4]->tcp_sport ||
        args[3]->tcps_laddr != args[2]->ip_daddr || args[3]->tcps_raddr != args[2]->ip_saddr);
}
END { printa("%s %d %d: %@d bytes, %@d, %@d\n", @bytes, @opened, @closed); printa("IP %d: %@d more sent\n", @each); printa("%@d %@d %@d %@d wrong\n", @wrong, @strange, @ours, @theirs); }
END
"$DTRACE" -qs "$TMP/segments.d" -x aggsortkey -c "$PROGS/talk tcp 46" | grep .
