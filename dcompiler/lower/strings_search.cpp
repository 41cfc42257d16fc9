// Lowers subroutines that search a string: index, json, rindex, strchr, strrchr, strstr, strtok, strtoll.
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/strings_sources.hpp"

#include <limits>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kSearchRoom = 80; // struct search of bpf-runtime/find.bpf.c
constexpr uint32_t kJsonRoom = 160;  // struct work of bpf-runtime/json.bpf.c

Operand position(ClauseLowering& l, const TExpr& e, bool last)
{
    auto& b = l.b();
    const Source text = loadable_source(l, *e.kids[0]), wanted = loadable_source(l, *e.kids[1]);
    const Value start = e.kids.size() > 2 ? l.expressions.value(*e.kids[2])
                                          : b.constant(last ? std::numeric_limits<int64_t>::max() : 0);
    return number(b.call_runtime(last ? "dt_rindex" : "dt_index",
                                 {text.address, wanted.address, b.constant(both_sizes(text.size, wanted.size)), start,
                                  l.scratch_temporary(kSearchRoom)}));
}

Operand character_tail(ClauseLowering& l, const TExpr& e, bool last)
{
    auto& b = l.b();
    const Source text = loadable_source(l, *e.kids[0]);
    const Value wanted = l.expressions.value(*e.kids[1]);
    return tail(b.call_runtime("dt_strchr", {text.address, b.constant(text.size), wanted, b.constant(last)}), text.size,
                true);
}

} // namespace

Operand lower_index(ClauseLowering& l, const TExpr& e)
{
    return position(l, e, false);
}
Operand lower_rindex(ClauseLowering& l, const TExpr& e)
{
    return position(l, e, true);
}
Operand lower_strchr(ClauseLowering& l, const TExpr& e)
{
    return character_tail(l, e, false);
}
Operand lower_strrchr(ClauseLowering& l, const TExpr& e)
{
    return character_tail(l, e, true);
}

Operand lower_strstr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source text = loadable_source(l, *e.kids[0]), wanted = loadable_source(l, *e.kids[1]);
    return tail(
        b.call_runtime("dt_strstr", {text.address, wanted.address, b.constant(both_sizes(text.size, wanted.size)),
                                     l.scratch_temporary(kSearchRoom)}),
        text.size, true);
}

Operand lower_json(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source text = loadable_source(l, *e.kids[0]), path = slot_source(l, *e.kids[1]);
    const uint32_t room = align_up(text.size, 8);
    const Value result = l.scratch_temporary(room), work = l.scratch_temporary(kJsonRoom);
    const Value found = l.module().functions.call_long(b, l.slot(), "dt_json",
                                                       {{result, room},
                                                        {text.address, text.size},
                                                        {path.address, path.size},
                                                        {b.constant(both_sizes(text.size, path.size))},
                                                        {work, kJsonRoom}},
                                                       true);
    return tail(found, text.size, true);
}

/// Lowers strtok(). The text being split stays in the slot for the firing, as struct state of bpf-runtime/strtok.bpf.c.
Operand lower_strtok(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    constexpr int64_t kText = 8 + 4 * 8;
    const TExpr& subject = *e.kids[0];
    const uint32_t size = static_cast<uint32_t>(l.module().options.strsize) + 1;
    const int64_t at = l.module().layout.tokens_offset();
    const bool next = subject.op == TOp::Integer && subject.value == 0;
    if (!next) {
        const Source text = readable_source(l, subject);
        Operand from{Operand::Kind::Text, text.address, Mem::MapValue, text.size, false, false, {}};
        l.strings.text_into(from, l.slot(), at + kText, size, false);
    }
    const Source delimiters = loadable_source(l, *e.kids[1]);
    if (next)
        l.fault_if(Op::Eq, b.load(8, l.slot(), at), b.constant(0), kFaultBadAddress, b.constant(0));
    else
        b.store(8, l.slot(), at, b.constant(1));
    const Value token = l.strings.text_result(align_up(size, 8), true);
    const Value found = b.call_runtime("dt_strtok", {token, l.values.interior(l.slot(), at, size), delimiters.address,
                                                     b.constant(both_sizes(size, delimiters.size))});
    return tail(found, size, true);
}

Operand lower_strtoll(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source text = loadable_source(l, *e.kids[0]);
    const Value base = number_base(l, e);
    return number(b.call_runtime("dt_strtoll", {text.address, b.constant(text.size), base}));
}

} // namespace dt::lower
