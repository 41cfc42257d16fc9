// Checker of binary operators and the conditional operator, and of their result types.
#pragma once

#include <set>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Operators : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a sum a + b + c + … of any length without recursion.
    TExpr* binary_chain(const ast::Expr& e);
    TExpr* arithmetic(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* additive(TOp op, TExpr* a, TExpr* b, const Span& at);
    /// Checks unary -, ~ and + (Add) for a number.
    TExpr* complement(TOp op, TExpr* operand, const Span& at);
    TExpr* conditional(const ast::Expr& e);
    TExpr* comma(const ast::Expr& e);
    /// Returns whether the value is a ?: of a scratch pointer and another pointer. Programs may use such a value but
    /// not store it.
    bool mixes_pointers(const TExpr* value) const { return mixed_values_.count(value) != 0; }
    /// Returns the sum or difference of a pointer and a number of elements.
    TExpr* pointer_step(TOp op, TExpr* pointer, TExpr* count, const Span& at);

    /// Returns whether an operation of this type must wrap at 32 bits. This is true for unsigned int, whose values must
    /// not become negative (operators.cpp).
    bool wraps_around(const Type* type, const TExpr* a, const TExpr* b) const;
    /// Converts an operand to unsigned int as C does, if the operation wraps at 32 bits and the operand may be
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
    /// values that were computed from 64-bit variables: they have 64 bits, whatever their type
    std::set<const TExpr*> wide_;
};

} // namespace dt::sema
