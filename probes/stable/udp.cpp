// udp: datagrams (dtrace-providers(7), udp). Raw arguments: packet, socket, IP header, struct udp_sock, UDP header,
// direction.
#include "probes/stable/network.hpp"

namespace dt::probes::stable {
namespace {

constexpr int64_t kUdp = IPPROTO_UDP;

std::vector<Source> datagram(const Source& skb, const Source& sk, int64_t direction)
{
    return {skb, sk, network_header(skb), sk, transport_header(skb), constant(direction)};
}

/// Makes a hook for ip_send_skb(net, skb) or ip6_send_skb(skb): a socket's complete datagram.
Hook sent(const char* name, const Source& skb)
{
    return function({name}, datagram(skb, socket_of(skb), kOutbound), {is_of(socket_of(skb), kUdp)});
}

/// Makes a hook for f(sk, skb) with a datagram for a socket; multicast has several calls. In kernels that inline the
/// first function the second one is used.
Hook received(const char* name, const char* one)
{
    return function({name, one}, datagram(parameter(1), parameter(0), kInbound), {is_of(parameter(0), kUdp)});
}

/// Makes a hook at a device's queue for a datagram or its first fragment, for kernels without function probes.
Hook queued_datagram(int version)
{
    const Source skb = word(0);
    std::vector<When> when = is_packet_of(skb, version, kUdp);
    if (version == 4)
        when.push_back({bits(bytes(network_header(skb), 6, 2), htons(0x1fff)), Relation::Equal, {0}});
    when.push_back(is_local(skb));
    return raw("net_dev_queue", datagram(skb, socket_of(skb), kOutbound), std::move(when));
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
         {queued_datagram(4), queued_datagram(6)}},
        {"receive",
         {received("udp_queue_rcv_skb", "udp_queue_rcv_one_skb"),
          received("udpv6_queue_rcv_skb", "udpv6_queue_rcv_one_skb")},
         signature},
    };
    return kRows;
}

} // namespace dt::probes::stable
