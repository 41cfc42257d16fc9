// Checks statements and clauses, once per description. A clause is checked in three stages: grammar, then names and
// types, then the order of actions. Their order determines which error is reported first (dtrace-errors(7), WHICH ERROR
// COMES FIRST).
#include <tuple>

#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

namespace {

std::string full_name(const ast::ProbeDesc& d)
{
    return d.provider + ":" + d.module + ":" + d.function + ":" + d.name;
}

std::string full_name(const Probe& p)
{
    return p.provider + ":" + p.module + ":" + p.function + ":" + p.name;
}

const Global* called(Checker& checker, const ast::Expr& e)
{
    if (e.kind != ast::ExprKind::Call || e.kids[0]->kind != ast::ExprKind::Identifier)
        return nullptr;
    return checker.names.find_global(e.kids[0]->text);
}

bool is_aggregation(const ast::Expr& e)
{
    return e.kind == ast::ExprKind::Aggregation || (e.kind == ast::ExprKind::Index && is_aggregation(*e.kids[0]));
}

} // namespace

// ---- first stage of the check: names and types --------------------------------------------------------------------

TStmt* Statements::action_statement(Global& global, const ast::Expr& e)
{
    const Action& action = *global.action;
    TStmt* made = program.stmt();
    made->kind = TStmtKind::Action;
    made->at = e.at;
    made->action = &action;
    here.deferred_owner = made;
    checker.names.touch_attributes(global.attributes.value_or(Attributes{}), e.at, "function " + global.name);
    const Prototype& proto = checker.prototypes.of(action.prototype);
    // The arguments of stack() and similar actions are not converted to the prototype's types, so that stack(-1) does
    // not become stack(4294967295).
    made->args = checker.calls.arguments(global.name, proto, e, !action.has(kStack), action.has(kShows));
    if (!action.why_refused.empty())
        defer("D_UNKNOWN", e.at, global.name + "() is not implemented (yet)", std::string(action.why_refused));
    return made;
}

TStmt* Statements::expression_statement(const ast::Expr& e)
{
    // If the condition of a ?: is constant, only one branch is used. That branch may be an action, as in OPT_time ?
    // printf("...") : 1.
    if (e.kind == ast::ExprKind::Conditional && checker.grammar.is_constant(*e.kids[0]))
        if (const auto chosen = checker.declarations.constant(*e.kids[0]))
            return expression_statement(*e.kids[*chosen ? 1 : 2]);
    const Global* global = called(checker, e);
    if (global && global->kind == Global::Kind::Action)
        return action_statement(checker.calls.callee(e), e);
    if (e.kind == ast::ExprKind::Assign && e.op == ast::Operator::Assign && is_aggregation(*e.kids[0]))
        return checker.aggregations.aggregate(e);
    TStmt* made = program.stmt();
    made->kind = TStmtKind::Expression;
    made->at = e.at;
    here.deferred_owner = made;
    made->expr = checker.expressions.expr(e);
    if (is_aggregation(e))
        defer("D_AGG_NULL", e.at,
              "expression has null effect: @" + checker.values.dynamic(made->expr)->aggregation->name);
    else if (DynamicValue* object = checker.values.dynamic(made->expr); object && object->aggregation)
        defer("D_AGG_NULL", e.at, "expression has null effect: @" + object->aggregation->name);
    return made;
}

void Statements::statement(const ast::Stmt& s, std::vector<TStmt*>& into)
{
    switch (s.kind) {
    case ast::StmtKind::Expression:
        if (s.expr)
            into.push_back(expression_statement(*s.expr));
        return;
    case ast::StmtKind::Block:
        for (const ast::Stmt* inner : s.body)
            statement(*inner, into);
        return;
    case ast::StmtKind::If: {
        TStmt* made = program.stmt();
        made->kind = TStmtKind::If;
        made->at = s.at;
        here.deferred_owner = made;
        made->expr = checker.expressions.expr(*s.expr);
        if (!made->expr->type->is_scalar())
            fail("D_OP_SCALAR", s.expr->at, "if requires a condition of scalar type",
                 checker.values.aggregation_hint(made->expr));
        statement(*s.body[0], made->then);
        if (s.body.size() > 1)
            statement(*s.body[1], made->otherwise);
        into.push_back(made);
        return;
    }
    }
}

std::vector<TStmt*> Statements::block(const std::vector<ast::Stmt*>& statements)
{
    std::vector<TStmt*> made;
    for (const ast::Stmt* each : statements)
        statement(*each, made);
    return made;
}

void Statements::actions_stage(const ast::Clause& clause, Statement& statement)
{
    diagnostics.set_where(Where::ActionList);
    statement.body = block(clause.body);
}

void Statements::predicate_stage(const ast::Clause& clause, Statement& statement)
{
    diagnostics.set_where(Where::Predicate);
    if (!clause.predicate || statement.predicate)
        return;
    here.deferred_owner = &statement;
    TExpr* predicate = checker.expressions.expr(*clause.predicate);
    if (!predicate->type->is_scalar())
        fail("D_PRED_SCALAR", predicate->at, "predicate result must be of scalar type");
    statement.predicate = predicate;
}

/// Checks the actions, then the predicate. If the actions use a name that the predicate declares by an assignment, the
/// actions are checked again after the predicate.
void Statements::first_stage(const ast::Clause& clause, Statement& statement)
{
    const std::size_t errors = diagnostics.count();
    try {
        actions_stage(clause, statement);
    } catch (const Failure& failure) {
        if (!clause.predicate || (failure.tag != "D_IDENT_UNDEF" && failure.tag != "D_VAR_UNDEF"))
            throw;
        diagnostics.rewind(errors);
        predicate_stage(clause, statement);
        actions_stage(clause, statement);
    }
    predicate_stage(clause, statement);
}

// ---- second stage of the check: order of actions, hooks, deferred errors -------------------------------------------

void Statements::check_order(const TStmt& s, PathState& state)
{
    const bool recording_call =
        s.kind == TStmtKind::Expression && s.expr->op == TOp::Call && s.expr->subroutine->has(kDestructive);
    if (s.kind == TStmtKind::Aggregate) {
        if (state.committed)
            fail("D_AGG_COMM", s.at, "aggregating actions may not follow commit( )");
        if (state.speculated)
            fail("D_AGG_SPEC", s.at, "aggregating actions may not follow speculate( )");
        state.aggregated = true;
        return;
    }
    if (s.kind != TStmtKind::Action && !recording_call)
        return;
    const uint32_t flags = s.action ? s.action->flags : uint32_t{kRecords | kDestructive};
    const bool recorded = state.recorded || state.aggregated;
    if (flags & kSpeculates) {
        if (recorded)
            fail("D_SPEC_DREC", s.at, "speculate( ) may not follow data-recording action(s)");
        if (state.speculated)
            fail("D_SPEC_SPEC", s.at, "speculate( ) may not follow speculate( )");
        if (state.committed)
            fail("D_SPEC_COMM", s.at, "speculate( ) may not follow commit( )");
        state.speculated = true;
    }
    if (flags & kCommits) {
        if (recorded)
            fail("D_COMM_DREC", s.at, "commit( ) may not follow data-recording action(s)");
        state.committed = true;
    }
    if ((flags & kDestructive) && state.speculated)
        fail("D_ACT_SPEC", s.at, "destructive actions may not follow speculate( )");
    if ((flags & kExits) && state.speculated)
        fail("D_EXIT_SPEC", s.at, "exit( ) may not follow speculate( )");
    if ((flags & kFreezes) && state.speculated)
        fail("D_FREEZE_SPEC", s.at, "freeze( ) may not follow speculate( )");
    if (flags & kRecords) {
        if (state.committed)
            fail("D_DREC_COMM", s.at, "data-recording actions may not follow commit( )");
        state.recorded = true;
    }
}

void Statements::second_stage(TStmt& s, PathState& state, bool conditional)
{
    if (s.kind == TStmtKind::If) {
        checker.reports.report_deferred(&s);
        PathState taken = state;
        second_stage(s.then, taken, true);
        second_stage(s.otherwise, state, true);
        state.recorded |= taken.recorded;
        state.aggregated |= taken.aggregated;
        state.speculated |= taken.speculated;
        state.committed |= taken.committed;
        return;
    }
    check_order(s, state);
    if (s.kind == TStmtKind::Action) {
        if (s.action->check)
            s.action->check(checker, s);
        if (s.action->has(kDestructive))
            here.statement->note_destructive(s.action->name);
        here.statement->overrides |= s.action->has(kOverrides);
        here.statement->speculates |= s.action->has(kSpeculates);
    } else if (s.kind == TStmtKind::Aggregate && s.aggregation->function->check) {
        checker.reports.report_deferred(&s);
        s.aggregation->function->check(checker, s);
    }
    const bool records =
        (s.kind == TStmtKind::Action && s.action->has(kRecords)) ||
        (s.kind == TStmtKind::Expression && s.expr->op == TOp::Call && s.expr->subroutine->has(kDestructive));
    here.statement->records |= records;
    here.statement->conditional_records |= records && conditional;
    checker.reports.report_deferred(&s);
}

void Statements::second_stage(const std::vector<TStmt*>& statements, PathState& state, bool conditional)
{
    for (TStmt* each : statements)
        second_stage(*each, state, conditional);
}

// ---- checks of whole clauses --------------------------------------------------------------------------------------

void Statements::find_probes(const ast::ProbeDesc& d, Statement& statement)
{
    diagnostics.set_where(Where::Parsing);
    if (d.id) {
        const Probe* probe = world.probes().probe(*d.id);
        if (!probe)
            fail("D_PDESC_INVAL", d.at,
                 "invalid probe identifier " + std::to_string(*d.id) + ": Unknown probe identifier");
        statement.probes.push_back(probe);
        statement.description = full_name(*probe);
    } else {
        statement.description = full_name(d);
        const Result<void> found = world.probes().find({d.provider, d.module, d.function, d.name}, statement.probes);
        // With -x zdefs, a description may name a function that does not exist: libraries that the process maps later
        // may contain it.
        const bool may_come = !found && options.zdefs && found.error().tag == "D_PROC_FUNC";
        if (!found && !may_come) {
            if (!found.error().tag.empty())
                fail(found.error().tag, d.at, found.error().message);
            fail("D_PDESC_ZERO", d.at, "probe description " + statement.description + " does not match any probes",
                 found.error().message);
        }
        if (statement.probes.empty() && !options.zdefs) {
            const std::string forgotten = d.at.source ? missing_option_hint(d.at.source->text) : "";
            fail("D_PDESC_ZERO", d.at, "probe description " + statement.description + " does not match any probes",
                 forgotten.empty() ? suggest_description({d.provider, d.module, d.function, d.name}, world)
                                   : forgotten);
        }
        if (const std::string hint = renamed_call({d.provider, d.module, d.function, d.name});
            !hint.empty() && !statement.probes.empty())
            diagnostics.warning(d.at, "probe description " + statement.description + " may never fire", hint);
        if (const std::string hint =
                statement.probes.empty()
                    ? ""
                    : foreign_module({d.provider, d.module, d.function, d.name}, *statement.probes.front());
            !hint.empty())
            diagnostics.warning(
                d.at, d.module + " in " + statement.description + " is a module of another system's kernel", hint);
    }
    const ProviderAttributes* provider = statement.probes.empty() ? nullptr : statement.probes.front()->attributes;
    // A numeric id identifies one probe, so no other component is needed.
    ast::ProbeDesc named = d;
    if (d.id) {
        const Probe& probe = *statement.probes.front();
        std::tie(named.provider, named.module, named.function, named.name) =
            std::tie(probe.provider, probe.module, probe.function, probe.name);
    }
    statement.description_attributes = description_attributes(provider, named);
    // Probes whose provider name ends with * are not counted. They stand for processes that start later, which have the
    // same probes as a running process.
    const auto count =
        static_cast<std::size_t>(std::count_if(statement.probes.begin(), statement.probes.end(),
                                               [](const Probe* probe) { return !probe->provider.ends_with('*'); }));
    statement.arguments_known = provider && !arguments_unstable(provider, named, count);
    if (options.amin && below(statement.description_attributes, *options.amin))
        fail("D_ATTR_MIN", d.at,
             "attributes for probe description " + statement.description + " (" +
                 to_string(statement.description_attributes) + ") are less than predefined minimum");
}

bool Statements::check_description(const ast::Clause& clause, const ast::ProbeDesc& d)
{
    Statement& statement = program.statements.emplace_back();
    statement.id = static_cast<uint32_t>(program.statements.size() - 1);
    statement.at = d.at;
    statement.program = here.program;
    here.statement = &statement;
    here.expanded = 0;
    here.attributes = kMaximum;
    bool good = true;
    try {
        find_probes(d, statement);
        first_stage(clause, statement);
        checker.expressions.check_lost_parts(statement);
        here.deferred_owner = nullptr;
        diagnostics.set_where(Where::Predicate);
        checker.reports.report_deferred(&statement);
        diagnostics.set_where(Where::ActionList);
        PathState state;
        second_stage(statement.body, state, false);
        statement.records |= statement.body.empty() || statement.speculates;
        // Statements and literals have the stability attributes Stable/Stable/Common. Names with lower attributes
        // reduce them.
        statement.attributes =
            minimum(here.attributes, {Stability::Stable, Stability::Stable, DependencyClass::Common});
    } catch (const Failure&) {
        good = false;
        statement.body.clear();
    }
    checker.reports.discard_deferred();
    here.deferred_owner = nullptr;
    here.leave();
    here.statement = nullptr;
    diagnostics.set_where(Where::Parsing);
    return good;
}

// Implements the grammar stage of checking a clause (dtrace-errors(7), WHICH ERROR COMES FIRST): errors are calls of
// names that are not functions, divisions by a constant zero, and wrong sizes of types. This stage walks the tree once,
// right after the clause was parsed, and adds nothing to the program.

namespace {

bool divides(ast::Operator op)
{
    return op == ast::Operator::Slash || op == ast::Operator::Percent || op == ast::Operator::AssignDiv ||
           op == ast::Operator::AssignMod;
}

/// Collects the names to which a clause assigns, in the form that messages use.
void collect_assigned(const std::vector<ast::Stmt*>& statements, std::vector<const ast::Expr*>& pending)
{
    for (const ast::Stmt* s : statements) {
        if (s->expr)
            pending.push_back(s->expr);
        collect_assigned(s->body, pending);
    }
}

std::string assigned_name(const ast::Expr& target)
{
    const ast::Expr& root = target.kind == ast::ExprKind::Index ? *target.kids[0] : target;
    switch (root.kind) {
    case ast::ExprKind::Self:
        return "self->" + root.text;
    case ast::ExprKind::This:
        return "this->" + root.text;
    case ast::ExprKind::Aggregation:
        return "@" + root.text;
    case ast::ExprKind::Identifier:
        return root.text;
    default:
        return {};
    }
}

} // namespace

// Uses an explicit stack and not recursion, because the tree may be as deep as the source text is long.
void GrammarStage::check(const ast::Expr& root)
{
    std::vector<const ast::Expr*> pending{&root};
    while (!pending.empty()) {
        const ast::Expr& e = *pending.back();
        pending.pop_back();
        if (e.kind == ast::ExprKind::Call) {
            checker.calls.callee(e);
            pending.insert(pending.end(), e.kids.rbegin(), e.kids.rend() - 1);
            continue;
        }
        if (divides(e.op) && (e.kind == ast::ExprKind::Binary || e.kind == ast::ExprKind::Assign) &&
            is_constant(*e.kids[1]) && checker.declarations.constant(*e.kids[1]) == 0)
            fail("D_DIV_ZERO", e.at, "expression contains division by zero");
        if (e.kind == ast::ExprKind::SizeofType)
            checker.expressions.sizeof_expression(e);
        if (e.kind == ast::ExprKind::Offsetof)
            checker.expressions.offsetof_expression(e);
        pending.insert(pending.end(), e.kids.rbegin(), e.kids.rend());
    }
}

void GrammarStage::check(const std::vector<ast::Stmt*>& statements)
{
    for (const ast::Stmt* s : statements) {
        if (s->expr)
            check(*s->expr);
        check(s->body);
    }
}

void GrammarStage::check(const ast::Clause& clause)
{
    if (clause.predicate)
        check(*clause.predicate);
    check(clause.body);
}

/// Suppresses errors in later clauses about names to which a failed clause would have assigned.
void GrammarStage::remember_assigned(const ast::Clause& clause)
{
    std::vector<const ast::Expr*> pending;
    collect_assigned(clause.body, pending);
    if (clause.predicate)
        pending.push_back(clause.predicate);
    while (!pending.empty()) {
        const ast::Expr& e = *pending.back();
        pending.pop_back();
        const bool changes =
            e.kind == ast::ExprKind::Assign || e.kind == ast::ExprKind::Postfix ||
            (e.kind == ast::ExprKind::Unary && (e.op == ast::Operator::Increment || e.op == ast::Operator::Decrement));
        if (changes)
            if (std::string name = assigned_name(*e.kids[0]); !name.empty())
                checker.reports.forgive(name);
        // If the clause has an error, the variable stays undefined. Later clauses that use it must not cause further
        // errors.
        if (std::string name = assigned_name(e); !name.empty() && e.kind != ast::ExprKind::Index)
            checker.reports.forgive(name);
        pending.insert(pending.end(), e.kids.begin(), e.kids.end());
    }
}

/// Returns whether all operands in an expression are constants.
bool GrammarStage::is_constant(const ast::Expr& root)
{
    std::vector<const ast::Expr*> pending{&root};
    while (!pending.empty()) {
        const ast::Expr& e = *pending.back();
        pending.pop_back();
        switch (e.kind) {
        case ast::ExprKind::Integer:
        case ast::ExprKind::Macro:
        case ast::ExprKind::SizeofType:
        case ast::ExprKind::Offsetof:
            continue;
        case ast::ExprKind::Identifier: {
            const Global* global = checker.names.find_global(e.text);
            if (global && (global->kind == Global::Kind::Constant ||
                           (global->kind == Global::Kind::Inline && global->definition->constant)))
                continue;
            return false;
        }
        case ast::ExprKind::Unary:
        case ast::ExprKind::Binary:
        case ast::ExprKind::Conditional:
        case ast::ExprKind::Cast:
            pending.insert(pending.end(), e.kids.begin(), e.kids.end());
            continue;
        default:
            return false;
        }
    }
    return true;
}

std::optional<int64_t> Declarations::constant(const ast::Expr& e)
{
    if (!checker.grammar.is_constant(e))
        return std::nullopt;
    const TExpr* value = checker.expressions.expr(e);
    if (value->op != TOp::Integer || !value->type->is_integer())
        return std::nullopt;
    return value->value;
}

} // namespace dt::sema
