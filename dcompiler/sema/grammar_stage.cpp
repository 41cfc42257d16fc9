// Implements the grammar stage of checking a clause (dtrace-errors(7), WHICH ERROR COMES FIRST): calls of names that
// are not functions, division by a constant zero, sizes of types. It walks the tree once, right after the clause was
// parsed, and creates nothing.
#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

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

// Uses an explicit stack, because the tree may be as deep as the text is long.
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

/// Suppresses errors in later clauses about names that a failed clause would have assigned.
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
        // Reports an unknown name only once.
        if (std::string name = assigned_name(e); !name.empty() && e.kind != ast::ExprKind::Index)
            checker.reports.forgive(name);
        pending.insert(pending.end(), e.kids.begin(), e.kids.end());
    }
}

/// Returns whether all leaves of a tree are constants.
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
