// Lowers subroutines that build strings from strings and numbers: basename, cleanpath, dirname, lltostr, strjoin,
// substr, tolower, toupper.
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/strings_sources.hpp"

#include <algorithm>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kDigitsRoom = 72; // as in bpf-runtime/lltostr.bpf.c
constexpr int64_t kLeastBase = 2, kMostBase = 36;

Operand made(Value buffer, uint32_t size)
{
    return {Operand::Kind::Text, buffer, Mem::MapValue, size, false, false, {}};
}

/// Lowers basename and dirname; `function` is the runtime function. The result for an empty path is ".".
Operand path_part(ClauseLowering& l, const TExpr& e, const char* function)
{
    auto& b = l.b();
    const Source path = loadable_source(l, *e.kids[0]);
    const uint32_t size = std::max<uint32_t>(path.size, 2);
    const Value result = l.strings.text_result(align_up(size, 8), true);
    b.call_runtime(function, {result, b.constant(size), path.address, b.constant(path.size)});
    return made(result, size);
}

Operand change_case(ClauseLowering& l, const TExpr& e, char first)
{
    auto& b = l.b();
    const Source text = readable_source(l, *e.kids[0]);
    const Value result = l.strings.text_result(align_up(text.size, 8), true);
    b.call_runtime("dt_case", {result, b.constant(text.size), text.address, b.constant(first)});
    return made(result, text.size);
}

} // namespace

Value number_base(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    if (e.kids.size() < 2)
        return b.constant(10);
    const Value base = l.expressions.value(*e.kids[1]);
    l.fault_if(Op::ULt, b.constant(kMostBase - kLeastBase), b.binary(Op::Sub, base, b.constant(kLeastBase)),
               kFaultIllegalOperation, b.constant(0));
    return base;
}

Operand lower_basename(ClauseLowering& l, const TExpr& e)
{
    return path_part(l, e, "dt_basename");
}
Operand lower_dirname(ClauseLowering& l, const TExpr& e)
{
    return path_part(l, e, "dt_dirname");
}
Operand lower_tolower(ClauseLowering& l, const TExpr& e)
{
    return change_case(l, e, 'A');
}
Operand lower_toupper(ClauseLowering& l, const TExpr& e)
{
    return change_case(l, e, 'a');
}

Operand lower_cleanpath(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source path = loadable_source(l, *e.kids[0]);
    const uint32_t room = align_up(path.size + 2, 8); // for a slash at the beginning, or "." for an empty path
    const Value result = l.scratch_temporary(room);
    const Value text = l.module().functions.call_long(
        b, l.slot(), "dt_cleanpath",
        {{result, room}, {path.address, path.size}, {b.constant(both_sizes(path.size, room))}}, true);
    return tail(text, std::max<uint32_t>(path.size, 2), false);
}

Operand lower_lltostr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value value = l.expressions.value(*e.kids[0]), base = number_base(l, e);
    const Value result = l.scratch_temporary(kDigitsRoom);
    return tail(b.call_runtime("dt_lltostr", {result, value, base}), kDigitsRoom, false);
}

Operand lower_strjoin(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source first = readable_source(l, *e.kids[0]), second = readable_source(l, *e.kids[1]);
    const uint32_t size =
        std::min<uint32_t>(first.size + second.size - 1, static_cast<uint32_t>(l.module().options.strsize) + 1);
    const Value result = l.scratch_temporary(2 * size);
    b.call_runtime("dt_strjoin", {result, b.constant(size), first.address, second.address});
    return made(result, size);
}

Operand lower_substr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source text = readable_source(l, *e.kids[0]);
    const Value start = l.expressions.value(*e.kids[1]);
    const Value count = e.kids.size() > 2 ? l.expressions.value(*e.kids[2]) : b.constant(int64_t{1} << 40);
    const Value result = l.strings.text_result(align_up(text.size, 8), false);
    b.call_runtime("dt_substr", {result, b.constant(text.size), text.address, start, count});
    return made(result, text.size);
}

} // namespace dt::lower
