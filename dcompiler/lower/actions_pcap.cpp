// Lowers pcap(skb, proto): records the linear part of a network packet with the fields that a capture file needs
// (dtrace-actions(7), pcap).
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// Size limit of a captured packet, which is also the largest pcapsize.
constexpr uint32_t kMostBytes = 65536;

Value read_field(ClauseLowering& l, Value skb, int64_t offset, uint8_t width)
{
    Place from;
    from.address = from.origin = skb;
    from.offset = offset;
    const Value word = l.stack_temporary(8);
    l.memory.copy_bytes(from, word, 0, width);
    const Value read = l.b().load(width, word);
    l.release_stack(8);
    return read;
}

/// Copies at most the first `room` bytes of the packet to `dst` and yields their number; 0 if `skb` is NULL.
Value capture(ClauseLowering& l, const TStmt& s, Value skb, Value dst, uint32_t room)
{
    auto& b = l.b();
    const auto field = [&](std::string_view member, uint8_t width) {
        return read_field(l, skb, needed_offset(l, s.at, "pcap( )", "sk_buff", member), width);
    };
    const ir::BlockId some = b.block(), none = b.block(), join = b.block();
    b.branch(Op::Ne, skb, b.constant(0), some, none);
    b.enter(none);
    const Value nothing = b.constant(0);
    b.jump(join);
    b.enter(some);
    const Value apart = field("data_len", 4);
    const Value linear = b.unary(Op::ZExt, b.binary(Op::Sub, field("len", 4), apart), 4);
    const Value length = l.values.at_most(linear, room);
    const Value data = field("data", 8);
    const Value failed = b.call_helper(kProbeReadKernel, {dst, length, data});
    l.fault_if(Op::SLt, failed, b.constant(0), kFaultBadAddress, data);
    b.jump(join);
    b.enter(join);
    return b.phi({nothing, length});
}

} // namespace

void lower_pcap(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const uint32_t room = static_cast<uint32_t>(std::clamp<uint64_t>(l.module().options.pcapsize, 1, kMostBytes));
    const Value skb = l.expressions.value(*s.args[0]), proto = l.expressions.value(*s.args[1]);
    const Datum time = l.reserve(Datum::Kind::Unsigned, 8, 8), length = l.reserve(Datum::Kind::Unsigned, 4, 4);
    const Datum kind = l.reserve(Datum::Kind::Unsigned, 4, 4),
                bytes = l.reserve(Datum::Kind::Bytes, align_up(room, 8), 8);
    const auto at = [&](const Datum& datum) { return ClauseState::sample_offset(datum); };
    b.store(8, l.sample(), at(time), b.call_helper(kKtimeGetBootNs, {}));
    b.store(4, l.sample(), at(kind), proto);
    const Value captured = capture(l, s, skb, l.values.interior(l.sample(), at(bytes), room), room);
    b.store(4, l.sample(), at(length), captured);
    for (const Datum& datum : {time, length, kind, bytes})
        l.schema().records[index].data.push_back(datum);
}

} // namespace dt::lower
