// Lowers subroutines on strings, most of which call functions of bpf-runtime. If these functions cannot read a string
// where it is stored, the string is first copied to the scratch slot (the firing's per-CPU memory).
#include "dcompiler/lower/builtins/string_subroutines.hpp"

#include <algorithm>
#include <limits>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

namespace {

uint32_t most(ClauseLowering& l)
{
    return static_cast<uint32_t>(l.module().options.strsize) + 1;
}

/// Returns the string after emitting a check that it is not NULL.
Operand present_text(ClauseLowering& l, const TExpr& e)
{
    Operand text = l.expressions.text(e);
    if (!text.may_be_null)
        return text;
    l.fault_if(Op::Eq, text.value, l.b().constant(0), kFaultBadAddress, l.b().constant(0));
    return l.strings.present(text);
}

Source copied(ClauseLowering& l, const Operand& text)
{
    const uint32_t size = std::clamp<uint32_t>(text.size, 1, most(l)), room = align_up(size, 8);
    const Value buffer = l.scratch_temporary(room);
    l.strings.text_into(text, buffer, 0, size, false);
    return {buffer, size};
}

} // namespace

Source readable_source(ClauseLowering& l, const TExpr& e)
{
    const Operand text = present_text(l, e);
    // On kernels where programs cannot copy kernel memory (Features::kernel_reads is false), the functions of
    // bpf-runtime read strings by plain loads. So the string must be in the scratch slot, where the verifier permits
    // loads.
    if (!l.module().world.features().kernel_reads)
        return copied(l, text);
    if (text.loadable() || text.readable)
        return {text.value, std::clamp<uint32_t>(text.size, 1, most(l))};
    return copied(l, text);
}

Source loadable_source(ClauseLowering& l, const TExpr& e)
{
    const Operand text = present_text(l, e);
    if (text.mem == Mem::MapValue && text.size <= most(l))
        return {text.value, std::max<uint32_t>(text.size, 1)};
    return copied(l, text);
}

Source slot_source(ClauseLowering& l, const TExpr& e)
{
    return copied(l, present_text(l, e));
}

Operand tail(Value address, uint32_t size, bool may_be_null)
{
    Operand text{Operand::Kind::Text, address, Mem::Kernel, size, may_be_null, false, {}};
    text.readable = true;
    return text;
}

Operand found_text(ClauseLowering& l, Value found, Value buffer, uint32_t size)
{
    auto& b = l.b();
    if (l.module().world.features().kernel_reads)
        return tail(found, size, true);
    const ir::BlockId some = b.block(), none = b.block(),
                      join = b.block(); // in this block, the result is NULL or a pointer that the program can load from
    const Value zero = b.constant(0);
    b.branch(Op::Ne, found, zero, some, none);
    for (const ir::BlockId block : {some, none}) {
        b.enter(block);
        b.jump(join);
    }
    b.enter(join);
    return {Operand::Kind::Text, b.phi({buffer, zero}, Mem::MapOrNull, size), Mem::MapOrNull, size, true, false, {}};
}

// Lowers subroutines that build strings from strings and numbers: basename, cleanpath, dirname, lltostr, strjoin,
// substr, tolower, toupper.

namespace {

constexpr uint32_t kDigitsRoom = 72; // size of the buffer for digits, as in bpf-runtime/strings/lltostr.bpf.c
constexpr int64_t kMinBase = 2, kMaxBase = 36;

Operand made(Value buffer, uint32_t size)
{
    return {Operand::Kind::Text, buffer, Mem::MapValue, size, false, false, {}};
}

/// Lowers basename and dirname; `function` is the function of bpf-runtime. For an empty path the result is ".".
Operand path_part(ClauseLowering& l, const TExpr& e, const char* function)
{
    auto& b = l.b();
    const Source path = loadable_source(l, *e.kids[0]);
    const uint32_t size = std::max<uint32_t>(path.size, 2);
    const Value result = l.strings.text_result(align_up(size, 8), true);
    b.call_runtime(function, {result, b.constant(size), path.address, b.constant(path.size)});
    return made(result, size);
}

/// Copies the string to `result`. Changes the case of those letters that are among the 26 letters from `first` on.
void change_case(ClauseLowering& l, const Source& text, Value result, char first)
{
    auto& b = l.b();
    b.call_runtime("dt_case", {result, b.constant(text.size), text.address, b.constant(first)});
}

Operand in_other_case(ClauseLowering& l, const TExpr& e, char first)
{
    const Source text = readable_source(l, *e.kids[0]);
    const Value result = l.strings.text_result(align_up(text.size, 8), true);
    change_case(l, text, result, first);
    return made(result, text.size);
}

/// Returns a copy of the string in lower case.
Source in_lower_case(ClauseLowering& l, const Source& text)
{
    const Value copy = l.scratch_temporary(align_up(text.size, 8));
    change_case(l, text, copy, 'A');
    return {copy, text.size};
}

} // namespace

Value number_base(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    if (e.kids.size() < 2)
        return b.constant(10);
    const Value base = l.expressions.value(*e.kids[1]);
    l.fault_if(Op::ULt, b.constant(kMaxBase - kMinBase), b.binary(Op::Sub, base, b.constant(kMinBase)),
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
    return in_other_case(l, e, 'A');
}
Operand lower_toupper(ClauseLowering& l, const TExpr& e)
{
    return in_other_case(l, e, 'a');
}

Operand lower_cleanpath(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source path = loadable_source(l, *e.kids[0]);
    // The size includes a NUL, and room for a "/" or for ".", the result for an empty path.
    const uint32_t room = align_up(path.size + 2, 8);
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
    const Value text = b.call_runtime("dt_lltostr", {result, value, base});
    // dt_lltostr() writes the string to the end of the buffer, or to its beginning on kernels where programs cannot
    // copy kernel memory (Features::kernel_reads is false).
    if (!l.module().world.features().kernel_reads)
        return made(result, kDigitsRoom);
    return tail(text, kDigitsRoom, false);
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

// Lowers subroutines that search a string: index, json, rindex, strcasestr, strchr, strrchr, strstr, strtok, strtoll.

namespace {

constexpr uint32_t kSearchRoom = 80; // size of struct search in bpf-runtime/strings/find.bpf.c
constexpr uint32_t kJsonRoom = 160;  // size of struct work in bpf-runtime/strings/json.bpf.c

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

/// Lowers strcasestr(): searches lower-case copies of both strings. The result is a part of the original string.
Operand lower_strcasestr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source text = loadable_source(l, *e.kids[0]);
    const Source wanted = in_lower_case(l, readable_source(l, *e.kids[1])), searched = in_lower_case(l, text);
    return tail(b.call_runtime("dt_strcasestr",
                               {text.address, searched.address, wanted.address,
                                b.constant(both_sizes(text.size, wanted.size)), l.scratch_temporary(kSearchRoom)}),
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

/// Lowers strtok(). The scratch slot keeps the string that is being split until the firing ends, in the form of struct
/// state in bpf-runtime/strings/strtok.bpf.c.
Operand lower_strtok(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    constexpr int64_t kText = 8 + 4 * 8;
    constexpr uint64_t kMaxWithoutLoops = 1024; // maximum length on kernels without bpf_loop()
    const TExpr& subject = *e.kids[0];
    if (!l.module().world.features().bpf_loop && l.module().options.strsize > kMaxWithoutLoops)
        l.module().diagnostics.error("D_UNKNOWN", e.at,
                                     "strtok( ) of strings longer than 1024 bytes needs bpf_loop( ), which this kernel "
                                     "lacks (Linux 5.17 or later has it)",
                                     "lower option strsize");
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
    return found_text(l, found, token, size);
}

Operand lower_strtoll(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Source text = loadable_source(l, *e.kids[0]);
    const Value base = number_base(l, e);
    return number(b.call_runtime("dt_strtoll", {text.address, b.constant(text.size), base}));
}

} // namespace dt::lower
