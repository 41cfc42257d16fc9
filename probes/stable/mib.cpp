// mib: the counters of /proc/net/snmp (dtrace-providers(7), mib). arg0 is the increment of the counter, arg1 the struct
// net of the network namespace to which the counter belongs. The code that increments a counter is inlined and cannot
// be hooked. So a counter has a probe only if some other hook fires exactly when the counter is incremented.
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

#include "probes/stable/network.hpp"

namespace dt::probes::stable {
namespace {

constexpr int64_t kTcpProtocol = IPPROTO_TCP, kUdpProtocol = IPPROTO_UDP;

Source net_of(const Source& sock)
{
    return field_of(sock, "sock", "__sk_common.skc_net.net");
}
Source net_received(const Source& skb)
{
    return field_of(field_of(skb, "sk_buff", "dev"), "net_device", "nd_net.net");
}
std::vector<Source> one(Source net)
{
    return {constant(1), std::move(net)};
}

/// Returns a hook for inet_sock_set_state(sk, from, to). The kernel's function tcp_set_state() fires this tracepoint
/// and increments the counters. inet_csk_clone_lock() also fires the tracepoint, for the new socket of a connection
/// that a peer has requested.
Hook changed(std::vector<int64_t> from, int64_t to)
{
    return raw("inet_sock_set_state", one(net_of(word(0))),
               {is_of(word(0), kTcpProtocol),
                {word(1, 4), Relation::OneOf, std::move(from)},
                {word(2, 4), Relation::Equal, {to}}});
}

/// Returns a hook for a packet that is dropped without a receiver: kfree_skb(skb, place, reason).
Hook unwanted(int version)
{
    std::vector<Filter> filters = is_packet_of(word(0), version, kUdpProtocol);
    filters.insert(filters.begin(),
                   {word(2, 4), Relation::OneOf, {}, {}, {}, {"skb_drop_reason", "SKB_DROP_REASON_NO_SOCKET"}});
    Hook hook = raw("kfree_skb", one(net_received(word(0))), std::move(filters));
    hook.least_parameters = 3;
    return hook;
}

/// Returns a hook for tcp_send_reset(sk, skb, reason). Older kernels without `reason` do not report resets without a
/// socket.
Hook reset_sent()
{
    Hook hook = raw("tcp_send_reset", one(choice(word(0), 0, net_received(word(1)), net_of(word(0)))));
    hook.least_parameters = 3;
    return hook;
}

/// Returns a hook for udp_fail_queue_rcv_skb(error, sk, skb). In older kernels the tracepoint has no argument `skb`,
/// and IPv6 does not fire it.
Hook queue_full()
{
    Hook hook = raw("udp_fail_queue_rcv_skb", one(net_of(word(1))), {{word(0, 4), Relation::Equal, {-ENOMEM}}});
    hook.least_parameters = 3;
    return hook;
}

/// Returns a hook for a received segment, tcp_v4_rcv(skb). Every segment for this machine is counted, even if it is
/// damaged.
Hook segment_received(const char* name)
{
    // the bits of the packet type within the byte of struct sk_buff that contains them
    constexpr int64_t kPacketType = 7;
    const Source type{{Kind::KernelMemory, 0, 0, 1}, "sk_buff", "pkt_type", {parameter(0)}};
    // Packets for other machines are excluded: the packet type must be PACKET_HOST (0).
    return function({name}, one(net_received(parameter(0))), {{bits(type, kPacketType), Relation::Equal, {0}}});
}

/// Returns a hook for udp_recvmsg(sk, message, size, flags, …) if it returns a datagram and removes it from the queue
/// (not MSG_PEEK).
Hook datagram_received()
{
    Hook hook = function_return({"udp_recvmsg", "udpv6_recvmsg"}, one(net_of(recorded)),
                                {{recorded, Relation::NotEqual, {0}}, {result, Relation::Greater, {-1}}}, true);
    Hook entry = *hook.start_hook;
    entry.filters = {{bits(parameter(3), MSG_PEEK | MSG_ERRQUEUE), Relation::Equal, {0}}};
    hook.start_hook = std::make_shared<const Hook>(std::move(entry));
    return hook;
}

/// Returns a hook for a sent ICMP message: icmp_out_count(net, type).
Hook message_sent(std::vector<Filter> filters = {})
{
    return function({"icmp_out_count"}, one(parameter(0)), std::move(filters));
}

Hook message_sent_of(int64_t type)
{
    return message_sent({{parameter(1, 1), Relation::Equal, {type}}});
}

/// Returns a hook for a received ICMP message: icmp_rcv(skb).
Hook message_received(std::vector<Filter> filters = {})
{
    return function({"icmp_rcv"}, one(net_received(parameter(0))), std::move(filters));
}

Hook message_received_of(int64_t type)
{
    return message_received({{bytes(transport_header(parameter(0)), 0, 1), Relation::Equal, {type}}});
}

} // namespace

const std::vector<Row>& mib_rows()
{
    // tcp_retransmit_skb(sk, skb, …): a packet may contain several segments; their number is in the struct tcp_skb_cb
    // in skb's member cb.
    const Source segments = field_of(address(word(1), "sk_buff", "cb"), "tcp_skb_cb", "tcp_gso_segs");
    static const std::vector<Row> kRows = {
        {"tcpActiveOpens",
         {function_return({"tcp_connect"}, one(net_of(recorded)), {{result, Relation::Equal, {0}}})},
         {}},
        {"tcpPassiveOpens", {changed({TCP_LISTEN}, TCP_SYN_RECV)}, {}},
        {"tcpEstabResets", {changed({TCP_ESTABLISHED, TCP_CLOSE_WAIT}, TCP_CLOSE)}, {}},
        {"tcpInSegs", {segment_received("tcp_v4_rcv"), segment_received("tcp_v6_rcv")}, {}},
        {"tcpRetransSegs",
         {raw("tcp_retransmit_skb", {segments, net_of(word(0))}), raw("tcp_retransmit_synack", one(net_of(word(0))))},
         {}},
        {"tcpOutRsts", {reset_sent()}, {}},
        {"udpInDatagrams", {datagram_received()}, {}},
        {"udpInOverflows", {queue_full()}, {}},
        {"udpNoPorts", {unwanted(4), unwanted(6)}, {}},
        {"icmpInMsgs", {message_received()}, {}},
        {"icmpInEchos", {message_received_of(ICMP_ECHO)}, {}},
        {"icmpInEchoReps", {message_received_of(ICMP_ECHOREPLY)}, {}},
        {"icmpInDestUnreachs", {message_received_of(ICMP_DEST_UNREACH)}, {}},
        {"icmpOutMsgs", {message_sent()}, {}},
        {"icmpOutEchos", {message_sent_of(ICMP_ECHO)}, {}},
        {"icmpOutEchoReps", {message_sent_of(ICMP_ECHOREPLY)}, {}},
        {"icmpOutDestUnreachs", {message_sent_of(ICMP_DEST_UNREACH)}, {}},
    };
    return kRows;
}

} // namespace dt::probes::stable
