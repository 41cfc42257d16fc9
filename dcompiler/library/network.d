/* defines: in6_addr_t netstackid_t pktinfo_t pktinfo csinfo_t csinfo ipinfo_t ipinfo conninfo_t conninfo inet_endpoint _address _ip_version _ip_source _ip_destination _length_from */
/* Types and helpers of all network providers (dtrace-providers(7), TYPES): a packet, a connection, and the IP data of the packet. */
typedef struct in6_addr in6_addr_t; /* name in the style of ipaddr_t */
typedef uint64_t netstackid_t;

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator pktinfo_t < struct sk_buff *P > {
	pkt_addr = (uintptr_t)P;
};

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid; /* not known on Linux */
} csinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = 0;
	cs_pid = 0;
};

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

/* Connection, for probes of application protocols: USDT probes and those of nfs.d. */
typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

/* Version, and pointers to the addresses, of the IP header at `header`; 0 if there is none. */
inline int _ip_version[uintptr_t header] = header == 0 ? 0 : *(uint8_t *)header >> 4;
inline uintptr_t _ip_source[uintptr_t header] = header == 0 ? 0 :
    _ip_version[header] == 4 ? header + offsetof(struct iphdr, saddr) : header + offsetof(struct ipv6hdr, saddr);
inline uintptr_t _ip_destination[uintptr_t header] = header == 0 ? 0 :
    _ip_version[header] == 4 ? header + offsetof(struct iphdr, daddr) : header + offsetof(struct ipv6hdr, daddr);

/* The address at `at`, of the given IP version, as text; "<unknown>" if `at` is 0. */
inline string _address[uintptr_t at, int version] = at == 0 ? "<unknown>" : version == 4 ? inet_ntoa((ipaddr_t *)at) : inet_ntoa6((in6_addr_t *)at);

/* Length of the packet from `header` on. The length in sk_buff counts from its present data pointer, which may be at any of its headers. */
inline uint32_t _length_from[uintptr_t header] = ((struct sk_buff *)arg0)->len + (uintptr_t)((struct sk_buff *)arg0)->data - header;

/* An address with its port in the notation of RFC 3986: IPv6 addresses are in brackets. */
inline string inet_endpoint[string address, uint16_t port] =
    strjoin(index(address, ":") < 0 ? address : strjoin("[", strjoin(address, "]")), strjoin(":", lltostr(port)));
