// Checkers of statements and clauses, once per description. A clause is checked in stages, whose order determines the
// error that is reported first (dtrace-errors(7), WHICH ERROR COMES FIRST).
#pragma once

#include <vector>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

struct Global;

class Statements : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a clause for one of its descriptions and appends the statement to the program. Returns false after
    /// reporting an error.
    bool check_description(const ast::Clause& clause, const ast::ProbeDesc& description);

private:
    /// Actions that occurred so far on one path through a clause. There are rules on their order (dtrace-actions(7),
    /// SPECULATIONS).
    struct PathState {
        bool recorded = false, aggregated = false, speculated = false, committed = false;
    };

    void find_probes(const ast::ProbeDesc& description, Statement& statement);
    void first_stage(const ast::Clause& clause, Statement& statement);
    void actions_stage(const ast::Clause& clause, Statement& statement);
    void predicate_stage(const ast::Clause& clause, Statement& statement);
    std::vector<TStmt*> block(const std::vector<ast::Stmt*>& statements);
    void statement(const ast::Stmt& statement, std::vector<TStmt*>& into);
    TStmt* expression_statement(const ast::Expr& e);
    TStmt* action_statement(Global& global, const ast::Expr& e);
    void second_stage(const std::vector<TStmt*>& statements, PathState& state, bool conditional);
    void second_stage(TStmt& statement, PathState& state, bool conditional);
    void check_order(const TStmt& statement, PathState& state);
};

class GrammarStage : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks for calls of names that are not functions, for divisions by a constant zero, and for wrong sizes of
    /// types. Adds nothing to the program.
    void check(const ast::Clause& clause);
    void check(const ast::Expr& e);
    void check(const std::vector<ast::Stmt*>& statements);
    bool is_constant(const ast::Expr& expr); ///< looks only at the syntax of the expression; reports no errors
    /// Suppresses later errors about the names to which a failed clause assigns.
    void remember_assigned(const ast::Clause& clause);
};

} // namespace dt::sema
