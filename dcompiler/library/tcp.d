/* defines: tcpinfo_t tcpinfo tcpsinfo_t tcpsinfo tcplsinfo_t tcplsinfo tcp_ip_t tcp_state_string */
/* TCP segments and connections (dtrace-providers(7), TYPES). The probe tables describe arg0 to arg9. Without an IP header (arg2), arg5 is the
 * IP version, and arg8 and arg9 point to the addresses. */
typedef struct tcp_ip {
	uint8_t tcp_ip_first; /* first byte of an IP header: version and, for IPv4, header length in words */
} tcp_ip_t;

inline int _tcp_version = arg2 == 0 ? arg5 : _ip_version[arg2];
inline uintptr_t _tcp_source = arg2 == 0 ? arg8 : _ip_source[arg2];
inline uintptr_t _tcp_destination = arg2 == 0 ? arg9 : _ip_destination[arg2];

/* Length of the segment including its header. Packets too large for IP's length field have 0 there. */
inline uint32_t _tcp_length = arg0 == 0 ? 0 :
    arg2 == 0 ? ((struct sk_buff *)arg0)->len :
    _tcp_version == 6 ? (((struct ipv6hdr *)arg2)->payload_len == 0 ? _length_from[arg4] : ntohs(((struct ipv6hdr *)arg2)->payload_len)) :
    ((struct iphdr *)arg2)->tot_len == 0 ? _length_from[arg4] :
    ntohs(((struct iphdr *)arg2)->tot_len) - ((((tcp_ip_t *)arg2)->tcp_ip_first & 0xf) << 2);

#pragma D attributes Evolving/Evolving/ISA translator
translator ipinfo_t < tcp_ip_t *I > {
	ip_ver = _tcp_version;
	ip_plength = _tcp_length;
	ip_saddr = _address[_tcp_source, _tcp_version];
	ip_daddr = _address[_tcp_destination, _tcp_version];
};

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	uintptr_t tcp_hdr;
} tcpinfo_t;

/* If a probe fires at a state change instead of a segment, no header exists. Ports, sequence numbers and flags of the segment are then derived
 * from the socket (arg3) and its previous state (arg6). */
inline uint16_t _tcp_local = arg3 == 0 ? 0 : ntohs(((struct inet_sock *)arg3)->inet_sport) != 0 ? ntohs(((struct inet_sock *)arg3)->inet_sport) :
    ((struct sock *)arg3)->__sk_common.skc_num;
inline uint16_t _tcp_remote = arg3 == 0 ? 0 : ntohs(((struct sock *)arg3)->__sk_common.skc_dport);
inline uint32_t _tcp_expected = arg3 == 0 ? 0 : ((struct tcp_sock *)arg3)->rcv_nxt;

#pragma D attributes Evolving/Evolving/ISA translator
translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = T != NULL ? ntohs(T->source) : arg7 == NET_PROBE_OUTBOUND ? _tcp_local : _tcp_remote;
	tcp_dport = T != NULL ? ntohs(T->dest) : arg7 == NET_PROBE_OUTBOUND ? _tcp_remote : _tcp_local;
	tcp_seq = T != NULL ? ntohl(T->seq) : arg6 == TCP_STATE_SYN_SENT && _tcp_expected != 0 ? _tcp_expected - 1 : _tcp_expected;
	tcp_ack = T != NULL ? ntohl(T->ack_seq) : arg3 == 0 ? 0 : ((struct tcp_sock *)arg3)->snd_nxt;
	tcp_offset = T == NULL ? 0 : (((uint8_t *)T)[12] & 0xf0) >> 2;
	tcp_flags = T != NULL ? ((uint8_t *)T)[13] : arg3 == 0 ? 0 : arg6 != TCP_STATE_SYN_SENT ? TH_ACK :
	    ((struct sock *)arg3)->sk_err != 0 ? TH_RST | TH_ACK : TH_SYN | TH_ACK;
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = (uintptr_t)T;
};

typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;
	uint32_t tcps_rtt_sd;
	uint32_t tcps_irs;
} tcpsinfo_t;

/* A listening socket lacks data of the connection being answered, and without a socket all data are missing. They are then read from the packet. */
inline int _tcp_no_packet = arg2 == 0 && arg8 == 0;

#pragma D attributes Evolving/Evolving/ISA translator
translator tcpsinfo_t < struct tcp_sock *T > {
	tcps_addr = (uintptr_t)T;
	tcps_local = T == NULL ? 0 : ((struct sock *)T)->__sk_common.skc_family == AF_INET ?
	    ((struct sock *)T)->__sk_common.skc_rcv_saddr == ((struct sock *)T)->__sk_common.skc_daddr :
	    ((uint64_t *)&((struct sock *)T)->__sk_common.skc_v6_rcv_saddr)[0] == ((uint64_t *)&((struct sock *)T)->__sk_common.skc_v6_daddr)[0] &&
	    ((uint64_t *)&((struct sock *)T)->__sk_common.skc_v6_rcv_saddr)[1] == ((uint64_t *)&((struct sock *)T)->__sk_common.skc_v6_daddr)[1];
	tcps_lport = T != NULL && ((struct inet_sock *)T)->inet_sport != 0 ? ntohs(((struct inet_sock *)T)->inet_sport) :
	    T != NULL && ((struct sock *)T)->__sk_common.skc_num != 0 ? ((struct sock *)T)->__sk_common.skc_num : arg4 == 0 ? 0 :
	    arg7 == NET_PROBE_OUTBOUND ? ntohs(((struct tcphdr *)arg4)->source) : ntohs(((struct tcphdr *)arg4)->dest);
	tcps_rport = T != NULL && ((struct sock *)T)->__sk_common.skc_dport != 0 ? ntohs(((struct sock *)T)->__sk_common.skc_dport) :
	    arg4 == 0 ? 0 : arg7 == NET_PROBE_OUTBOUND ? ntohs(((struct tcphdr *)arg4)->dest) : ntohs(((struct tcphdr *)arg4)->source);
	tcps_laddr = T != NULL && ((struct sock *)T)->__sk_common.skc_family == AF_INET &&
	    (((struct sock *)T)->__sk_common.skc_rcv_saddr != 0 || _tcp_no_packet) ?
	    inet_ntoa(&((struct sock *)T)->__sk_common.skc_rcv_saddr) :
	    T != NULL && ((struct sock *)T)->__sk_common.skc_family == AF_INET6 &&
	    (((uint64_t *)&((struct sock *)T)->__sk_common.skc_v6_rcv_saddr)[1] != 0 || _tcp_no_packet) ?
	    inet_ntoa6(&((struct sock *)T)->__sk_common.skc_v6_rcv_saddr) :
	    arg7 == NET_PROBE_OUTBOUND ? _address[_tcp_source, _tcp_version] : _address[_tcp_destination, _tcp_version];
	tcps_raddr = T != NULL && ((struct sock *)T)->__sk_common.skc_family == AF_INET &&
	    (((struct sock *)T)->__sk_common.skc_daddr != 0 || _tcp_no_packet) ?
	    inet_ntoa(&((struct sock *)T)->__sk_common.skc_daddr) :
	    T != NULL && ((struct sock *)T)->__sk_common.skc_family == AF_INET6 &&
	    (((uint64_t *)&((struct sock *)T)->__sk_common.skc_v6_daddr)[1] != 0 || _tcp_no_packet) ?
	    inet_ntoa6(&((struct sock *)T)->__sk_common.skc_v6_daddr) :
	    arg7 == NET_PROBE_OUTBOUND ? _address[_tcp_destination, _tcp_version] : _address[_tcp_source, _tcp_version];
	tcps_state = arg6;
	tcps_iss = T == NULL ? 0 : T->snd_una - (uint32_t)T->bytes_acked;
	tcps_suna = T == NULL ? 0 : T->snd_una;
	tcps_snxt = T == NULL ? 0 : T->snd_nxt;
	tcps_rnxt = T == NULL ? 0 : T->rcv_nxt;
	tcps_swnd = T == NULL ? 0 : T->snd_wnd;
	tcps_snd_ws = T == NULL ? 0 : T->rx_opt.snd_wscale;
	tcps_rwnd = T == NULL ? 0 : T->rcv_wnd;
	tcps_rcv_ws = T == NULL ? 0 : T->rx_opt.rcv_wscale;
	tcps_cwnd = T == NULL ? 0 : T->snd_cwnd;
	tcps_cwnd_ssthresh = T == NULL ? 0 : T->snd_ssthresh;
	tcps_sack_snxt = T == NULL ? 0 : T->sacked_out == 0 ? T->snd_una : T->highest_sack == NULL ? T->snd_nxt :
	    ((struct tcp_skb_cb *)&T->highest_sack->cb)->seq;
	tcps_rto = T == NULL ? 0 : _jiffies_ms(T->inet_conn.icsk_rto);
	tcps_mss = T == NULL ? 0 : T->mss_cache;
	/* A retransmitted segment is sent, occupies sequence numbers, and begins before the next sequence number to send. */
	tcps_retransmit = T != NULL && arg4 != 0 && arg7 == NET_PROBE_OUTBOUND && arg6 != TCP_STATE_LISTEN &&
	    (((uint8_t *)arg4)[13] & (TH_SYN | TH_FIN) || _tcp_length > (((uint8_t *)arg4)[12] & 0xf0) >> 2) &&
	    (int32_t)(ntohl(((struct tcphdr *)arg4)->seq) - T->snd_nxt) < 0;
	tcps_rtt = T == NULL ? 0 : (T->srtt_us >> 3) / 1000;
	tcps_rtt_sd = T == NULL ? 0 : (T->mdev_us >> 2) / 1000;
	tcps_irs = T == NULL || T->bytes_received == 0 ? 0 : T->rcv_nxt - (uint32_t)T->bytes_received;
};

typedef struct tcplsinfo {
	int tcps_state;
} tcplsinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator tcplsinfo_t < int I > {
	tcps_state = I;
};

inline string tcp_state_string[int32_t state] =
    state == TCP_STATE_CLOSED ? "state-closed" : state == TCP_STATE_IDLE ? "state-idle" : state == TCP_STATE_LISTEN ? "state-listen" :
    state == TCP_STATE_SYN_SENT ? "state-syn-sent" : state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
    state == TCP_STATE_ESTABLISHED ? "state-established" : state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
    state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" : state == TCP_STATE_CLOSING ? "state-closing" :
    state == TCP_STATE_LAST_ACK ? "state-last-ack" : state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
    state == TCP_STATE_TIME_WAIT ? "state-time-wait" : "<unknown>";
