// Lowers text expressions and their comparisons.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>
#include <cstring>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

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
        // A subroutine that builds text may write it directly to its destination.
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

/// Returns text in place, without a copy.
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

/// Returns text in place for a comparison with a literal, for which a process's text need not be copied completely.
/// This does not apply if the truncation at strsize affects the result.
Operand Expressions::located_anywhere(const TExpr& e, const std::string& literal)
{
    const bool of_process =
        e.op == TOp::Call && e.subroutine && (e.subroutine->flags & kProcessText) != 0 && e.kids.size() == 1;
    const auto strsize = static_cast<uint32_t>(module().options.strsize);
    if (!of_process || literal.size() + 1 >= strsize || literal.size() >= kMostInlineLiteral)
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
    // A comparison with NULL tests for absence.
    for (const auto& [one, other] : {std::pair(l, r), std::pair(r, l)})
        if (equality && other->op == TOp::Integer) {
            const Value null = is_null_text(*one);
            return {e.op == TOp::Equal ? null : b().binary(Op::Xor, null, b().constant(1)), {}, 0, {}};
        }
    // Names of the firing probe are numbers, so compare the numbers.
    for (const auto& [one, other] : {std::pair(l, r), std::pair(r, l)})
        if (equality && probe_component_index(*one) >= 0 && other->op == TOp::String && context().ecb != kNone) {
            const Operand id = clause.builtins.probe_component(probe_component_index(*one));
            const Value same = b().binary(Op::Eq, id.value, b().constant(module().layout.name_id(other->text)));
            return {e.op == TOp::Equal ? same : b().binary(Op::Xor, same, b().constant(1)), {}, 0, {}};
        }
    if (auto name = thread_name_comparison(e))
        return *name;
    if (auto beginning = beginning_comparison(e))
        return *beginning;
    const bool in_place = equality && (l->op == TOp::String || r->op == TOp::String);
    Operand left = in_place ? located_anywhere(*l, r->text) : text(*l);
    Operand right = in_place ? located_anywhere(*r, l->text) : text(*r);
    // Scripts test this way whether a macro argument was given. The branch needs no code if both are constant.
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
    if (right.constant && equality && right.text.size() < kMostInlineLiteral)
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

/// Returns a comparison of substr(text, 0, n) with a literal without copying the substring.
std::optional<TextComparison> Expressions::beginning_comparison(const TExpr& e)
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
                      most = static_cast<int64_t>(std::min<uint64_t>(module().options.strsize, kMostInlineLiteral));
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

/// Returns a comparison with the thread's name in the task, without copying it.
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
