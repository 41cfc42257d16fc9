#@ what:    tcp and ip probes give the exact length of segments that are too long for the length field of the IP header
#@ needs:   root
cat >"$TMP/bulk.d" <<'END'
ip:::send, ip:::receive, tcp:::send
{
    this->version = args[2]->ip_ver;
    this->between = probeprov == "tcp" || this->version == 4 || ((uint8_t *)arg2)[6] != 0 ? 0 : 8; /* the IPv6 header with the jumbo length */
    this->tcp = probeprov == "tcp" ? arg4 : arg2 + (this->version == 4 ? 20 : 40) + this->between;
    this->sport = ntohs(((struct tcphdr *)this->tcp)->source);
    this->seq = ntohl(((struct tcphdr *)this->tcp)->seq);
    this->flags = ((uint8_t *)this->tcp)[13];
    this->length = (int64_t)args[2]->ip_plength - this->between - ((((uint8_t *)this->tcp)[12] & 0xf0) >> 2);
}
ip:::send, ip:::receive, tcp:::send /this->sport == 7002 && this->flags & TH_SYN/
{
    first[probeprov, probename, this->version] = next[probeprov, probename, this->version] = this->seq + 1;
}
ip:::send, ip:::receive, tcp:::send /this->sport == 7002 && !(this->flags & TH_SYN) && this->seq == next[probeprov, probename, this->version]/
{
    next[probeprov, probename, this->version] = this->seq + this->length;
}
ip:::send, ip:::receive, tcp:::send /this->sport == 7002 && this->flags & TH_FIN/
{
    @[probeprov, probename, this->version] = max((uint32_t)(next[probeprov, probename, this->version] - first[probeprov, probename, this->version]));
}
END { printa("%s %s %d: %@d bytes\n", @); }
END
# The program is pinned to one CPU, because segments sent from two CPUs may arrive in another order.
cpu=$(awk '/^Cpus_allowed_list:/ { split($2, first, /[-,]/); print first[1] }' /proc/self/status)
"$DTRACE" -qs "$TMP/bulk.d" -x aggsortkey -c "taskset -c $cpu $PROGS/talk bulk 46" | grep .
