// Where packets and their sockets have what the rows of tcp, udp and ip look at. Members are the kernel's (struct
// sk_buff, struct sock), offsets in headers those of RFC 791, 8200, 9293 and 768.
#pragma once

#include <arpa/inet.h>

#include "probes/stable/stable.hpp"

namespace dt::probes::stable {

inline const Source kNone{};

constexpr int64_t kOutbound = 0,
                  kInbound = 1; ///< directions of a packet, as the translators of ipinfo_t and their like know them

/// The headers of a packet that the stack has put together, or taken apart, as far as the layer it is in.
inline Source network_header(const Source& skb)
{
    return sum(behind(skb, "sk_buff", "head"), behind(skb, "sk_buff", "network_header"));
}
inline Source transport_header(const Source& skb)
{
    return sum(behind(skb, "sk_buff", "head"), behind(skb, "sk_buff", "transport_header"));
}
inline Source socket_of(const Source& skb)
{
    return behind(skb, "sk_buff", "sk");
}
inline Source state_of(const Source& sock)
{
    return behind(sock, "sock", "__sk_common.skc_state");
}

inline When is_of(const Source& sock, int64_t protocol)
{
    return {behind(sock, "sock", "sk_protocol"), Relation::Equal, {protocol}};
}

/// What the header says that it carries; a segment larger than version 6's header can tell has its length in a header
/// of options in between.
inline Source carried_by(const Source& header, int version)
{
    if (version == 4)
        return bytes(header, 9, 1);
    const Source next = bytes(header, 6, 1);
    return choice(next, 0, bytes(header, 40, 1), next);
}

/// At a device's queue: a packet of IP version 4 or 6 that carries the protocol.
inline std::vector<When> is_packet_of(const Source& skb, int version, std::optional<int64_t> protocol = {})
{
    std::vector<When> when = {
        {behind(skb, "sk_buff", "protocol"), Relation::Equal, {htons(version == 4 ? 0x0800 : 0x86dd)}}};
    if (protocol)
        when.push_back({carried_by(network_header(skb), version), Relation::Equal, {*protocol}});
    return when;
}

/// Made here, not forwarded.
inline When is_local(const Source& skb)
{
    return {behind(skb, "sk_buff", "skb_iif"), Relation::Equal, {0}};
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
