// Making nodes of a generated program's expressions, and literals in all the spellings that D has.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "test/verify/differential/program.hpp"
#include "test/verify/generate.hpp" // Random

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

/// A value of the type, mostly a small one or one at the edges of integers.
int64_t edge_value(TypeId type, verify::Random& random);

/// A value of the type, as a literal where the language has one for it, else cast. `random` chooses the spelling.
ExprPtr spelled(int64_t value, TypeId type, verify::Random& random);

/// The same expression with the value of each variable that is in `variables`, at the same place of `values`, instead
/// of it.
ExprPtr with_values(const Expr& e, const std::vector<uint32_t>& variables, const std::vector<ExprPtr>& values);

} // namespace dt::differential
