// Compares texts. Usually one of them is a literal and the operator is == or !=. The other text is then read in place,
// or only as many bytes as the literal has are copied. Only texts that must be ordered are copied completely.
#include "dcompiler/lower/builtins.hpp"
#include "dcompiler/lower/strings.hpp"
#include "dcompiler/lower/user_address.hpp"

#include <algorithm>
#include <cstring>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

/// Yields whether an address is 0 (or not 0, with Op::Ne) as a number, because arithmetic on addresses is not allowed.
Value Strings::is_zero_address(Op op, Value address)
{
    return b().select(
        op, address, b().constant(0), [this] { return b().constant(1); }, [this] { return b().constant(0); });
}

Value Strings::order_to_truth(Value order, TOp op)
{
    const Value zero = b().constant(0);
    switch (op) {
    case TOp::Equal:
        return b().binary(Op::Eq, order, zero);
    case TOp::NotEqual:
        return b().binary(Op::Ne, order, zero);
    case TOp::Less:
        return b().binary(Op::SLt, order, zero);
    case TOp::LessEqual:
        return b().binary(Op::SLe, order, zero);
    case TOp::Greater:
        return b().binary(Op::SLt, zero, order);
    default:
        return b().binary(Op::SLe, zero, order);
    }
}

/// Goes to `equal` if the text begins with the literal and its NUL. It compares words and leaves at the first
/// difference. The last word may contain bytes of the text that are masked out.
void Strings::branch_on_words(const TextComparison& comparison, ir::BlockId equal, ir::BlockId differs)
{
    const auto& [truth, text, offset, literal, beginning] = comparison;
    const auto bytes = static_cast<uint32_t>(comparison.bytes());
    const uint32_t most = std::min<uint32_t>(text.size, static_cast<uint32_t>(module().options.strsize) + 1);
    for (uint32_t done = 0; done < bytes;) {
        const uint32_t left = bytes - done;
        uint8_t width = left > 4 ? 8 : left > 2 ? 4 : static_cast<uint8_t>(left);
        while (width > left && done + width > most)
            width /= 2;
        Value word = b().load(width, text.value, offset + done);
        uint64_t wanted = word_at(literal, done, width);
        if (width == 8 && left < 8) {
            word = b().binary(Op::Shl, word, b().constant(64 - 8 * left));
            wanted <<= 64 - 8 * left;
        } else if (width > left) {
            word = b().binary(Op::And, word, b().constant((int64_t{1} << 8 * left) - 1));
        }
        done += width;
        const ir::BlockId same = done < bytes ? b().block() : equal;
        b().branch(Op::Ne, word, b().constant(static_cast<int64_t>(wanted)), differs, same);
        if (same != equal)
            b().enter(same);
    }
}

void Strings::branch_on_literal(bool wants_equal, const TextComparison& given, ir::BlockId yes, ir::BlockId no)
{
    const ir::BlockId equal = wants_equal ? yes : no, differs = wants_equal ? no : yes;
    if (given.bytes() > given.text.size + (given.text.open ? 1 : 0))
        return b().jump(differs);
    clause.arm([&] {
        TextComparison comparison = given;
        if (given.text.may_be_null) { // NULL differs from every literal and must not be read
            const ir::BlockId there = b().block();
            b().branch(Op::Ne, given.text.value, b().constant(0), there, differs);
            b().enter(there);
            comparison.text = present(given.text);
        }
        if (is_comparable_in_place(comparison))
            branch_in_place(comparison, equal, differs);
        else
            branch_on_copy(comparison, equal, differs);
    });
}

void Strings::branch_on_copy(TextComparison comparison, ir::BlockId equal, ir::BlockId differs)
{
    const Operand& text = comparison.text;
    const bool is_elsewhere = text.mem == Mem::Kernel || text.mem == Mem::User;
    if (is_elsewhere && !text.readable && comparison.bytes() < kMostInlineLiteral)
        comparison.text = copied_piece(comparison);
    else if (text.mem != Mem::Btf)
        comparison.text = loadable_text(closed(text));
    branch_on_words(comparison, equal, differs);
}

/// Copies enough of a text to compare it with the literal: one byte more, so that a longer text is not truncated to the
/// literal. So few bytes need no scratch slot.
Operand Strings::copied_piece(const TextComparison& comparison)
{
    const Operand& text = comparison.text;
    const auto strsize = static_cast<uint32_t>(module().options.strsize),
               bytes = static_cast<uint32_t>(comparison.bytes());
    const uint32_t size = std::min({bytes + 1, text.size + (text.open ? 1 : 0), strsize + 1});
    Operand piece{Operand::Kind::Text, kNone, Mem::None, bytes, false, false, {}};
    piece.value = clause.temporary(size, piece.mem);
    const auto read_text = [&] {
        const Value result =
            b().call_helper(text.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                            {piece.value, b().constant(size), for_helper(clause, text.mem, text.value)});
        clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, text.value);
    };
    if (text.mem == Mem::Kernel || bytes > std::min(text.size, strsize)) {
        read_text();
        return piece;
    }
    // An equal text can be read up to its NUL without a search for it, in half the time. If that fails, the text may be
    // shorter and end where its memory ends, or it is unreadable.
    const Value result =
        b().call_helper(kProbeReadUser, {piece.value, b().constant(bytes), for_helper(clause, Mem::User, text.value)});
    b().if_then(Op::Ne, result, b().constant(0), [&] { clause.arm(read_text); });
    return piece;
}

/// Returns whether a text in kernel memory can be compared without a copy. The word with the NUL must also contain
/// other bytes, because unreadable memory yields 0.
bool Strings::is_comparable_in_place(const TextComparison& comparison) const
{
    const auto& [truth, text, offset, literal, beginning] = comparison;
    return text.mem == Mem::Kernel && clause.values.loads_anywhere() && !literal.empty() &&
           literal.size() < context().module.options.strsize && comparison.bytes() <= text.size;
}

/// Compares word by word in place. An unexpected 0 may be unreadable memory; then the text is copied, which reports a
/// fault if necessary.
void Strings::branch_in_place(const TextComparison& comparison, ir::BlockId equal, ir::BlockId differs)
{
    const std::string& literal = comparison.literal;
    const std::size_t bytes = comparison.bytes();
    const ir::BlockId ask = b().block();
    for (std::size_t done = 0; done < bytes;) {
        if (done + 1 == bytes && !comparison.beginning)
            --done; // the NUL would be alone in its word
        const std::size_t left = bytes - done;
        const uint8_t width = left > 4 ? 8 : left > 2 ? 4 : static_cast<uint8_t>(left);
        const Value word = clause.values.load_anywhere(comparison.text.value, static_cast<int64_t>(done), width);
        Value counted = word;
        if (width > left) // the following bytes may have any value; unreadable memory yields 0
            counted = b().binary(Op::And, word, b().constant((int64_t{1} << 8 * left) - 1));
        const auto wanted =
            static_cast<int64_t>(word_at(literal, done, static_cast<uint8_t>(std::min<std::size_t>(width, left))));
        done += width;
        const ir::BlockId same = done < bytes ? b().block() : equal, other = b().block();
        b().branch(Op::Eq, counted, b().constant(wanted), same, other);
        b().enter(other);
        b().branch(Op::Eq, word, b().constant(0), ask, differs);
        if (same != equal)
            b().enter(same);
    }
    b().enter(ask);
    clause.arm([&] { branch_on_copy(comparison, equal, differs); });
}

std::optional<TextComparison> Strings::thread_name(const std::string& literal)
{
    const auto at = module().world.task_offset("comm");
    if (!at || !clause.values.fits_thread_name())
        return std::nullopt;
    return TextComparison{
        kNone, {Operand::Kind::Text, builtins_.task(), Mem::Btf, kThreadName, false, false, {}}, *at, literal};
}

/// Yields a number below, equal to or above 0 if `left` sorts before, with or after `right`. If one of them is NULL,
/// the addresses are compared (dtrace-language(7), OPERATORS): NULL is 0 and sorts before every text.
Value Strings::text_order(const Operand& left, const Operand& right)
{
    if (!left.may_be_null && !right.may_be_null)
        return present_order(left, right);
    const ir::BlockId absent = b().block(), join = b().block();
    Operand known[2] = {left, right};
    for (Operand& side : known) {
        if (!side.may_be_null)
            continue;
        const ir::BlockId there = b().block();
        b().branch(Op::Ne, side.value, b().constant(0), there, absent);
        b().enter(there);
        side = present(side);
    }
    Value order = kNone;
    clause.arm([&] { order = present_order(known[0], known[1]); });
    b().jump(join);
    b().enter(absent);
    const auto there = [&](const Operand& side) {
        return side.may_be_null ? is_zero_address(Op::Ne, side.value) : b().constant(1);
    };
    const Value left_there = there(left), addresses = b().binary(Op::Sub, left_there, there(right));
    b().jump(join);
    b().enter(join);
    return b().phi({order, addresses});
}

/// Yields the order of two texts that are not NULL. Both are zero-padded in buffers of equal size, so that a shared
/// function can compare whole words.
Value Strings::present_order(const Operand& left, const Operand& right)
{
    const uint32_t size = module().layout.string_size();
    Value sides[2];
    int i = 0;
    for (const Operand* side : {&left, &right}) {
        sides[i] = clause.scratch_temporary(size);
        text_into(*side, sides[i], 0, size, true);
        ++i;
    }
    return b().call_local(module().functions.compare(), {sides[0], sides[1]});
}

} // namespace dt::lower
