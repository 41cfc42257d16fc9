// The part of checking a clause that belongs to parsing (dtrace-errors(7), WHICH ERROR COMES FIRST).
#pragma once

#include <vector>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class GrammarStage : public Part {
public:
    using Part::Part;

    /// Calls of things that are no functions, division by a constant zero, sizes of types. Creates nothing.
    void check(const ast::Clause& clause);
    void check(const ast::Expr& e);
    void check(const std::vector<ast::Stmt*>& statements);
    bool is_constant(const ast::Expr& expr); ///< cheap and silent look at the tree
    /// A clause is given up: what it assigns to is not missed in others.
    void remember_assigned(const ast::Clause& clause);
};

} // namespace dt::sema
