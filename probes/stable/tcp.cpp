// tcp: segments and connections (dtrace-providers(7), tcp).
//
// TCP passes a segment to IP before the IP header exists. Several functions do this, and each of them finds the
// addresses at another location. Replies to segments for which no connection exists have no socket of their own. arg0
// to arg7 are packet, socket, IP header or 0, struct tcp_sock or 0, TCP header or 0, previous state, state, direction.
// For packets without an IP header, arg8 and arg9 also point to the source and destination addresses, and arg5 is the
// IP version. arg3 is 0 for sockets of requested connections and sockets in TIME_WAIT, because they are no struct
// tcp_sock.
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

#include "probes/stable/network.hpp"

namespace dt::probes::stable {
namespace {

constexpr int64_t kTcp = IPPROTO_TCP;
constexpr int64_t kState = 2;
constexpr int64_t kNewSynReceived = 12; // the kernel's TCP_NEW_SYN_RECV (include/net/tcp_states.h)
// the kernel's BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB (include/uapi/linux/bpf.h)
constexpr int64_t kPassiveEstablished = 5;
constexpr int64_t kFin = 1, kSyn = 2, kRst = 4, kAck = 16; // flags of a TCP header

/// A socket of any kind: a full socket, the socket of a requested connection, a socket in TIME_WAIT, or the control
/// socket. The control socket sends replies that belong to no other socket.
struct Party {
    Source owner; ///< the kernel object of the connection; an empty Source for the control socket
    Source tcp;   ///< the full socket as struct tcp_sock; an empty Source for other kinds of sockets
};

Party whole_socket(const Source& sk)
{
    return {sk, sk};
}

Party any_socket(const Source& sk)
{
    const Source stream = choice(field_of(sk, "sock", "sk_type"), SOCK_STREAM, sk, kNone);
    const auto unless_small = [&](const Source& small) {
        return choice(state_of(sk), kNewSynReceived, small, choice(state_of(sk), TCP_TIME_WAIT, small, stream));
    };
    return {unless_small(sk), unless_small(kNone)};
}

Filter has_flags(const Source& skb, int64_t of, int64_t these)
{
    return {bits(bytes(transport_header(skb), 13, 1), of), Relation::Equal, {these}};
}
Filter is_in(const Source& sk, int64_t state)
{
    return {state_of(sk), Relation::Equal, {state}};
}

/// Returns the arguments for a segment that TCP passes to IP without an IP header; `from` and `to` are the addresses.
std::vector<Source> handed_down(const Source& skb, const Party& socket, int64_t version, const Source& from,
                                const Source& to)
{
    return {skb,
            socket.owner,
            kNone,
            socket.tcp,
            transport_header(skb),
            constant(version),
            state_of(socket.owner),
            constant(kOutbound),
            from,
            to};
}

/// Returns the arguments for a segment with all headers.
std::vector<Source> complete(const Source& skb, const Party& socket, int64_t direction)
{
    return {skb,   socket.owner,           network_header(skb), socket.tcp, transport_header(skb),
            kNone, state_of(socket.owner), constant(direction)};
}

/// Returns a hook for ip_queue_xmit(sk, skb, …): segments of sockets.
Hook sent_v4(std::vector<Filter> filters = {})
{
    const Source sk = parameter(0), skb = parameter(1);
    filters.insert(filters.begin(), is_of(sk, kTcp));
    return function({"ip_queue_xmit"},
                    handed_down(skb, whole_socket(sk), 4, address(sk, "sock", "__sk_common.skc_rcv_saddr"),
                                address(sk, "sock", "__sk_common.skc_daddr")),
                    std::move(filters));
}

/// Returns a hook for ip6_xmit(sk, skb, flow, …): segments of sockets, replies on behalf of sockets, and replies that
/// belong to no socket.
Hook sent_v6(std::vector<Filter> filters = {})
{
    const Source sk = parameter(0), skb = parameter(1), flow = parameter(2);
    filters.insert(filters.begin(), is_of(sk, kTcp));
    return function(
        {"ip6_xmit"},
        handed_down(skb, any_socket(sk), 6, address(flow, "flowi6", "saddr"), address(flow, "flowi6", "daddr")),
        std::move(filters));
}

/// Returns a hook for ip_build_and_send_pkt(skb, sk, source, destination, …): the reply to a SYN.
Hook accepting_v4()
{
    const Source skb = parameter(0), sk = parameter(1);
    return function({"ip_build_and_send_pkt"},
                    handed_down(skb, whole_socket(sk), 4, parameter_address(2), parameter_address(3)),
                    {is_of(sk, kTcp)});
}

/// Returns a hook for ip_finish_output(net, sk, skb): replies by ip_send_unicast_reply() through a raw socket, for
/// connections that have no full socket.
Hook answered_v4()
{
    const Source sk = parameter(1), skb = parameter(2);
    return function({"ip_finish_output"}, complete(skb, {}, kOutbound),
                    {is_of(sk, kTcp), {field_of(sk, "sock", "sk_type"), Relation::Equal, {SOCK_RAW}}});
}

/// Returns a hook for segments that arrive at a device's queue, for kernels in which functions cannot be probed.
/// Segments arrive there a moment after TCP has passed them to IP.
Hook queued_segment(int version, std::vector<Filter> also = {})
{
    const Source skb = word(0);
    std::vector<Filter> filters = is_packet_of(skb, version, kTcp);
    filters.push_back(is_local(skb));
    filters.insert(filters.end(), also.begin(), also.end());
    return raw("net_dev_queue", complete(skb, any_socket(socket_of(skb)), kOutbound), std::move(filters));
}

/// Returns a hook for a function with parameters (sk, skb, …) that receives a segment for a full socket.
Hook received(const char* name, std::vector<Filter> filters = {})
{
    return function({name}, complete(parameter(1), whole_socket(parameter(0)), kInbound), std::move(filters));
}

/// Returns a hook for a function with parameters (sk, skb, …) that answers a segment by a reset; there may be no
/// socket.
Hook refused(const char* name, std::vector<Filter> filters)
{
    return function({name}, complete(parameter(1), any_socket(parameter(0)), kInbound), std::move(filters));
}

/// Returns a hook for a segment that a socket in TIME_WAIT receives: tcp_timewait_state_process(tw, skb, header).
Hook received_afterwards()
{
    return function({"tcp_timewait_state_process"}, complete(parameter(1), {parameter(0), kNone}, kInbound));
}

/// Returns the IP version that the two ends of a socket use. An IPv6 socket may have IPv4 ends, ::ffff:a.b.c.d.
Source version_of(const Source& sk)
{
    const Source there = address(sk, "sock", "__sk_common.skc_v6_daddr");
    const Source mapped = choice(bytes(there, 8, 4), htonl(0xffff), constant(4), constant(6));
    const Source wide = choice(bytes(there, 0, 8), 0, mapped, constant(6));
    return choice(field_of(sk, "sock", "__sk_common.skc_family"), AF_INET, constant(4), wide);
}

/// Returns the arguments for a segment of a full socket, for hooks at which the segment itself is not available. The
/// addresses are those of the socket.
std::vector<Source> unseen(const Source& sk, int64_t direction)
{
    const Source version = version_of(sk);
    const auto one_of = [&](const char* v4, const char* v6) {
        return choice(version, 4, address(sk, "sock", v4), address(sk, "sock", v6));
    };
    const Source there = one_of("__sk_common.skc_daddr", "__sk_common.skc_v6_daddr"),
                 here = one_of("__sk_common.skc_rcv_saddr", "__sk_common.skc_v6_rcv_saddr");
    return {kNone,
            sk,
            kNone,
            sk,
            kNone,
            version,
            state_of(sk),
            constant(direction),
            direction == kInbound ? there : here,
            direction == kInbound ? here : there};
}

/// Returns a hook for a change of a connection's state that shows which segments were exchanged:
/// inet_sock_set_state(sk, from, to).
Hook changed(int64_t from, int64_t to, std::vector<Filter> also = {})
{
    std::vector<Filter> filters = {
        is_of(word(0), kTcp), {word(1, 4), Relation::Equal, {from}}, {word(2, 4), Relation::Equal, {to}}};
    filters.insert(filters.end(), also.begin(), also.end());
    return raw("inet_sock_set_state", unseen(word(0), kInbound), std::move(filters));
}

/// Returns a hook for tcp_connect(sk), which creates and sends the first SYN of a connection.
Hook connecting()
{
    return direct_call("tcp_connect", unseen(word(0), kOutbound));
}

/// Returns arg0 to arg7 of the probe state-change.
std::vector<Source> states(const Source& sk, const Source& from, const Source& to)
{
    return {kNone, sk, kNone, sk, kNone, from, to, constant(kState)};
}

/// Returns a hook for inet_sock_set_state(sk, from, to), which fires at each change of a full socket's state.
Hook any_change(std::vector<Filter> filters = {})
{
    filters.insert(filters.begin(), is_of(word(0), kTcp));
    return raw("inet_sock_set_state", states(word(0), word(1, 4), word(2, 4)), std::move(filters));
}

/// Returns the hooks of state-change. When a new connection changes its state for the first time, its socket may have
/// no addresses yet. So that change is reported at tcp_ca_openreq_child(sk, …), after the addresses are set.
std::vector<Hook> state_changes()
{
    const Source is_first = choice(word(1, 4), TCP_LISTEN, word(2, 4), kNone);
    const Source sk = parameter(0), to = parameter(1, 4), skb = parameter(1);
    return {
        any_change({{is_first, Relation::NotEqual, {TCP_SYN_RECV}}}),
        function({"tcp_ca_openreq_child"}, states(sk, constant(TCP_LISTEN), constant(TCP_SYN_RECV))),
        // tcp_time_wait(sk, to, …): a TIME_WAIT socket replaces the full socket
        function({"tcp_time_wait"}, states(sk, state_of(sk), to), {{to, Relation::NotEqual, {}, state_of(sk)}}),
        // tcp_timewait_state_process(tw, skb, header): the TIME_WAIT socket receives the peer's FIN
        function({"tcp_timewait_state_process"},
                 {kNone, sk, network_header(skb), kNone, transport_header(skb), constant(TCP_FIN_WAIT2),
                  constant(TCP_TIME_WAIT), constant(kInbound)},
                 {{field_of(sk, "inet_timewait_sock", "tw_substate"), Relation::Equal, {TCP_FIN_WAIT2}},
                  has_flags(skb, kFin | kSyn | kRst, kFin)}),
    };
}

/// Returns a hook for an accepted connection: tcp_init_transfer(sk, what, skb).
Hook accepted()
{
    return function({"tcp_init_transfer"}, complete(parameter(2), whole_socket(parameter(0)), kInbound),
                    {{parameter(1, 4), Relation::Equal, {kPassiveEstablished}}});
}

ProbeArgument ip()
{
    return {"tcp_ip_t *", "ipinfo_t *", 2};
}
ProbeArgument socket()
{
    return {"struct tcp_sock *", "tcpsinfo_t *", 3};
}
ProbeArgument header()
{
    return {"struct tcphdr *", "tcpinfo_t *", 4};
}

} // namespace

const std::vector<Row>& tcp_rows()
{
    const std::vector<ProbeArgument> segment = {packet(), connection(), ip(), socket(), header(), nothing(5)};
    const std::vector<ProbeArgument> change = {nothing(0), connection(), nothing(2),
                                               socket(),   nothing(4),   {"int", "tcplsinfo_t *", 5}};
    const Filter no_socket{parameter(0), Relation::Equal, {0}};
    const auto opens = [](const Source& skb) { return has_flags(skb, kSyn | kAck | kRst, kSyn); };
    const auto first_syn = [&](const Source& sk, const Source& skb) {
        return std::vector<Filter>{is_in(sk, TCP_SYN_SENT),
                                   opens(skb),
                                   {field_of(sk, "inet_connection_sock", "icsk_retransmits"), Relation::Equal, {0}}};
    };
    const std::vector<Filter> requests = first_syn(parameter(0), parameter(1)),
                              requests_queued = first_syn(socket_of(word(0)), word(0));
    const Filter was_refused{field_of(word(0), "sock", "sk_err"), Relation::Equal, {ECONNREFUSED}};
    static const std::vector<Row> kRows = {
        {"send",
         {sent_v4(), sent_v6(), accepting_v4(), answered_v4()},
         segment,
         {queued_segment(4), queued_segment(6)}},
        {"receive",
         {received("tcp_rcv_established"), received("tcp_rcv_state_process"), received_afterwards(),
          refused("tcp_v4_send_reset", {no_socket}), refused("tcp_v6_send_reset", {no_socket})},
         segment},
        {"connect-request",
         {sent_v4(requests), sent_v6(requests)},
         segment,
         {queued_segment(4, requests_queued), queued_segment(6, requests_queued)},
         nullptr,
         {},
         {connecting()}},
        {"connect-established", {received("tcp_finish_connect")}, segment, {changed(TCP_SYN_SENT, TCP_ESTABLISHED)}},
        {"connect-refused",
         {received("tcp_reset", {is_in(parameter(0), TCP_SYN_SENT)})},
         segment,
         {changed(TCP_SYN_SENT, TCP_CLOSE, {was_refused})}},
        {"accept-established", {accepted()}, segment, {changed(TCP_SYN_RECV, TCP_ESTABLISHED)}},
        {"accept-refused",
         {refused("tcp_v4_send_reset", {opens(parameter(1))}), refused("tcp_v6_send_reset", {opens(parameter(1))})},
         segment,
         {raw("tcp_send_reset", complete(word(1), any_socket(word(0)), kInbound), {opens(word(1))})}},
        {"state-change", state_changes(), change, {any_change()}},
    };
    return kRows;
}

} // namespace dt::probes::stable
