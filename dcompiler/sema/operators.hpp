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
    TExpr* conditional(const ast::Expr& e);
    TExpr* comma(const ast::Expr& e);
    /// A ?: of a scratch and another pointer: may be used, not stored.
    bool mixes_pointers(const TExpr* value) const { return mixed_values_.count(value) != 0; }
    /// Pointer plus or minus a number of what it points to.
    TExpr* pointer_step(TOp op, TExpr* pointer, TExpr* count, const Span& at);

private:
    TExpr* comparison(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* logical(TOp op, TExpr* a, TExpr* b, const Span& at);
    TExpr* binary_of(ast::Operator op, TExpr* a, TExpr* b, const Span& at);
    TExpr* binary(const ast::Expr& e);
    TExpr* compared_text(TExpr* value);
    TExpr* kernel_enumerator(const Type* left, const ast::Expr& right);

    std::set<const TExpr*> mixed_values_;
};

} // namespace dt::sema
