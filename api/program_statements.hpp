// A program's statements for dtrace_stmt_iter(): one description each, with the actions of the clause.
#pragma once

#include <deque>

#include "api/dtrace.h"
#include "dcompiler/sema/program.hpp"

namespace dt::api {

class ProgramStatements {
public:
    ProgramStatements() = default;
    explicit ProgramStatements(const Program& program);

    /// Returns one entry per statement of each clause, and one for an empty clause. Entries of a clause share a
    /// dtsd_ecbdesc.
    std::deque<dtrace_stmtdesc_t>& all() { return statements_; }

    dtrace_attribute_t least_of_descriptions() const { return of_descriptions_; }
    dtrace_attribute_t least_of_clauses() const { return of_clauses_; }

private:
    void add_clause(const Statement& clause);
    void add_actions(const std::vector<TStmt*>& body, dtrace_ecbdesc_t& clause);

    std::deque<dtrace_stmtdesc_t> statements_;
    std::deque<dtrace_ecbdesc_t> clauses_;
    std::deque<dtrace_actdesc_t> actions_;
    dtrace_attribute_t of_descriptions_{DTRACE_STABILITY_MAX, DTRACE_STABILITY_MAX, DTRACE_CLASS_MAX};
    dtrace_attribute_t of_clauses_ = of_descriptions_;
};

} // namespace dt::api
