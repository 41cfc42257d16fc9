// Tables for the providers about packets: ip, and udp for datagrams. Each row of a table describes one probe
// (stable.hpp).
#include "probes/stable/network.hpp"

namespace dt::probes::stable {
namespace {

// ip: packets that are passed to a device or received for this machine (dtrace-providers(7), ip). arg0 to arg5: packet,
// socket or 0, IP header, device, IPv4 header or 0, IPv6 header or 0.

std::vector<Source> whole(const Source& skb, int version, const Source& header)
{
    return {skb,
            socket_of(skb),
            header,
            field_of(skb, "sk_buff", "dev"),
            version == 4 ? header : kNone,
            version == 6 ? header : kNone};
}

/// Returns a hook for a function with parameters (net, sk, skb), the first one in `names`. Kernels that inline this
/// function have a hook at the second one.
Hook sent(std::vector<const char*> names, int version)
{
    return function(std::move(names), whole(parameter(2), version, network_header(parameter(2))));
}

/// Returns a hook for a function with parameter (skb) that handles a received packet.
Hook received(const char* name, int version)
{
    return function({name}, whole(parameter(0), version, network_header(parameter(0))));
}

// Returns a hook for a packet that arrives at a device's queue, for kernels in which functions cannot be probed.
Hook queued_packet(int version)
{
    return raw("net_dev_queue", whole(word(0), version, network_header(word(0))), is_packet_of(word(0), version));
}

/// Returns a hook for a received packet whose headers have not been parsed yet; its data begin with the IP header.
Hook arrived(int version)
{
    return raw("netif_receive_skb", whole(word(0), version, field_of(word(0), "sk_buff", "data")),
               is_packet_of(word(0), version));
}

} // namespace

const std::vector<Row>& ip_rows()
{
    const std::vector<ProbeArgument> signature = {packet(),
                                                  connection(),
                                                  {"void_ip_t *", "ipinfo_t *", 2},
                                                  {"struct net_device *", "ifinfo_t *", 3},
                                                  {"struct iphdr *", "ipv4info_t *", 4},
                                                  {"struct ipv6hdr *", "ipv6info_t *", 5}};
    static const std::vector<Row> kRows = {
        {"send",
         {sent({"ip_finish_output"}, 4), sent({"ip6_finish_output", "ip6_finish_output2"}, 6)},
         signature,
         {queued_packet(4), queued_packet(6)}},
        {"receive", {received("ip_local_deliver", 4), received("ip6_input", 6)}, signature, {arrived(4), arrived(6)}},
    };
    return kRows;
}

// udp: datagrams (dtrace-providers(7), udp). arg0 to arg5: packet, socket, IP header, struct udp_sock, UDP header,
// direction. If packets are not readable, arg2 and arg4 are 0, and arg6 is the IP version. Then arg7 and arg8 point to
// the source and destination addresses, and arg9 points to the destination port. The source port is behind it.

namespace {

constexpr int64_t kUdp = IPPROTO_UDP;

std::vector<Source> datagram(const Source& skb, const Source& sk, int64_t direction)
{
    return {skb, sk, network_header(skb), sk, transport_header(skb), constant(direction)};
}

/// Returns a hook for ip_send_skb(net, skb) or ip6_send_skb(skb): a socket's complete datagram.
Hook sent(const char* name, const Source& skb)
{
    return function({name}, datagram(skb, socket_of(skb), kOutbound), {is_of(socket_of(skb), kUdp)});
}

/// Returns a hook for udp_send_skb(skb, flow, …) or udp_v6_send_skb(): a socket's complete datagram. The datagram's
/// addresses and ports are in the route.
Hook routed(const char* name, int version)
{
    const bool is_v4 = version == 4;
    const char* const flow = is_v4 ? "flowi4" : "flowi6";
    const Source skb = word(0), route = word(1);
    return direct_call(name, {skb, socket_of(skb), kNone, socket_of(skb), kNone, constant(kOutbound), constant(version),
                              address(route, flow, "saddr"), address(route, flow, "daddr"),
                              address(route, flow, "uli.ports.dport")});
}

/// Returns a hook for a function with parameters (sk, skb) that delivers a datagram to a socket. For a multicast
/// datagram, this function is called once for each socket. In kernels that inline the function `name`, the hook is at
/// the function `one`.
Hook received(const char* name, const char* one)
{
    return function({name, one}, datagram(parameter(1), parameter(0), kInbound), {is_of(parameter(0), kUdp)});
}

/// Returns a hook for a datagram, or its first fragment, that arrives at a device's queue, for kernels in which
/// functions cannot be probed.
Hook queued_datagram(int version)
{
    const Source skb = word(0);
    std::vector<Filter> filters = is_packet_of(skb, version, kUdp);
    if (version == 4)
        filters.push_back({bits(bytes(network_header(skb), 6, 2), htons(0x1fff)), Relation::Equal, {0}});
    filters.push_back(is_local(skb));
    return raw("net_dev_queue", datagram(skb, socket_of(skb), kOutbound), std::move(filters));
}

} // namespace

const std::vector<Row>& udp_rows()
{
    const std::vector<ProbeArgument> signature = {packet(),
                                                  connection(),
                                                  {"udp_ip_t *", "ipinfo_t *", 2},
                                                  {"struct udp_sock *", "udpsinfo_t *", 3},
                                                  {"struct udphdr *", "udpinfo_t *", 4}};
    static const std::vector<Row> kRows = {
        {"send",
         {sent("ip_send_skb", parameter(1)), sent("ip6_send_skb", parameter(0))},
         signature,
         {queued_datagram(4), queued_datagram(6)},
         nullptr,
         {},
         {routed("udp_send_skb", 4), routed("udp_v6_send_skb", 6)}},
        {"receive",
         {received("udp_queue_rcv_skb", "udp_queue_rcv_one_skb"),
          received("udpv6_queue_rcv_skb", "udpv6_queue_rcv_one_skb")},
         signature},
    };
    return kRows;
}

} // namespace dt::probes::stable
