// ip: packets that are sent to a device or received for this machine (dtrace-providers(7), ip). Raw arguments: packet,
// socket or 0, IP header, device, IPv4 header or 0, IPv6 header or 0.
#include "probes/stable/network.hpp"

namespace dt::probes::stable {
namespace {

std::vector<Source> whole(const Source& skb, int version, const Source& header)
{
    return {skb,
            socket_of(skb),
            header,
            behind(skb, "sk_buff", "dev"),
            version == 4 ? header : kNone,
            version == 6 ? header : kNone};
}

/// Makes a hook for f(net, sk, skb). The second name is for kernels that inline the first.
Hook sent(std::vector<const char*> names, int version)
{
    return function(std::move(names), whole(parameter(2), version, network_header(parameter(2))));
}

/// Makes a hook for f(skb).
Hook received(const char* name, int version)
{
    return function({name}, whole(parameter(0), version, network_header(parameter(0))));
}

// Makes a hook at a device's queue, for kernels without function probes.
Hook queued_packet(int version)
{
    return raw("net_dev_queue", whole(word(0), version, network_header(word(0))), is_packet_of(word(0), version));
}

/// Makes a hook for a packet whose headers have not been parsed yet: the first one is at the beginning of the data.
Hook arrived(int version)
{
    return raw("netif_receive_skb", whole(word(0), version, behind(word(0), "sk_buff", "data")),
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

} // namespace dt::probes::stable
