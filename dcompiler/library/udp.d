/* defines: udpinfo_t udpinfo udpsinfo_t udpsinfo udp_ip_t */
/* UDP datagrams (dtrace-providers(7), TYPES). arg2 is the IP header, arg4 the UDP header, arg5 the direction. The IP header of a packet being
 * sent does not contain its length yet. On a kernel that is locked down, arg6, the IP version, is not 0 if the headers are not readable; then arg7 to
 * arg9 point to the addresses and ports. */
typedef struct udp_ip {
	uint8_t udp_ip_first; /* first byte of an IP header: version and, for IPv4, header length in words */
} udp_ip_t;

?kernel.locked	inline int _udp_version = arg6 != 0 ? arg6 : _ip_version[arg2];
?kernel.locked	inline uintptr_t _udp_source = arg6 != 0 ? arg7 : _ip_source[arg2];
?kernel.locked	inline uintptr_t _udp_destination = arg6 != 0 ? arg8 : _ip_destination[arg2];
?kernel.locked	inline uint16_t _udp_routed_from = arg6 != 0 ? ntohs(((uint16_t *)arg9)[1]) : 0;
?kernel.locked	inline uint16_t _udp_routed_to = arg6 != 0 ? ntohs(*(uint16_t *)arg9) : 0;
?kernel.locked	inline uint16_t _udp_routed_length = arg6 == 0 ? 0 :
?kernel.locked	    _length_from[(uintptr_t)((struct sk_buff *)arg0)->head + ((struct sk_buff *)arg0)->transport_header];
!kernel.locked	inline int _udp_version = _ip_version[arg2];
!kernel.locked	inline uintptr_t _udp_source = _ip_source[arg2];
!kernel.locked	inline uintptr_t _udp_destination = _ip_destination[arg2];
!kernel.locked	inline uint16_t _udp_routed_from = 0;
!kernel.locked	inline uint16_t _udp_routed_to = 0;
!kernel.locked	inline uint16_t _udp_routed_length = 0;
inline uint16_t _udp_from = arg4 == 0 ? _udp_routed_from : ntohs(((struct udphdr *)arg4)->source);
inline uint16_t _udp_to = arg4 == 0 ? _udp_routed_to : ntohs(((struct udphdr *)arg4)->dest);

#pragma D attributes Evolving/Evolving/ISA translator
translator ipinfo_t < udp_ip_t *I > {
	ip_ver = _udp_version;
	ip_plength = arg4 == 0 ? _udp_routed_length : ntohs(((struct udphdr *)arg4)->len);
	ip_saddr = _address[_udp_source, _udp_version];
	ip_daddr = _address[_udp_destination, _udp_version];
};

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? _udp_routed_from : ntohs(U->source);
	udp_dport = U == NULL ? _udp_routed_to : ntohs(U->dest);
	udp_length = U == NULL ? _udp_routed_length : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator udpsinfo_t < struct udp_sock *S > {
	udps_addr = (uintptr_t)S;
	udps_lport = arg5 == NET_PROBE_OUTBOUND ? _udp_from : _udp_to;
	udps_rport = arg5 == NET_PROBE_OUTBOUND ? _udp_to : _udp_from;
	udps_laddr = arg5 == NET_PROBE_OUTBOUND ? _address[_udp_source, _udp_version] : _address[_udp_destination, _udp_version];
	udps_raddr = arg5 == NET_PROBE_OUTBOUND ? _address[_udp_destination, _udp_version] : _address[_udp_source, _udp_version];
};
