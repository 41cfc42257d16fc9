// Creates nodes of the expression tree of a generated program, and literals in all notations of D.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "test/verify/differential/program.hpp"
#include "test/verify/generate.hpp" // for Random

namespace dt::differential {

inline ExprPtr node(Op op, TypeId type, std::vector<ExprPtr> kids = {})
{
    auto e = std::make_unique<Expr>();
    e->op = op;
    e->type = type;
    e->kids = std::move(kids);
    return e;
}

template <typename... Kids> ExprPtr make(Op op, TypeId type, Kids... kids)
{
    std::array<ExprPtr, sizeof...(kids)> list{std::move(kids)...};
    return node(op, type, {std::make_move_iterator(list.begin()), std::make_move_iterator(list.end())});
}

inline ExprPtr literal_of(std::string spelling, int64_t value, TypeId type)
{
    ExprPtr e = node(Op::Literal, type);
    e->text = std::move(spelling);
    e->value = value;
    return e;
}

inline ExprPtr text_literal(std::string text)
{
    ExprPtr e = node(Op::Text, kText);
    e->text = std::move(text);
    return e;
}

inline ExprPtr cast(ExprPtr e, TypeId type)
{
    return make(Op::Cast, type, std::move(e));
}

/// Returns a value of the type, usually small or at the limits of an integer type.
int64_t edge_value(TypeId type, verify::Random& random);

/// Returns a value of the type as a literal if D has one, otherwise as a cast. `random` chooses the notation.
ExprPtr spelled(int64_t value, TypeId type, verify::Random& random);

/// Returns a copy of the expression in which each variable in `variables` is replaced by the value at the same position
/// of `values`.
ExprPtr with_values(const Expr& e, const std::vector<uint32_t>& variables, const std::vector<ExprPtr>& values);

} // namespace dt::differential
