/* defines: in6_addr_t netstackid_t pktinfo_t pktinfo csinfo_t csinfo ipinfo_t ipinfo conninfo_t conninfo inet_endpoint _address _ip_version _ip_source _ip_destination _length_from */
/* What the network providers have in common (dtrace-providers(7), TYPES): a packet, a connection, and what IP says of the packet. */
typedef struct in6_addr in6_addr_t; /* the name that goes with ipaddr_t */
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
	pid_t cs_pid; /* Linux does not keep it */
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

/* Of programs with probes of their own. */
typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

/* Of the IP header there: its version, and where its addresses are; 0 where there is none. */
inline int _ip_version[uintptr_t header] = header == 0 ? 0 : *(uint8_t *)header >> 4;
inline uintptr_t _ip_source[uintptr_t header] = header == 0 ? 0 :
    _ip_version[header] == 4 ? header + offsetof(struct iphdr, saddr) : header + offsetof(struct ipv6hdr, saddr);
inline uintptr_t _ip_destination[uintptr_t header] = header == 0 ? 0 :
    _ip_version[header] == 4 ? header + offsetof(struct iphdr, daddr) : header + offsetof(struct ipv6hdr, daddr);

/* The text of an address of a version of IP, by where it is; 0: nobody knows. */
inline string _address[uintptr_t at, int version] = at == 0 ? "<unknown>" : version == 4 ? inet_ntoa((ipaddr_t *)at) : inet_ntoa6((in6_addr_t *)at);

/* How much of the packet there is from this place in it on: its length counts from where its data begin at that moment, which is any of its headers. */
inline uint32_t _length_from[uintptr_t header] = ((struct sk_buff *)arg0)->len + (uintptr_t)((struct sk_buff *)arg0)->data - header;

/* An address with its port as RFC 3986 writes them: an IPv6 address stands in brackets. */
inline string inet_endpoint[string address, uint16_t port] =
    strjoin(index(address, ":") < 0 ? address : strjoin("[", strjoin(address, "]")), strjoin(":", lltostr(port)));
