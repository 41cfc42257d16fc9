// Locations of data in packets and sockets, which the tables of the providers tcp, udp and ip use. Members of
// structures are those of the kernel's struct sk_buff and struct sock; offsets in headers are from RFC 791, 8200, 9293
// and 768.
#pragma once

#include <arpa/inet.h>

#include "probes/stable/stable.hpp"

namespace dt::probes::stable {

inline const Source kNone{};

/// Values for the direction of a packet, which the translators of ipinfo_t and similar types read.
constexpr int64_t kOutbound = 0, kInbound = 1;

/// Returns the address of the network header. This address is valid only after the network stack has written or parsed
/// the header.
inline Source network_header(const Source& skb)
{
    return sum(field_of(skb, "sk_buff", "head"), field_of(skb, "sk_buff", "network_header"));
}
inline Source transport_header(const Source& skb)
{
    return sum(field_of(skb, "sk_buff", "head"), field_of(skb, "sk_buff", "transport_header"));
}
inline Source socket_of(const Source& skb)
{
    return field_of(skb, "sk_buff", "sk");
}
inline Source state_of(const Source& sock)
{
    return field_of(sock, "sock", "__sk_common.skc_state");
}

inline Filter is_of(const Source& sock, int64_t protocol)
{
    return {field_of(sock, "sock", "sk_protocol"), Relation::Equal, {protocol}};
}

/// Returns the protocol in the IP header. If an IPv6 packet is too long for the header's length field, an additional
/// header with hop-by-hop options contains its length and its protocol.
inline Source carried_by(const Source& header, int version)
{
    if (version == 4)
        return bytes(header, 9, 1);
    const Source next = bytes(header, 6, 1);
    return choice(next, 0, bytes(header, 40, 1), next);
}

/// Returns conditions for a packet at a device's queue: IP version 4 or 6, and the protocol.
inline std::vector<Filter> is_packet_of(const Source& skb, int version, std::optional<int64_t> protocol = {})
{
    std::vector<Filter> filters = {
        {field_of(skb, "sk_buff", "protocol"), Relation::Equal, {htons(version == 4 ? 0x0800 : 0x86dd)}}};
    if (protocol)
        filters.push_back({carried_by(network_header(skb), version), Relation::Equal, {*protocol}});
    return filters;
}

/// Returns a condition for packets that this machine has created and does not merely forward.
inline Filter is_local(const Source& skb)
{
    return {field_of(skb, "sk_buff", "skb_iif"), Relation::Equal, {0}};
}

inline ProbeArgument packet()
{
    return {"struct sk_buff *", "pktinfo_t *", 0};
}
inline ProbeArgument connection()
{
    return {"struct sock *", "csinfo_t *", 1};
}
inline ProbeArgument nothing(uint8_t raw)
{
    return {"void", {}, raw};
}

} // namespace dt::probes::stable
