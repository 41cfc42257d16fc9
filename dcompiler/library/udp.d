/* defines: udpinfo_t udpinfo udpsinfo_t udpsinfo udp_ip_t */
/* UDP datagrams (dtrace-providers(7), TYPES). arg2 is the IP header, arg4 the UDP header, arg5 the direction. The IP header of a packet being
 * sent does not contain its length yet. */
typedef struct udp_ip {
	uint8_t udp_ip_first; /* first byte of an IP header: version and, for IPv4, header length in words */
} udp_ip_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator ipinfo_t < udp_ip_t *I > {
	ip_ver = _ip_version[arg2];
	ip_plength = arg4 == 0 ? 0 : ntohs(((struct udphdr *)arg4)->len);
	ip_saddr = _address[_ip_source[arg2], _ip_version[arg2]];
	ip_daddr = _address[_ip_destination[arg2], _ip_version[arg2]];
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
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
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
	udps_lport = arg4 == 0 ? 0 : arg5 == NET_PROBE_OUTBOUND ? ntohs(((struct udphdr *)arg4)->source) : ntohs(((struct udphdr *)arg4)->dest);
	udps_rport = arg4 == 0 ? 0 : arg5 == NET_PROBE_OUTBOUND ? ntohs(((struct udphdr *)arg4)->dest) : ntohs(((struct udphdr *)arg4)->source);
	udps_laddr = arg5 == NET_PROBE_OUTBOUND ? _address[_ip_source[arg2], _ip_version[arg2]] : _address[_ip_destination[arg2], _ip_version[arg2]];
	udps_raddr = arg5 == NET_PROBE_OUTBOUND ? _address[_ip_destination[arg2], _ip_version[arg2]] : _address[_ip_source[arg2], _ip_version[arg2]];
};
