// Compares the typed trees of two statements. Each node must have the same place in the source text, so line numbers
// and fault reports are also equal.
#include "dcompiler/lower/same_code.hpp"

#include <algorithm>
#include <utility>

#include "dcompiler/sema/builtins.hpp"

namespace dt::lower {
namespace {

bool is_same_place(const Span& a, const Span& b)
{
    return a.source == b.source && a.offset == b.offset && a.length == b.length;
}

class Comparison {
public:
    Comparison(const Statement& a, const Statement& b, ProbeSource& probes) : a_(a), b_(b), probes_(probes) {}

    bool holds()
    {
        if (!add(a_.predicate, b_.predicate) || !add(a_.body, b_.body))
            return false;
        while (!exprs_.empty() || !stmts_.empty()) {
            if (!exprs_.empty()) {
                const auto [a, b] = exprs_.back();
                exprs_.pop_back();
                if (!is_same(*a, *b) || !add(a->kids, b->kids))
                    return false;
                continue;
            }
            const auto [a, b] = stmts_.back();
            stmts_.pop_back();
            if (!is_same(*a, *b) || !add(a->expr, b->expr) || !add(a->then, b->then) ||
                !add(a->otherwise, b->otherwise) || !add(a->args, b->args) || !add(a->keys, b->keys))
                return false;
        }
        return true;
    }

private:
    bool add(const TExpr* a, const TExpr* b)
    {
        if (a && b)
            exprs_.emplace_back(a, b);
        return !a == !b;
    }

    bool add(const std::vector<TExpr*>& a, const std::vector<TExpr*>& b)
    {
        bool good = a.size() == b.size();
        for (std::size_t i = 0; good && i < a.size(); ++i)
            good = add(a[i], b[i]);
        return good;
    }

    bool add(const std::vector<TStmt*>& a, const std::vector<TStmt*>& b)
    {
        if (a.size() != b.size())
            return false;
        for (std::size_t i = 0; i < a.size(); ++i)
            stmts_.emplace_back(a[i], b[i]);
        return true;
    }

    static bool is_same(const TStmt& a, const TStmt& b)
    {
        return a.kind == b.kind && is_same_place(a.at, b.at) && a.action == b.action &&
               a.aggregation == b.aggregation && a.aggregations == b.aggregations && a.has_format == b.has_format &&
               a.format == b.format;
    }

    bool is_same(const TExpr& a, const TExpr& b)
    {
        return a.op == b.op && a.type == b.type && is_same_place(a.at, b.at) && a.value == b.value &&
               a.variable == b.variable && a.builtin == b.builtin && a.subroutine == b.subroutine &&
               a.action == b.action && a.member == b.member && a.compound == b.compound && a.post == b.post &&
               a.is_signed == b.is_signed && a.scratch == b.scratch && a.text == b.text && is_same_argument(a);
    }

    /// Compares the arguments that args[n] means, which depend on the signature of a probe.
    bool is_same_argument(const TExpr& e)
    {
        if (e.op != TOp::Builtin || e.builtin->role != VariableRole::Arguments)
            return true;
        const auto place = [&](const Statement& statement) {
            return probes_.signature(*statement.probes.front()).arguments.at(static_cast<std::size_t>(e.value)).mapping;
        };
        return place(a_) == place(b_);
    }

    const Statement& a_;
    const Statement& b_;
    ProbeSource& probes_;
    std::vector<std::pair<const TExpr*, const TExpr*>> exprs_; ///< pairs that remain to be compared
    std::vector<std::pair<const TStmt*, const TStmt*>> stmts_;
};

} // namespace

bool is_same_code(const Statement& a, const Statement& b, ProbeSource& probes)
{
    const bool is_same_clause = a.program == b.program && a.body.size() == b.body.size() &&
                                (a.body.empty() || is_same_place(a.body[0]->at, b.body[0]->at)) &&
                                a.records == b.records && a.speculates == b.speculates &&
                                a.conditional_records == b.conditional_records && a.overrides == b.overrides;
    return is_same_clause && Comparison(a, b, probes).holds();
}

} // namespace dt::lower
