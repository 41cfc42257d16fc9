// Strings. They never live on the BPF stack beyond a few words: text is evaluated straight into where it is wanted (a record, a key, a
// variable), and only what must outlive that gets a scratch buffer. Every buffer ends in a NUL; hash keys are zero after it.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>
#include <cstring>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr std::size_t kMostInlineLiteral = 64; // longer ones are compared and copied by a helper

uint64_t word_at(const std::string& text, std::size_t at, uint8_t width)
{
    uint64_t word = 0;
    for (std::size_t i = 0; i < width && at + i < text.size(); ++i)
        word |= static_cast<uint64_t>(static_cast<uint8_t>(text[at + i])) << (8 * i);
    return word;
}

} // namespace

uint32_t Strings::text_size(const Type* type) const
{
    const Type* real = type->resolve();
    const uint32_t most = static_cast<uint32_t>(context().module.options.strsize) + 1;
    if (real->kind != TypeKind::String || real->size == 0)
        return most;
    return std::min<uint32_t>(static_cast<uint32_t>(real->size), most);
}

void Strings::text_into(const TExpr& e, Value dst, int64_t offset, uint32_t size, bool pad)
{
    if (e.op == TOp::Conditional) {
        const ir::BlockId yes = b().block(), no = b().block(), join = b().block();
        clause.expressions.condition(*e.kids[0], yes, no);
        b().enter(yes);
        clause.arm([&] { text_into(*e.kids[1], dst, offset, size, pad); });
        b().jump(join);
        b().enter(no);
        clause.arm([&] { text_into(*e.kids[2], dst, offset, size, pad); });
        b().jump(join);
        b().enter(join);
        return;
    }
    if (is_thread_name(e) && size >= kThreadName) {
        if (pad && size > kThreadName)
            clause.memory.zero(dst, offset + kThreadName, size - kThreadName);
        return clause.builtins.thread_name_into(dst, offset, pad);
    }
    if (e.op == TOp::Call) {
        // A subroutine that makes text may write it where it is wanted.
        if (pad)
            clause.memory.zero(dst, offset, size);
        target_ = {interior(dst, offset, size), size, b().instr(dst).mem, pad};
        const Operand made = clause.expressions.expression(e);
        const bool done = target_.address == kNone;
        target_ = {};
        if (!done)
            text_into(made, dst, offset, size, false, e.at);
        else if (made.may_be_null)
            clause.fault_if(Op::Eq, made.value, b().constant(0), kFaultBadAddress, b().constant(0));
        return;
    }
    text_into(clause.expressions.expression(e), dst, offset, size, pad, e.at);
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

/// A temporary whose every byte may be read: texts are compared by words, and the verifier wants what it reads of the stack written.
Value Strings::text_temporary(uint32_t size, Mem& mem)
{
    const Value buffer = clause.temporary(size, mem);
    if (mem == Mem::Stack)
        clause.memory.zero(buffer, 0, align_up(size, 8));
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

Value Strings::interior(Value base, int64_t offset, uint32_t region)
{
    if (offset == 0)
        return base;
    const Value at = b().binary(Op::Add, base, b().constant(offset));
    b().instr(at).mem = b().instr(base).mem;
    b().instr(at).region = region;
    return at;
}

Value Strings::address_number(const Operand& from)
{
    if (!from.loadable() && !from.readable && from.mem != Mem::MapOrNull)
        return from.value;
    return b().call_runtime("dt_address", {from.value});
}

Value Strings::at_most(Value size, uint32_t limit)
{
    const Value most = b().constant(limit);
    return b().select(Op::ULt, size, most, size, most);
}

void Strings::text_into(const Operand& from, Value dst, int64_t offset, uint32_t size, bool pad, const Span&)
{
    const uint32_t most = std::min<uint32_t>(size, static_cast<uint32_t>(module().options.strsize) + 1);
    if (from.kind == Operand::Kind::Number) { // an address taken as a string, or the constant NULL
        Operand address = from;
        address.kind = Operand::Kind::Text;
        address.mem = Mem::Kernel;
        address.may_be_null = true;
        return text_into(address, dst, offset, size, pad, {});
    }
    if (from.constant && from.text.size() <= kMostInlineLiteral) {
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
            clause.memory.zero(dst, offset + done, size - done);
        return;
    }
    if (from.may_be_null)
        clause.fault_if(Op::Eq, from.value, b().constant(0), kFaultBadAddress, b().constant(0));
    if (pad)
        clause.memory.zero(dst, offset, size);
    const Value to = interior(dst, offset, size);
    const Value result = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr, {to, b().constant(most), from.value});
    if (!from.loadable())
        clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, from.value);
}

Operand Strings::text(const TExpr& e)
{
    return closed(located(e));
}

/// A character array need not end in a NUL: copied, cut at its size.
Operand Strings::closed(const Operand& from)
{
    if (!from.open)
        return from;
    Mem mem;
    const uint32_t size = std::min<uint32_t>(from.size + 1, static_cast<uint32_t>(module().options.strsize) + 1);
    const Value buffer = clause.temporary(align_up(size, 8), mem);
    const Value result = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr, {buffer, b().constant(size), from.value});
    clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, from.value);
    return {Operand::Kind::Text, buffer, mem, size, false, false, {}};
}

/// Text where it is.
Operand Strings::located(const TExpr& e)
{
    if (e.op == TOp::StringOf) {
        const TExpr& inner = *e.kids[0];
        if (inner.type->is_string())
            return located(inner);
        Operand from;
        const Type* real = inner.type->resolve();
        if (real->kind == TypeKind::Array) {
            const Operand array = clause.expressions.expression(inner);
            from = {Operand::Kind::Text, array.value, array.mem, static_cast<uint32_t>(real->size), false, false, {}};
            from.open = true;
            return from;
        }
        const Operand address = clause.expressions.expression(inner);
        if (inner.scratch)
            return clause.area.scratch_text(address.value, text_size(e.type));
        const bool user = real->kind == TypeKind::Pointer && real->space == AddressSpace::User;
        from = {Operand::Kind::Text, address.value, user ? Mem::User : Mem::Kernel, text_size(e.type), true, false, {}};
        return from;
    }
    Operand result = clause.expressions.expression(e);
    if (result.kind != Operand::Kind::Text) {
        result.kind = Operand::Kind::Text;
        result.mem = result.mem == Mem::None ? Mem::Kernel : result.mem;
        result.may_be_null = true;
        result.size = text_size(e.type);
    }
    return result;
}

/// The same to be compared with a literal, for which the text of a process need not be copied as a whole. Unless cutting it at strsize decides.
Operand Strings::located_anywhere(const TExpr& e, const std::string& literal)
{
    const bool of_process = e.op == TOp::Call && e.subroutine && (e.subroutine->flags & kProcessText) != 0 && e.kids.size() == 1;
    const auto strsize = static_cast<uint32_t>(module().options.strsize);
    if (!of_process || literal.size() + 1 >= strsize || literal.size() >= kMostInlineLiteral)
        return located(e);
    return {Operand::Kind::Text, clause.expressions.value(*e.kids[0]), Mem::User, strsize, false, false, {}};
}

/// A copy in a buffer of our own, unless loads may go straight to where it is.
Operand Strings::loadable_text(const Operand& from, const Span& at)
{
    if (from.loadable() && !from.may_be_null)
        return from;
    const uint32_t size = std::min<uint32_t>(std::max<uint32_t>(from.size, 1), static_cast<uint32_t>(module().options.strsize) + 1);
    Mem mem;
    const Value buffer = clause.temporary(align_up(size, 8), mem);
    text_into(from, buffer, 0, align_up(size, 8), false, at);
    return {Operand::Kind::Text, buffer, mem, align_up(size, 8), false, false, {}};
}

/// Whether an address is 0 (or, with Op::Ne, is not), as a number: there is no arithmetic on addresses.
Value Strings::is_zero_address(Op op, Value address)
{
    return b().select(
        op, address, b().constant(0), [this] { return b().constant(1); }, [this] { return b().constant(0); });
}

Value Strings::is_null_text(const TExpr& e)
{
    const Operand operand = text(e);
    return operand.may_be_null ? is_zero_address(Op::Eq, operand.value) : b().constant(0);
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

/// Goes to `equal` when the text begins with the literal and its NUL: word by word, leaving at the first difference. A word may have bytes of the text
/// that do not count.
void Strings::branch_on_words(const Comparison& comparison, ir::BlockId equal, ir::BlockId differs)
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

void Strings::branch_on_literal(const TExpr& e, const Comparison& given, ir::BlockId yes, ir::BlockId no)
{
    const bool wants_equal = e.op == TOp::Equal;
    const ir::BlockId equal = wants_equal ? yes : no, differs = wants_equal ? no : yes;
    if (given.bytes() > given.text.size + (given.text.open ? 1 : 0))
        return b().jump(differs);
    clause.arm([&] {
        Comparison comparison = given;
        if (given.text.may_be_null) { // which equals no literal and must not be read
            const ir::BlockId there = b().block();
            b().branch(Op::Ne, given.text.value, b().constant(0), there, differs);
            b().enter(there);
            comparison.text = present(given.text);
        }
        if (is_comparable_in_place(comparison))
            branch_in_place(comparison, e.at, equal, differs);
        else
            branch_on_copy(comparison, e.at, equal, differs);
    });
}

void Strings::branch_on_copy(Comparison comparison, const Span& at, ir::BlockId equal, ir::BlockId differs)
{
    const Operand& text = comparison.text;
    const bool is_elsewhere = text.mem == Mem::Kernel || text.mem == Mem::User;
    if (is_elsewhere && !text.readable && comparison.bytes() < kMostInlineLiteral)
        comparison.text = copied_piece(comparison);
    else if (text.mem != Mem::Btf)
        comparison.text = loadable_text(closed(text), at);
    branch_on_words(comparison, equal, differs);
}

/// As much of a text as tells whether it is the literal: a byte more than that has, so that a longer one is not cut to it. No scratch need be claimed
/// for so little.
Operand Strings::copied_piece(const Comparison& comparison)
{
    const Operand& text = comparison.text;
    const auto strsize = static_cast<uint32_t>(module().options.strsize), bytes = static_cast<uint32_t>(comparison.bytes());
    const uint32_t size = std::min({bytes + 1, text.size + (text.open ? 1 : 0), strsize + 1});
    Operand piece{Operand::Kind::Text, kNone, Mem::None, bytes, false, false, {}};
    piece.value = clause.temporary(size, piece.mem);
    const auto read_text = [&] {
        const Value result = b().call_helper(text.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr, {piece.value, b().constant(size), text.value});
        clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, text.value);
    };
    if (text.mem == Mem::Kernel || bytes > std::min(text.size, strsize)) {
        read_text();
        return piece;
    }
    // A text that is equal can be read as far as its NUL, in half the time that looking for a NUL takes. Where that fails it may be shorter and end
    // with the memory, or be unreadable.
    const Value result = b().call_helper(kProbeReadUser, {piece.value, b().constant(bytes), text.value});
    b().if_then(Op::Ne, result, b().constant(0), [&] { clause.arm(read_text); });
    return piece;
}

/// In the kernel's memory. The word that holds the NUL shall hold something else too, because 0 is what cannot be read.
bool Strings::is_comparable_in_place(const Comparison& comparison) const
{
    const auto& [truth, text, offset, literal, beginning] = comparison;
    return text.mem == Mem::Kernel && clause.memory.loads_anywhere() && !literal.empty() && literal.size() < context().module.options.strsize &&
           comparison.bytes() <= text.size;
}

/// Word by word. A word that is 0 where it should not be may be unreadable: then the text is copied, or the fault is told.
void Strings::branch_in_place(const Comparison& comparison, const Span& at, ir::BlockId equal, ir::BlockId differs)
{
    const std::string& literal = comparison.literal;
    const std::size_t bytes = comparison.bytes();
    const ir::BlockId ask = b().block();
    for (std::size_t done = 0; done < bytes;) {
        if (done + 1 == bytes && !comparison.beginning)
            --done; // the NUL alone
        const std::size_t left = bytes - done;
        const uint8_t width = left > 4 ? 8 : left > 2 ? 4 : static_cast<uint8_t>(left);
        const Value word = clause.memory.load_anywhere(comparison.text.value, static_cast<int64_t>(done), width);
        Value counted = word;
        if (width > left) // what follows may be anything; where it cannot be read, all is 0
            counted = b().binary(Op::And, word, b().constant((int64_t{1} << 8 * left) - 1));
        const auto wanted = static_cast<int64_t>(word_at(literal, done, static_cast<uint8_t>(std::min<std::size_t>(width, left))));
        done += width;
        const ir::BlockId same = done < bytes ? b().block() : equal, other = b().block();
        b().branch(Op::Eq, counted, b().constant(wanted), same, other);
        b().enter(other);
        b().branch(Op::Eq, word, b().constant(0), ask, differs);
        if (same != equal)
            b().enter(same);
    }
    b().enter(ask);
    clause.arm([&] { branch_on_copy(comparison, at, equal, differs); });
}

/// The thread's name where the task has it, which nobody need copy to look at it.
std::optional<Strings::Comparison> Strings::thread_name_comparison(const TExpr& e)
{
    if (e.op != TOp::Equal && e.op != TOp::NotEqual)
        return std::nullopt;
    for (const auto& [one, other] : {std::pair(e.kids[0], e.kids[1]), std::pair(e.kids[1], e.kids[0])})
        if (is_thread_name(*one) && other->op == TOp::String)
            return thread_name(other->text);
    return std::nullopt;
}

std::optional<Strings::Comparison> Strings::thread_name(const std::string& literal)
{
    const auto at = module().world.task_offset("comm");
    if (!at || module().options.strsize + 1 < kThreadName)
        return std::nullopt;
    return Comparison{kNone, {Operand::Kind::Text, clause.builtins.task(), Mem::Btf, kThreadName, false, false, {}}, *at, literal};
}

/// substr(text, 0, n) and a literal: nobody need copy the piece to see what the text begins with.
std::optional<Strings::Comparison> Strings::beginning_comparison(const TExpr& e)
{
    if (e.op != TOp::Equal && e.op != TOp::NotEqual)
        return std::nullopt;
    for (const auto& [one, other] : {std::pair(e.kids[0], e.kids[1]), std::pair(e.kids[1], e.kids[0])}) {
        const bool is_piece = one->op == TOp::Call && one->subroutine && (one->subroutine->flags & kPiece) != 0 && one->kids.size() == 3;
        if (!is_piece || other->op != TOp::String || one->kids[1]->op != TOp::Integer || one->kids[1]->value != 0 || one->kids[2]->op != TOp::Integer)
            continue;
        const std::string& literal = other->text;
        const int64_t count = one->kids[2]->value, most = static_cast<int64_t>(std::min<uint64_t>(module().options.strsize, kMostInlineLiteral));
        if (literal.empty() || literal.find('\0') != std::string::npos || static_cast<int64_t>(literal.size()) > count || count >= most)
            continue;
        std::optional<Comparison> comparison = is_thread_name(*one->kids[0]) ? thread_name(literal) : std::nullopt;
        if (!comparison) {
            Operand whole = located_anywhere(*one->kids[0], literal);
            if (whole.constant)
                return std::nullopt;
            if (whole.may_be_null) {
                clause.fault_if(Op::Eq, whole.value, b().constant(0), kFaultBadAddress, b().constant(0));
                whole = present(whole);
            }
            comparison = Comparison{kNone, whole, 0, literal};
        }
        comparison->beginning = static_cast<int64_t>(literal.size()) == count;
        return comparison;
    }
    return std::nullopt;
}

Value Strings::compare_text(const TExpr& e)
{
    const Comparison compared = comparison(e);
    if (compared.truth != kNone)
        return compared.truth;
    const ir::BlockId yes = b().block(), no = b().block();
    branch_on_literal(e, compared, yes, no);
    return b().join(
        yes, no, [this] { return b().constant(1); }, [this] { return b().constant(0); });
}

void Strings::branch_on_text(const TExpr& e, ir::BlockId yes, ir::BlockId no)
{
    const Comparison compared = comparison(e);
    if (compared.truth != kNone)
        return b().branch(Op::Ne, compared.truth, b().constant(0), yes, no);
    branch_on_literal(e, compared, yes, no);
}

Strings::Comparison Strings::comparison(const TExpr& e)
{
    const TExpr *l = e.kids[0], *r = e.kids[1];
    const bool equality = e.op == TOp::Equal || e.op == TOp::NotEqual;
    // Comparison with NULL tests absence.
    for (const auto& [one, other] : {std::pair(l, r), std::pair(r, l)})
        if (equality && other->op == TOp::Integer) {
            const Value null = is_null_text(*one);
            return {e.op == TOp::Equal ? null : b().binary(Op::Xor, null, b().constant(1)), {}, 0, {}};
        }
    // The firing probe's names are numbers until somebody wants to see them.
    for (const auto& [one, other] : {std::pair(l, r), std::pair(r, l)})
        if (equality && probe_component_index(*one) >= 0 && other->op == TOp::String && context().ecb != kNone) {
            const Operand id = clause.builtins.probe_component(probe_component_index(*one));
            const Value same = b().binary(Op::Eq, id.value, b().constant(module().name_id(other->text)));
            return {e.op == TOp::Equal ? same : b().binary(Op::Xor, same, b().constant(1)), {}, 0, {}};
        }
    if (auto name = thread_name_comparison(e))
        return *name;
    if (auto beginning = beginning_comparison(e))
        return *beginning;
    const bool in_place = equality && (l->op == TOp::String || r->op == TOp::String);
    Operand left = in_place ? located_anywhere(*l, r->text) : text(*l);
    Operand right = in_place ? located_anywhere(*r, l->text) : text(*r);
    // Scripts ask so whether a macro argument was given: what hangs on the answer needs no code.
    const auto whole = [this](const Operand& operand) { return operand.constant && operand.text.size() < static_cast<std::size_t>(module().options.strsize); };
    if (whole(left) && whole(right))
        return {order_to_truth(b().constant(std::strcmp(left.text.c_str(), right.text.c_str())), e.op), {}, 0, {}};
    bool swapped = false;
    if (left.constant && !right.constant) {
        std::swap(left, right);
        swapped = true;
    }
    if (right.constant && equality && right.text.size() < kMostInlineLiteral)
        return {kNone, left, 0, right.text};
    left = closed(left);
    TOp op = e.op;
    if (swapped)
        op = op == TOp::Less           ? TOp::Greater
             : op == TOp::LessEqual    ? TOp::GreaterEqual
             : op == TOp::Greater      ? TOp::Less
             : op == TOp::GreaterEqual ? TOp::LessEqual
                                       : op;
    return {order_to_truth(text_order(left, right, e.at), op), {}, 0, {}};
}

/// Text that may be NULL, where it is known not to be.
Operand Strings::present(Operand text)
{
    if (text.mem == Mem::MapOrNull) {
        text.value = b().not_null(text.value);
        text.mem = Mem::MapValue;
    }
    text.may_be_null = false;
    return text;
}

/// Less than, equal to or greater than 0 as `left` sorts before, with or after `right`. When one of them is NULL the addresses are compared
/// (language reference 4.4): NULL is 0, before every text.
Value Strings::text_order(const Operand& left, const Operand& right, const Span& at)
{
    if (!left.may_be_null && !right.may_be_null)
        return present_order(left, right, at);
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
    clause.arm([&] { order = present_order(known[0], known[1], at); });
    b().jump(join);
    b().enter(absent);
    const auto there = [&](const Operand& side) { return side.may_be_null ? is_zero_address(Op::Ne, side.value) : b().constant(1); };
    const Value left_there = there(left), addresses = b().binary(Op::Sub, left_there, there(right));
    b().jump(join);
    b().enter(join);
    return b().phi({order, addresses});
}

/// The order of two texts that are there. Both are padded with zeros in buffers of one size, so that a shared function may compare whole
/// words.
Value Strings::present_order(const Operand& left, const Operand& right, const Span& at)
{
    const uint32_t size = module().string_size();
    Value sides[2];
    int i = 0;
    for (const Operand* side : {&left, &right}) {
        sides[i] = clause.scratch_temporary(size);
        text_into(*side, sides[i], 0, size, true, at);
        ++i;
    }
    return b().call_local(module().compare_function(), {sides[0], sides[1]});
}

} // namespace dt::lower
