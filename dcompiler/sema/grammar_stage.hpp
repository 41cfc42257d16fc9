// Grammar stage of checking a clause (dtrace-errors(7), WHICH ERROR COMES FIRST).
#pragma once

#include <vector>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class GrammarStage : public Part {
public:
    using Part::Part;

    /// Check for calls of names that are not functions, division by a constant zero, and sizes of types. Create
    /// nothing.
    void check(const ast::Clause& clause);
    void check(const ast::Expr& e);
    void check(const std::vector<ast::Stmt*>& statements);
    bool is_constant(const ast::Expr& expr); ///< syntactic test without errors
    /// Suppresses later errors about names that a failed clause assigns.
    void remember_assigned(const ast::Clause& clause);
};

} // namespace dt::sema
