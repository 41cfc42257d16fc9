#include "api/program_statements.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "api/handle.hpp"

namespace dt::api {
namespace {

constexpr std::pair<std::string_view, dtrace_actkind_t> kKinds[] = {
    {"trace", DTRACEACT_DIFEXPR},
    {"exit", DTRACEACT_EXIT},
    {"printf", DTRACEACT_PRINTF},
    {"printa", DTRACEACT_PRINTA},
    {"tracemem", DTRACEACT_TRACEMEM},
    {"stack", DTRACEACT_STACK},
    {"ustack", DTRACEACT_USTACK},
    {"jstack", DTRACEACT_JSTACK},
    {"sym", DTRACEACT_SYM},
    {"func", DTRACEACT_SYM},
    {"mod", DTRACEACT_MOD},
    {"usym", DTRACEACT_USYM},
    {"ufunc", DTRACEACT_USYM},
    {"umod", DTRACEACT_UMOD},
    {"uaddr", DTRACEACT_UADDR},
    {"stop", DTRACEACT_STOP},
    {"raise", DTRACEACT_RAISE},
    {"system", DTRACEACT_SYSTEM},
    {"freopen", DTRACEACT_FREOPEN},
    {"breakpoint", DTRACEACT_BREAKPOINT},
    {"panic", DTRACEACT_PANIC},
    {"chill", DTRACEACT_CHILL},
    {"speculate", DTRACEACT_SPECULATE},
    {"commit", DTRACEACT_COMMIT},
    {"discard", DTRACEACT_DISCARD},
};

/// Returns DTrace's kind of a statement; DTRACEACT_LIBACT if DTrace has no such kind.
dtrace_actkind_t kind_of_statement(const TStmt& statement)
{
    if (statement.kind == TStmtKind::Aggregate)
        return api::kind_of(statement.aggregation->function->kind);
    if (statement.kind != TStmtKind::Action)
        return DTRACEACT_DIFEXPR;
    for (const auto& [name, kind] : kKinds)
        if (name == statement.action->name)
            return kind;
    return DTRACEACT_LIBACT;
}

dtrace_attribute_t attribute_of(const Attributes& attributes)
{
    return {static_cast<dtrace_stability_t>(attributes.name), static_cast<dtrace_stability_t>(attributes.data),
            static_cast<dtrace_class_t>(attributes.dependency)};
}

dtrace_attribute_t least(const dtrace_attribute_t& a, const dtrace_attribute_t& b)
{
    return {std::min(a.dtat_name, b.dtat_name), std::min(a.dtat_data, b.dtat_data),
            std::min(a.dtat_class, b.dtat_class)};
}

} // namespace

ProgramStatements::ProgramStatements(const Program& program)
{
    for (const Statement& clause : program.statements)
        add_clause(clause);
}

void ProgramStatements::add_clause(const Statement& clause)
{
    dtrace_ecbdesc_t& enabling = clauses_.emplace_back();
    enabling.dted_refcnt = 1;
    enabling.dted_probe = description(0, clause.description);
    const std::size_t first = actions_.size();
    add_actions(clause.body, enabling);
    if (first < actions_.size())
        enabling.dted_action = &actions_[first];
    const dtrace_attribute_t of_description = attribute_of(clause.description_attributes),
                             of_clause = attribute_of(clause.attributes);
    of_descriptions_ = least(of_descriptions_, of_description);
    of_clauses_ = least(of_clauses_, of_clause);
    for (std::size_t i = first; i < std::max(actions_.size(), first + 1); ++i) {
        dtrace_stmtdesc_t& statement = statements_.emplace_back();
        statement.dtsd_ecbdesc = &enabling;
        statement.dtsd_action = statement.dtsd_action_last = i < actions_.size() ? &actions_[i] : nullptr;
        statement.dtsd_descattr = of_description;
        statement.dtsd_stmtattr = of_clause;
    }
}

void ProgramStatements::add_actions(const std::vector<TStmt*>& body, dtrace_ecbdesc_t& clause)
{
    for (const TStmt* const statement : body) {
        if (statement->kind == TStmtKind::If) {
            add_actions(statement->then, clause);
            add_actions(statement->otherwise, clause);
            continue;
        }
        dtrace_actdesc_t& action = actions_.emplace_back();
        action.dtad_kind = kind_of_statement(*statement);
        action.dtad_ntuple = static_cast<uint32_t>(statement->keys.size());
        action.dtad_refcnt = 1;
        if (clause.dted_action)
            actions_[actions_.size() - 2].dtad_next = &action;
        clause.dted_action = &action;
    }
}

} // namespace dt::api
