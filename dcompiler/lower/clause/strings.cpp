// Lowers strings. Each string is written directly to its destination: a record, a key or a variable. A string without
// such a destination goes to a scratch buffer, because the BPF stack has room for only a few words. Every buffer ends
// with a NUL. In a hash key, the bytes after the string are zero.
#include "dcompiler/lower/clause/strings.hpp"

#include <algorithm>
#include <cstring>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/user_address.hpp"

namespace dt::lower {

uint64_t word_at(const std::string& text, std::size_t at, uint8_t width)
{
    uint64_t word = 0;
    for (std::size_t i = 0; i < width && at + i < text.size(); ++i)
        word |= static_cast<uint64_t>(static_cast<uint8_t>(text[at + i])) << (8 * i);
    return word;
}

Value Strings::text_buffer(uint32_t& size, Mem& mem)
{
    TextTarget& target = targets_.back();
    if (target.address != kNone) {
        const Value address = target.address;
        size = std::min(size, target.size);
        mem = target.mem;
        target = {};
        return address;
    }
    return text_temporary(align_up(size, 8), mem);
}

/// Allocates a temporary whose bytes are all written. Strings are compared word by word, and the verifier allows reads
/// only of written stack bytes.
Value Strings::text_temporary(uint32_t size, Mem& mem)
{
    const Value buffer = clause.temporary(size, mem);
    if (mem == Mem::Stack)
        clause.values.zero(buffer, 0, align_up(size, 8));
    return buffer;
}

Value Strings::text_result(uint32_t size, bool exact)
{
    TextTarget& target = targets_.back();
    if (target.address != kNone && target.mem == Mem::MapValue && target.size >= size && (exact || !target.padded)) {
        const Value address = target.address;
        target = {};
        return address;
    }
    return clause.scratch_temporary(size);
}

void Strings::text_into(const Operand& from, Value dst, int64_t offset, uint32_t size, bool pad)
{
    const uint32_t most = std::min<uint32_t>(size, static_cast<uint32_t>(module().options.strsize) + 1);
    // a number here is a value that was converted to a string: an address or the constant NULL
    if (from.kind == Operand::Kind::Number) {
        Operand address = from;
        address.kind = Operand::Kind::Text;
        address.mem = Mem::Kernel;
        address.may_be_null = true;
        return text_into(address, dst, offset, size, pad);
    }
    if (from.constant && from.text.size() <= kMaxInlineLiteral) {
        const std::string text = from.text.substr(0, most - 1);
        const uint32_t end = pad ? size : static_cast<uint32_t>(text.size()) + 1;
        uint32_t done = 0;
        while (done < end && done <= text.size()) {
            uint8_t step = 8;
            while (step > 1 && (done + step > size || (offset + done) % step != 0 || (!pad && done + step > end)))
                step /= 2;
            b().store(step, dst, offset + done, b().constant(static_cast<int64_t>(word_at(text, done, step))));
            done += step;
        }
        if (pad && done < size)
            clause.values.zero(dst, offset + done, size - done);
        return;
    }
    if (from.may_be_null)
        clause.fault_if(Op::Eq, from.value, b().constant(0), kFaultBadAddress, b().constant(0));
    if (pad)
        clause.values.zero(dst, offset, size);
    const Value to = clause.values.interior(dst, offset, size);
    const Value result = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                                         {to, b().constant(most), for_helper(clause, from.mem, from.value)});
    if (!from.loadable())
        clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, from.value);
}

/// Copies a character array as a string. The array need not contain a NUL; the string then ends with the array.
Operand Strings::closed(const Operand& from)
{
    if (!from.open)
        return from;
    Mem mem;
    const uint32_t size = std::min<uint32_t>(from.size + 1, static_cast<uint32_t>(module().options.strsize) + 1);
    const Value buffer = clause.temporary(align_up(size, 8), mem);
    const Value result = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                                         {buffer, b().constant(size), for_helper(clause, from.mem, from.value)});
    clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, from.value);
    return {Operand::Kind::Text, buffer, mem, size, false, false, {}};
}

/// Returns the string in memory from which programs can load directly; copies it there if necessary.
Operand Strings::loadable_text(const Operand& from)
{
    if (from.loadable() && !from.may_be_null)
        return from;
    const uint32_t size =
        std::min<uint32_t>(std::max<uint32_t>(from.size, 1), static_cast<uint32_t>(module().options.strsize) + 1);
    Mem mem;
    const Value buffer = clause.temporary(align_up(size, 8), mem);
    text_into(from, buffer, 0, align_up(size, 8), false);
    return {Operand::Kind::Text, buffer, mem, align_up(size, 8), false, false, {}};
}

/// Marks the string as not NULL, for the verifier and for the code that follows. The caller must know that it is not
/// NULL.
Operand Strings::present(Operand text)
{
    if (text.mem == Mem::MapOrNull) {
        text.value = b().not_null(text.value);
        text.mem = Mem::MapValue;
    }
    text.may_be_null = false;
    return text;
}

// Compares strings. Usually one of them is a literal and the operator is == or !=. In this case, the other string is
// not copied, or only as many of its bytes as the literal has. Strings are copied completely only for comparisons by
// order, such as <.

/// Yields as a number whether an address is 0 (or not 0, with Op::Ne), because the verifier allows no arithmetic on
/// addresses.
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

/// Goes to `equal` if the string begins with the literal and its NUL. Compares word by word and stops at the first
/// difference. If the last word contains further bytes of the string, they are masked out.
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
        if (given.text.may_be_null) { // NULL equals no literal, and the program must not dereference it
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
    if (is_elsewhere && !text.readable && comparison.bytes() < kMaxInlineLiteral)
        comparison.text = copied_piece(comparison);
    else if (text.mem != Mem::Btf)
        comparison.text = loadable_text(closed(text));
    branch_on_words(comparison, equal, differs);
}

/// Copies enough of a string to compare it with the literal: one byte more than the literal has, so that a longer
/// string is not truncated to the literal. The few bytes need no scratch slot.
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
    // First copies as many bytes as the literal has, without searching for a NUL, in half the time of a string copy.
    // For equal strings this always succeeds. It fails if the string is unreadable, or if it is shorter and its
    // readable memory ends there.
    const Value result =
        b().call_helper(kProbeReadUser, {piece.value, b().constant(bytes), for_helper(clause, Mem::User, text.value)});
    b().if_then(Op::Ne, result, b().constant(0), [&] { clause.arm(read_text); });
    return piece;
}

/// Returns whether a literal can be compared with a string in kernel memory without a copy. Unreadable memory loads as
/// 0. So the literal's last word must have other bytes besides the NUL, or it would look like unreadable memory.
bool Strings::is_comparable_in_place(const TextComparison& comparison) const
{
    const auto& [truth, text, offset, literal, beginning] = comparison;
    return text.mem == Mem::Kernel && clause.values.loads_anywhere() && !literal.empty() &&
           literal.size() < context().module.options.strsize && comparison.bytes() <= text.size;
}

/// Compares word by word, without a copy. A word that is unexpectedly 0 may be unreadable memory. In that case the
/// string is copied after all, which raises a fault if the memory is unreadable.
void Strings::branch_in_place(const TextComparison& comparison, ir::BlockId equal, ir::BlockId differs)
{
    const std::string& literal = comparison.literal;
    const std::size_t bytes = comparison.bytes();
    const ir::BlockId ask = b().block();
    for (std::size_t done = 0; done < bytes;) {
        if (done + 1 == bytes && !comparison.beginning)
            // the last word must contain another byte besides the NUL, because a word of zeros looks like unreadable
            // memory
            --done;
        const std::size_t left = bytes - done;
        const uint8_t width = left > 4 ? 8 : left > 2 ? 4 : static_cast<uint8_t>(left);
        const Value word = clause.values.load_anywhere(comparison.text.value, static_cast<int64_t>(done), width);
        Value counted = word;
        if (width > left) // bytes after the NUL may have any value and are masked; unreadable memory loads as 0
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

/// Yields the order of two strings: a negative number if `left` comes before `right`, 0 if they are equal, else a
/// positive number. If one of them is NULL, the addresses are compared (dtrace-language(7), OPERATORS): NULL is 0 and
/// sorts before every string.
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

/// Yields the order of two strings that are not NULL. Both are copied to buffers of equal size and padded with zeros.
/// So a function that all comparisons share can compare whole words.
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

// Lowers string expressions and their comparisons.

void Expressions::text_into(const TExpr& e, Value dst, int64_t offset, uint32_t size, bool pad)
{
    if (e.op == TOp::Conditional) {
        const ir::BlockId yes = b().block(), no = b().block(), join = b().block();
        condition(*e.kids[0], yes, no);
        b().enter(yes);
        clause.arm([&] { text_into(*e.kids[1], dst, offset, size, pad); });
        b().jump(join);
        b().enter(no);
        clause.arm([&] { text_into(*e.kids[2], dst, offset, size, pad); });
        b().jump(join);
        b().enter(join);
        return;
    }
    if (is_thread_name(e) && size >= kThreadName && clause.values.fits_thread_name()) {
        if (pad && size > kThreadName)
            clause.values.zero(dst, offset + kThreadName, size - kThreadName);
        return clause.builtins.thread_name_into(dst, offset, pad);
    }
    if (e.op == TOp::Call) {
        // The destination is offered to a subroutine that builds a string, so that it can write the string there
        // directly.
        if (pad)
            clause.values.zero(dst, offset, size);
        clause.strings.offer(clause.values.interior(dst, offset, size), size, pad);
        const Operand made = expression(e);
        if (!clause.strings.offer_was_taken())
            clause.strings.text_into(made, dst, offset, size, false);
        else if (made.may_be_null)
            clause.fault_if(Op::Eq, made.value, b().constant(0), kFaultBadAddress, b().constant(0));
        return;
    }
    clause.strings.text_into(expression(e), dst, offset, size, pad);
}

Operand Expressions::text(const TExpr& e)
{
    return clause.strings.closed(located(e));
}

/// Returns the string at the location where it is stored, without a copy.
Operand Expressions::located(const TExpr& e)
{
    if (e.op == TOp::StringOf) {
        const TExpr& inner = *e.kids[0];
        if (inner.type->is_string())
            return located(inner);
        Operand from;
        const Type* real = inner.type->resolve();
        if (real->kind == TypeKind::Array) {
            const Operand array = expression(inner);
            from = {Operand::Kind::Text, array.value, array.mem, static_cast<uint32_t>(real->size), false, false, {}};
            from.open = true;
            return from;
        }
        const Operand address = expression(inner);
        if (inner.scratch)
            return clause.area.scratch_text(address.value, clause.values.text_size(e.type));
        const bool user = real->kind == TypeKind::Pointer && real->space == AddressSpace::User;
        from = {Operand::Kind::Text,
                address.value,
                user ? Mem::User : Mem::Kernel,
                clause.values.text_size(e.type),
                true,
                false,
                {}};
        return from;
    }
    Operand result = expression(e);
    if (result.kind != Operand::Kind::Text) {
        result.kind = Operand::Kind::Text;
        result.mem = result.mem == Mem::None ? Mem::Kernel : result.mem;
        result.may_be_null = true;
        result.size = clause.values.text_size(e.type);
    }
    return result;
}

/// Returns the operand that is compared with `literal`. If the literal is shorter than strsize and kMaxInlineLiteral, a
/// string of a process is not copied completely.
Operand Expressions::located_anywhere(const TExpr& e, const std::string& literal)
{
    const bool of_process =
        e.op == TOp::Call && e.subroutine && (e.subroutine->flags & kProcessText) != 0 && e.kids.size() == 1;
    const auto strsize = static_cast<uint32_t>(module().options.strsize);
    if (!of_process || literal.size() + 1 >= strsize || literal.size() >= kMaxInlineLiteral)
        return located(e);
    return {Operand::Kind::Text, value(*e.kids[0]), Mem::User, strsize, false, false, {}};
}

Value Expressions::is_null_text(const TExpr& e)
{
    const Operand operand = text(e);
    return operand.may_be_null ? clause.strings.is_zero_address(Op::Eq, operand.value) : b().constant(0);
}

Value Expressions::compare_text(const TExpr& e)
{
    const TextComparison compared = comparison(e);
    if (compared.truth != kNone)
        return compared.truth;
    const ir::BlockId yes = b().block(), no = b().block();
    clause.strings.branch_on_literal(e.op == TOp::Equal, compared, yes, no);
    return b().join(
        yes, no, [this] { return b().constant(1); }, [this] { return b().constant(0); });
}

void Expressions::branch_on_text(const TExpr& e, ir::BlockId yes, ir::BlockId no)
{
    const TextComparison compared = comparison(e);
    if (compared.truth != kNone)
        return b().branch(Op::Ne, compared.truth, b().constant(0), yes, no);
    clause.strings.branch_on_literal(e.op == TOp::Equal, compared, yes, no);
}

TextComparison Expressions::comparison(const TExpr& e)
{
    const TExpr *l = e.kids[0], *r = e.kids[1];
    const bool equality = e.op == TOp::Equal || e.op == TOp::NotEqual;
    // A comparison with NULL only tests whether the address is 0.
    for (const auto& [one, other] : {std::pair(l, r), std::pair(r, l)})
        if (equality && other->op == TOp::Integer) {
            const Value null = is_null_text(*one);
            return {e.op == TOp::Equal ? null : b().binary(Op::Xor, null, b().constant(1)), {}, 0, {}};
        }
    // Clauses know the components of the fired probe's name as numbers, the name ids. So the comparison compares ids.
    for (const auto& [one, other] : {std::pair(l, r), std::pair(r, l)})
        if (equality && probe_component_index(*one) >= 0 && other->op == TOp::String && context().ecb != kNone) {
            const Operand id = clause.builtins.probe_component(probe_component_index(*one));
            const Value same = b().binary(Op::Eq, id.value, b().constant(module().layout.name_id(other->text)));
            return {e.op == TOp::Equal ? same : b().binary(Op::Xor, same, b().constant(1)), {}, 0, {}};
        }
    if (auto name = thread_name_comparison(e))
        return *name;
    if (auto beginning = prefix_comparison(e))
        return *beginning;
    const bool in_place = equality && (l->op == TOp::String || r->op == TOp::String);
    Operand left = in_place ? located_anywhere(*l, r->text) : text(*l);
    Operand right = in_place ? located_anywhere(*r, l->text) : text(*r);
    // If both strings are constant, the result of the comparison is constant and needs no code. Scripts test in this
    // way whether a macro argument was given.
    const auto whole = [this](const Operand& operand) {
        return operand.constant && operand.text.size() < static_cast<std::size_t>(module().options.strsize);
    };
    if (whole(left) && whole(right))
        return {clause.strings.order_to_truth(b().constant(std::strcmp(left.text.c_str(), right.text.c_str())), e.op),
                {},
                0,
                {}};
    bool swapped = false;
    if (left.constant && !right.constant) {
        std::swap(left, right);
        swapped = true;
    }
    if (right.constant && equality && right.text.size() < kMaxInlineLiteral)
        return {kNone, left, 0, right.text};
    left = clause.strings.closed(left);
    TOp op = e.op;
    if (swapped)
        op = op == TOp::Less           ? TOp::Greater
             : op == TOp::LessEqual    ? TOp::GreaterEqual
             : op == TOp::Greater      ? TOp::Less
             : op == TOp::GreaterEqual ? TOp::LessEqual
                                       : op;
    return {clause.strings.order_to_truth(clause.strings.text_order(left, right), op), {}, 0, {}};
}

/// Returns a comparison of substr(text, 0, n) with a literal. It compares the beginning of `text` and does not build
/// the substring.
std::optional<TextComparison> Expressions::prefix_comparison(const TExpr& e)
{
    if (e.op != TOp::Equal && e.op != TOp::NotEqual)
        return std::nullopt;
    for (const auto& [one, other] : {std::pair(e.kids[0], e.kids[1]), std::pair(e.kids[1], e.kids[0])}) {
        const bool is_piece =
            one->op == TOp::Call && one->subroutine && (one->subroutine->flags & kPiece) != 0 && one->kids.size() == 3;
        if (!is_piece || other->op != TOp::String || one->kids[1]->op != TOp::Integer || one->kids[1]->value != 0 ||
            one->kids[2]->op != TOp::Integer)
            continue;
        const std::string& literal = other->text;
        const int64_t count = one->kids[2]->value,
                      most = static_cast<int64_t>(std::min<uint64_t>(module().options.strsize, kMaxInlineLiteral));
        if (literal.empty() || literal.find('\0') != std::string::npos ||
            static_cast<int64_t>(literal.size()) > count || count >= most)
            continue;
        std::optional<TextComparison> comparison =
            is_thread_name(*one->kids[0]) ? clause.strings.thread_name(literal) : std::nullopt;
        if (!comparison) {
            Operand whole = located_anywhere(*one->kids[0], literal);
            if (whole.constant)
                return std::nullopt;
            if (whole.may_be_null) {
                clause.fault_if(Op::Eq, whole.value, b().constant(0), kFaultBadAddress, b().constant(0));
                whole = clause.strings.present(whole);
            }
            comparison = TextComparison{kNone, whole, 0, literal};
        }
        comparison->beginning = static_cast<int64_t>(literal.size()) == count;
        return comparison;
    }
    return std::nullopt;
}

/// Returns a comparison that reads the thread's name directly in the task_struct, without copying the name.
std::optional<TextComparison> Expressions::thread_name_comparison(const TExpr& e)
{
    if (e.op != TOp::Equal && e.op != TOp::NotEqual)
        return std::nullopt;
    for (const auto& [one, other] : {std::pair(e.kids[0], e.kids[1]), std::pair(e.kids[1], e.kids[0])})
        if (is_thread_name(*one) && other->op == TOp::String)
            return clause.strings.thread_name(other->text);
    return std::nullopt;
}

} // namespace dt::lower
