// Reduces a program step by step: removes statements, and replaces expressions by an operand or a small literal, until
// no step keeps the bug. Each step keeps the program well typed: an operand that replaces an expression has the same
// type, or is cast to it.
#include "test/verify/differential/shrink.hpp"

#include <chrono>
#include <utility>

namespace dt::differential {

namespace {

class Shrinker {
public:
    Shrinker(Program& program, const std::function<bool(const Program&)>& still_wrong)
        : program_(program), still_wrong_(still_wrong)
    {
    }

    void run()
    {
        do {
            changed_ = false;
            clauses();
            for (Clause& clause : program_.clauses) {
                statements(clause.body);
                if (clause.predicate) {
                    ExprPtr kept = std::move(clause.predicate);
                    if (keep())
                        continue;
                    clause.predicate = std::move(kept);
                    expression(clause.predicate);
                }
            }
        } while (changed_ && steps_ < kMaxSteps);
        for (Variable& v : program_.variables) // removes the declarations of unused variables
            if (v.declared) {
                v.declared = false;
                if (!keep())
                    v.declared = true;
            }
    }

private:
    static constexpr int kMaxSteps = 3000;
    static constexpr auto kMaxTime = std::chrono::seconds(60);

    bool keep()
    {
        if (++steps_ > kMaxSteps || std::chrono::steady_clock::now() - start_ > kMaxTime || !still_wrong_(program_))
            return false;
        changed_ = true;
        return true;
    }

    void clauses()
    {
        for (std::size_t i = 0; i < program_.clauses.size() && program_.clauses.size() > 1;) {
            Clause kept = std::move(program_.clauses[i]);
            program_.clauses.erase(program_.clauses.begin() + static_cast<std::ptrdiff_t>(i));
            if (keep())
                continue;
            program_.clauses.insert(program_.clauses.begin() + static_cast<std::ptrdiff_t>(i), std::move(kept));
            ++i;
        }
    }

    void statements(std::vector<StmtPtr>& list)
    {
        for (std::size_t i = list.size(); i-- > 0;) {
            StmtPtr kept = std::move(list[i]);
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
            if (keep())
                continue;
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), std::move(kept));
            if (list[i]->kind == Stmt::Kind::If && unwrap(list, i))
                continue;
            statements(list[i]->then);
            statements(list[i]->otherwise);
            if (list[i]->kind == Stmt::Kind::Printf)
                drop_arguments(list[i]->exprs);
            for (ExprPtr& e : list[i]->exprs)
                expression(e);
        }
    }

    /// Replaces an if statement by the first statement of one of its branches.
    bool unwrap(std::vector<StmtPtr>& list, std::size_t i)
    {
        for (auto* arm : {&list[i]->then, &list[i]->otherwise}) {
            if (arm->empty())
                continue;
            StmtPtr whole = std::move(list[i]);
            StmtPtr part = std::move(arm->front());
            list[i] = std::move(part);
            if (keep())
                return true;
            arm->front() = std::move(list[i]);
            list[i] = std::move(whole);
        }
        return false;
    }

    void drop_arguments(std::vector<ExprPtr>& list)
    {
        for (std::size_t i = 0; i < list.size() && list.size() > 1;) {
            ExprPtr kept = std::move(list[i]);
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
            if (keep())
                continue;
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), std::move(kept));
            ++i;
        }
    }

    bool replace(ExprPtr& place, ExprPtr with)
    {
        std::swap(place, with);
        if (keep())
            return true;
        std::swap(place, with);
        return false;
    }

    static ExprPtr cast_to(ExprPtr e, TypeId type)
    {
        if (e->type == type)
            return e;
        auto cast = std::make_unique<Expr>();
        cast->op = Op::Cast;
        cast->type = type;
        cast->kids.push_back(std::move(e));
        return cast;
    }

    void expression(ExprPtr& e)
    {
        if (e->parentheses) {
            e->parentheses = false;
            if (!keep())
                e->parentheses = true;
        }
        if (e->op == Op::Literal || e->op == Op::Text || e->op == Op::Null || e->op == Op::Variable)
            return;
        const bool fold = e->op == Op::Cast && e->kids[0]->op == Op::Literal;
        if (e->type != kText && !fold) {
            auto one = std::make_unique<Expr>();
            one->op = Op::Literal;
            one->value = 1;
            one->text = "1";
            if (replace(e, cast_to(std::move(one), e->type)))
                return;
        }
        if (e->type == kText) {
            auto a = std::make_unique<Expr>();
            a->op = Op::Text;
            a->type = kText;
            a->text = "a";
            if (replace(e, std::move(a)))
                return;
        }
        if (e->op != Op::Cast)
            for (std::size_t i = 0; i < e->kids.size(); ++i) {
                const Expr& kid = *e->kids[i];
                if ((kid.type == kText) != (e->type == kText) || kid.op == Op::Null)
                    continue;
                if (replace(e, cast_to(clone(kid), e->type)))
                    return expression(e);
            }
        // Left sides of assignments and keys are not replaced, because their types are fixed.
        const bool keeps_first = e->op == Op::Assign || (e->op >= Op::PreIncrement && e->op <= Op::PostDecrement);
        for (std::size_t i = keeps_first ? 1 : 0; i < e->kids.size(); ++i)
            expression(e->kids[i]);
    }

    Program& program_;
    const std::function<bool(const Program&)>& still_wrong_;
    bool changed_ = false;
    int steps_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

void shrink(Program& program, const std::function<bool(const Program&)>& still_wrong)
{
    Shrinker(program, still_wrong).run();
}

} // namespace dt::differential
