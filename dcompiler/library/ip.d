/* defines: void_ip_t ifinfo_t ifinfo ipv4info_t ipv4info ipv6info_t ipv6info */
/* IP packets and their devices (dtrace-providers(7), TYPES). Packets too large for the header's length field have 0 there; sk_buff has the length. */
typedef struct void_ip {
	uint8_t ip_first; /* version and, for IPv4, header length in words */
} void_ip_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator ipinfo_t < void_ip_t *I > {
	ip_ver = _ip_version[(uintptr_t)I];
	ip_plength = I == NULL ? 0 : I->ip_first >> 4 == 4 ?
	    (((struct iphdr *)I)->tot_len != 0 ? ntohs(((struct iphdr *)I)->tot_len) : _length_from[(uintptr_t)I]) - ((I->ip_first & 0xf) << 2) :
	    ((struct ipv6hdr *)I)->payload_len != 0 ? ntohs(((struct ipv6hdr *)I)->payload_len) :
	    _length_from[(uintptr_t)I] - sizeof(struct ipv6hdr);
	ip_saddr = _address[_ip_source[(uintptr_t)I], _ip_version[(uintptr_t)I]];
	ip_daddr = _address[_ip_destination[(uintptr_t)I], _ip_version[(uintptr_t)I]];
};

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<unknown>" : stringof(D->name);
	if_local = D == NULL;
	if_ipstack = D == NULL ? 0 : (uint64_t)D->nd_net.net;
	if_addr = (uintptr_t)D;
};

inline string _ip_protocol[int number] =
    number == IPPROTO_TCP ? "TCP" : number == IPPROTO_UDP ? "UDP" : number == IPPROTO_IP ? "IP" : number == IPPROTO_ICMP ? "ICMP" :
    number == IPPROTO_IGMP ? "IGMP" : number == IPPROTO_EGP ? "EGP" : number == IPPROTO_IPV6 ? "IPv6" : number == IPPROTO_ROUTING ? "ROUTE" :
    number == IPPROTO_ESP ? "ESP" : number == IPPROTO_AH ? "AH" : number == IPPROTO_ICMPV6 ? "ICMPv6" : number == IPPROTO_OSPF ? "OSPF" :
    number == IPPROTO_SCTP ? "SCTP" : number == IPPROTO_RAW ? "RAW" : lltostr(number);

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = I == NULL ? 0 : *(uint8_t *)I >> 4;
	ipv4_ihl = I == NULL ? 0 : (*(uint8_t *)I & 0xf) << 2;
	ipv4_tos = I == NULL ? 0 : I->tos;
	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);
	ipv4_ident = I == NULL ? 0 : ntohs(I->id);
	ipv4_flags = I == NULL ? 0 : ntohs(I->frag_off) >> 12;
	ipv4_offset = I == NULL ? 0 : ntohs(I->frag_off) & 0x0fff;
	ipv4_ttl = I == NULL ? 0 : I->ttl;
	ipv4_protocol = I == NULL ? 0 : I->protocol;
	ipv4_protostr = I == NULL ? "<null>" : _ip_protocol[I->protocol];
	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);
	ipv4_src = I == NULL ? 0 : I->saddr;
	ipv4_dst = I == NULL ? 0 : I->daddr;
	ipv4_saddr = I == NULL ? "<null>" : inet_ntoa(&I->saddr);
	ipv4_daddr = I == NULL ? "<null>" : inet_ntoa(&I->daddr);
	ipv4_hdr = I;
};

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

#pragma D attributes Evolving/Evolving/ISA translator
translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = I == NULL ? 0 : *(uint8_t *)I >> 4;
	ipv6_tclass = I == NULL ? 0 : (ntohl(*(uint32_t *)I) & 0x0fffffff) >> 20;
	ipv6_flow = I == NULL ? 0 : ntohl(*(uint32_t *)I) & 0x000fffff;
	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);
	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;
	ipv6_nextstr = I == NULL ? "<null>" : _ip_protocol[I->nexthdr];
	ipv6_hlim = I == NULL ? 0 : I->hop_limit;
	ipv6_src = I == NULL ? NULL : &I->saddr;
	ipv6_dst = I == NULL ? NULL : &I->daddr;
	ipv6_saddr = I == NULL ? "<null>" : inet_ntoa6(&I->saddr);
	ipv6_daddr = I == NULL ? "<null>" : inet_ntoa6(&I->daddr);
	ipv6_hdr = I;
};
