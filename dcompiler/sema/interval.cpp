// Derives bounds of integer expressions from their types, constants and operators. Arithmetic that may overflow has no
// bounds.
#include "dcompiler/sema/interval.hpp"

#include <algorithm>

namespace dt::sema {

namespace {

std::optional<Interval> interval_of(const Type* type)
{
    type = type->resolve();
    if (!type->is_integer() || type->size == 0 || type->size >= 8)
        return {};
    const int64_t values = int64_t{1} << (8 * type->size);
    return type->is_signed ? Interval{-values / 2, values / 2 - 1} : Interval{0, values - 1};
}

std::optional<Interval> sum(const Interval& a, int64_t low, int64_t high)
{
    Interval result;
    if (__builtin_add_overflow(a.low, low, &result.low) || __builtin_add_overflow(a.high, high, &result.high))
        return {};
    return result;
}

std::optional<Interval> masked(const std::optional<Interval>& a, const std::optional<Interval>& b)
{
    std::optional<Interval> result;
    for (const auto& side : {a, b})
        if (side && side->low >= 0)
            result = Interval{0, result ? std::min(result->high, side->high) : side->high};
    return result;
}

std::optional<Interval> remainder(const TExpr& e, const std::optional<Interval>& a, const std::optional<Interval>& b)
{
    if (!b || b->low <= 0)
        return {};
    const bool positive = !e.is_signed || (a && a->low >= 0);
    return Interval{positive ? 0 : 1 - b->high, b->high - 1};
}

std::optional<Interval> of_operator(const TExpr& e)
{
    const auto a = certain_interval(*e.kids[0]), b = certain_interval(*e.kids[1]);
    switch (e.op) {
    case TOp::BitAnd:
        return masked(a, b);
    case TOp::Modulo:
        return remainder(e, a, b);
    case TOp::Add:
        return a && b ? sum(*a, b->low, b->high) : std::nullopt;
    default:
        return a && b && b->low != INT64_MIN ? sum(*a, -b->high, -b->low) : std::nullopt;
    }
}

} // namespace

std::optional<Interval> certain_interval(const TExpr& e)
{
    switch (e.op) {
    case TOp::Integer:
        return Interval{e.value, e.value};
    case TOp::BitAnd:
    case TOp::Modulo:
    case TOp::Add:
    case TOp::Subtract:
        return of_operator(e);
    case TOp::Cast: {
        const auto from = e.kids[0]->type->is_integer() ? certain_interval(*e.kids[0]) : std::nullopt;
        const auto most = interval_of(e.type);
        return from && (!most || (from->low >= most->low && from->high <= most->high)) ? from : most;
    }
    case TOp::Variable:
        return interval_of(e.variable->stored);
    case TOp::Builtin:
    case TOp::Member:
    case TOp::Deref:
    case TOp::Index:
        return interval_of(e.type);
    case TOp::Not:
    case TOp::Equal:
    case TOp::NotEqual:
    case TOp::Less:
    case TOp::LessEqual:
    case TOp::Greater:
    case TOp::GreaterEqual:
        return Interval{0, 1};
    default:
        return {};
    }
}

} // namespace dt::sema
