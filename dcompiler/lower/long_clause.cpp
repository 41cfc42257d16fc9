// Lowers a clause that is too long for one function.
//
// Its D statements are distributed over functions that are called in order. An `if` that is too long for one function
// becomes branches between the calls. The statements share memory: the frame, the scratch slot, the sample in it, and
// the clocks, which are read once.
#include "dcompiler/lower/clause.hpp"

#include <utility>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

void ClauseLowering::lower_in_parts(const Parts& parts, ir::BlockId next)
{
    parts_ = &parts;
    clause_ends_ = next;
    scratch_used_ = kPartsScratch;
    leave_unless_on(part([this] { begin_clause(), keep_clocks(); }, true));
    list_in_parts(statement_.body);
    leave_unless_on(part([this] { emit_sample(); }));
    b().jump(next);
    finish();
}

/// Lowers `body` into a new function and emits its call.
Value ClauseLowering::part(const std::function<void()>& body, bool first)
{
    return parts_->add([&](const FunctionContext& function) {
        const FunctionContext outer = std::exchange(static_cast<FunctionContext&>(context_), function);
        const bool faulted = std::exchange(faulted_, false);
        next_ = b().block();
        fault_block_ = b().block();
        cache_.assign(1, {});
        if (!first) {
            slot_ =
                module().functions.claimed_slot(b(), b().load(8, context_.frame, FrameLayout::kSlot), context_.done);
            place_sample();
            find_clocks();
        }
        body();
        if (!b().terminated())
            b().ret(b().constant(Parts::kOn));
        fault_exit();
        b().enter(next_);
        b().ret(b().constant(Parts::kClauseEnds));
        faulted_ |= faulted;
        static_cast<FunctionContext&>(context_) = outer;
    });
}

void ClauseLowering::leave_unless_on(Value result)
{
    const ir::BlockId on = b().block(), leave = b().block();
    b().branch(Op::Eq, result, b().constant(Parts::kOn), on, leave);
    b().enter(leave);
    b().branch(Op::Eq, result, b().constant(Parts::kDone), context_.done, clause_ends_);
    b().enter(on);
}

void ClauseLowering::list_in_parts(const std::vector<TStmt*>& list)
{
    std::vector<TStmt*> together;
    std::size_t size = 0;
    const auto flush = [&] {
        if (!together.empty())
            leave_unless_on(part([&] { statements(together); }));
        together.clear();
        size = 0;
    };
    for (TStmt* s : list) {
        const auto known = needs_.sizes.find(s); // statements after a certain end of the clause were not measured
        const std::size_t own = known == needs_.sizes.end() ? 0 : known->second;
        if (size + own > parts_->budget)
            flush();
        if (s->kind == TStmtKind::If && own > parts_->budget) {
            if_in_parts(*s);
            continue;
        }
        together.push_back(s);
        size += own;
    }
    flush();
}

void ClauseLowering::if_in_parts(const TStmt& s)
{
    const Value result = part([&] {
        b().at(s.at);
        const ir::BlockId yes = b().block(), no = b().block();
        find_assigned({}, s.expr);
        expressions.condition(*s.expr, yes, no);
        b().enter(no);
        b().ret(b().constant(Parts::kNo));
        b().enter(yes);
    });
    const ir::BlockId no = b().block(), other = b().block(), join = b().block();
    b().branch(Op::Eq, result, b().constant(Parts::kNo), no, other);
    b().enter(other);
    leave_unless_on(result);
    ++arms_;
    list_in_parts(s.then);
    b().jump(join);
    b().enter(no);
    list_in_parts(s.otherwise);
    b().jump(join);
    --arms_;
    b().enter(join);
}

/// Stores the clocks in the first temporaries of the clause.
void ClauseLowering::keep_clocks()
{
    const auto at = static_cast<int64_t>(module().layout.fixed_scratch_size() + needs_.sample_room());
    for (const char* clock : {"timestamp", "vtimestamp"})
        if (const auto found = cache_.front().find(clock); found != cache_.front().end()) {
            b().store(8, slot(), at + static_cast<int64_t>(8 * clocks_.size()), found->second);
            clocks_.emplace_back(clock);
        }
}

void ClauseLowering::find_clocks()
{
    const auto at = static_cast<int64_t>(module().layout.fixed_scratch_size() + needs_.sample_room());
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        cache_.front()[clocks_[i]] = b().load(8, slot(), at + static_cast<int64_t>(8 * i));
}

} // namespace dt::lower
