// Checker of binary operators and the conditional operator, and of their result types.
#pragma once

#include <set>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Operators : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a + b + c + … of any length without recursion.
    TExpr* binary_chain(const ast::Expr& e);
    TExpr* arithmetic(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* additive(TOp op, TExpr* a, TExpr* b, const Span& at);
    /// Checks unary -, ~ or + (Add) of a number.
    TExpr* complement(TOp op, TExpr* operand, const Span& at);
    TExpr* conditional(const ast::Expr& e);
    TExpr* comma(const ast::Expr& e);
    /// Returns whether the value is a ?: that mixes scratch and other pointers: such a value can be used but must not
    /// be stored.
    bool mixes_pointers(const TExpr* value) const { return mixed_values_.count(value) != 0; }
    /// Adds a number of elements to a pointer, or subtracts it from the pointer.
    TExpr* pointer_step(TOp op, TExpr* pointer, TExpr* count, const Span& at);

    /// Returns whether an operation of this type must wrap at 32 bits, because the type is unsigned int, which has no
    /// negative values (operators.cpp).
    bool wraps_around(const Type* type, const TExpr* a, const TExpr* b) const;
    /// Converts an operand of an operation that wraps at 32 bits to unsigned, as C does, if the operand may be
    /// negative.
    TExpr* unsigned_operand(TExpr* value, const Type* type);

private:
    bool is_wide(const TExpr* value) const;
    TExpr* comparison(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* logical(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* binary_of(ast::Operator op, TExpr* a, TExpr* b, const Span& at);
    TExpr* binary(const ast::Expr& e);
    TExpr* compared_text(TExpr* value);
    TExpr* kernel_enumerator(const Type* left, const ast::Expr& right);

    std::set<const TExpr*> mixed_values_;
    /// values computed from variables of 64 bits: these values have 64 bits whatever their type is
    std::set<const TExpr*> wide_;
};

} // namespace dt::sema
