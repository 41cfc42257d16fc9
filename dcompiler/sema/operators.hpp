// Operators with two operands, and the conditional one: the types of their results.
#pragma once

#include <set>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Operators : public Part {
public:
    using Part::Part;

    /// a + b + c + …, however long, without recursion.
    TExpr* binary_chain(const ast::Expr& e);
    TExpr* arithmetic(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* additive(TOp op, TExpr* a, TExpr* b, const Span& at);
    /// -, ~ or + (Add) of a number.
    TExpr* complement(TOp op, TExpr* operand, const Span& at);
    TExpr* conditional(const ast::Expr& e);
    TExpr* comma(const ast::Expr& e);
    /// A ?: of a scratch and another pointer: may be used, not stored.
    bool mixes_pointers(const TExpr* value) const { return mixed_values_.count(value) != 0; }
    /// Pointer plus or minus a number of what it points to.
    TExpr* pointer_step(TOp op, TExpr* pointer, TExpr* count, const Span& at);

    /// Whether an operation of this type on these goes round at 32 bits: unsigned int has no number below zero
    /// (operators.cpp).
    bool goes_round(const Type* type, const TExpr* a, const TExpr* b) const;
    /// An operand of such an operation: what may be below zero becomes what C makes of it.
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
    std::set<const TExpr*> wide_; ///< made of variables that keep 64 bits whatever their type
};

} // namespace dt::sema
