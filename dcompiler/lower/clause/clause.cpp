// Lowers a clause, from its predicate to the sending of its sample (the data that a firing records). Does the work that
// each clause needs once, and lowers its statements in order.
#include "dcompiler/lower/clause/clause.hpp"

#include <algorithm>

#include "dcompiler/lower/counting/hit_counts.hpp"

namespace dt::lower {

namespace {

bool expr_uses(const TExpr* e, VariableRole clock)
{
    // Visits subexpressions by a list and not by recursion, because they may be nested thousands of levels deep.
    std::vector<const TExpr*> work{e};
    while (!work.empty()) {
        const TExpr* top = work.back();
        work.pop_back();
        if (!top)
            continue;
        if (top->op == TOp::Builtin && top->builtin && top->builtin->role == clock)
            return true;
        work.insert(work.end(), top->kids.begin(), top->kids.end());
    }
    return false;
}
// Size limit of a sample: a perf record has a 16-bit field for its size, which includes header, time and padding.
constexpr uint32_t kMaxSample = 65536 - 64;

} // namespace

ClauseLowering::ClauseLowering(Context& context, const Statement& statement, const Needs& needs)
    : ClauseState(context, statement, needs)
{
    emits_ = emits_sample(statement);
    guarded_ = has_guarded_records(statement);
}

namespace {

bool has_speculation_action(std::vector<const TStmt*> work)
{
    while (!work.empty()) {
        const TStmt* s = work.back();
        work.pop_back();
        if (s->action && s->action->has(kSpeculation))
            return true;
        work.insert(work.end(), s->then.begin(), s->then.end());
        work.insert(work.end(), s->otherwise.begin(), s->otherwise.end());
    }
    return false;
}

} // namespace

/// Returns whether the statement sends a sample (data for the consumer). commit() and discard() print nothing, but the
/// consumer must receive them.
bool emits_sample(const Statement& statement)
{
    return statement.records || has_speculation_action({statement.body.begin(), statement.body.end()});
}

bool has_guarded_records(const Statement& statement)
{
    return statement.conditional_records ||
           std::any_of(statement.body.begin(), statement.body.end(),
                       [](const TStmt* s) { return s->kind == TStmtKind::If && has_speculation_action({s}); });
}

void ClauseLowering::lower(ir::BlockId next)
{
    next_ = next;
    fault_block_ = b().block();
    begin_clause();
    statements(statement_.body);
    if (!b().terminated()) {
        // The code that sends the sample gets the source position of the whole clause, because the sample contains data
        // of all statements.
        b().at(statement_.at);
        emit_sample();
        b().jump(next_);
    }
    fault_exit();
    measured_.instructions = b().function().instrs.size();
    finish();
}

/// Emits the code of a clause before its first D statement: tests the predicate, claims the scratch slot, reads the
/// clocks and stores the sample's header.
void ClauseLowering::begin_clause()
{
    b().at(statement_.at);
    if (needs_.predicate_scratch)
        claim_slot();
    if (statement_.predicate) {
        const ir::BlockId body = b().block();
        find_assigned({}, statement_.predicate);
        read_clocks([this](VariableRole clock) { return expr_uses(statement_.predicate, clock); });
        in_predicate_ = true;
        expressions.predicate(*statement_.predicate, body, next_);
        in_predicate_ = false;
        measured_.predicate_arguments = measured_.call_arguments;
        b().enter(body);
        measured_.predicate_scratch = measured_.scratch;
    }
    if (!context_.in_error)
        note(context_, Outcome::Ran);
    if (needs_.scratch && !needs_.predicate_scratch)
        claim_slot();
    read_clocks([this](VariableRole clock) { return uses(statement_.body, clock); });
    begin_sample();
}

void ClauseLowering::finish()
{
    schema_.data_size = align_up(data_size_, 8);
    measured_.sample = emits_ ? static_cast<uint32_t>(sizeof(dt_sample)) + schema_.data_size : 0;
    measured_.measured = true;
    measured_.faults = faulted_;
    if (measured_.sample > kMaxSampleOnStack)
        measured_.scratch = true;
    if (measured_.sample > kMaxSample && !needs_.measured)
        module().diagnostics.error("D_UNKNOWN", statement_.at,
                                   "one firing of this clause records " + std::to_string(measured_.sample) +
                                       " bytes, but the kernel's buffers take at most " + std::to_string(kMaxSample) +
                                       " at once",
                                   "record less, split the clause, or set a smaller strsize");
}

/// Reads the clocks that the clause uses, before the first branch. So all uses of a clock in the clause have the same
/// value.
void ClauseLowering::read_clocks(const std::function<bool(VariableRole clock)>& is_used)
{
    if (is_used(VariableRole::Clock))
        cached("timestamp", [this] { return b().call_helper(kKtimeGetNs, {}); });
    if (is_used(VariableRole::CpuClock))
        lower_vtimestamp(*this, {});
}

void ClauseLowering::statements(const std::vector<TStmt*>& list)
{
    for (const TStmt* s : list) {
        if (b().terminated())
            return;
        b().at(s->at);
        const Mark taken = mark();
        const std::size_t size_mark = b().function().instrs.size();
        find_assigned({&s->args, &s->keys}, s->expr);
        switch (s->kind) {
        case TStmtKind::Expression:
            if (s->expr)
                expressions.expression(*s->expr);
            break;
        case TStmtKind::Action:
            actions.action(*s);
            break;
        case TStmtKind::Aggregate:
            aggregations.aggregate(*s);
            break;
        case TStmtKind::If: {
            const ir::BlockId yes = b().block(), no = b().block(), join = b().block();
            expressions.condition(*s->expr, yes, no);
            ++arms_;
            for (const auto& [block, body] : {std::pair(yes, &s->then), std::pair(no, &s->otherwise)}) {
                b().enter(block);
                arm([&, list = body] {
                    statements(*list);
                }); // captures a copy, because clang 14 cannot capture structured bindings by reference
                if (!b().terminated())
                    b().jump(join);
            }
            --arms_;
            b().enter(join);
            break;
        }
        }
        give_back(taken);
        if (!needs_.measured)
            measured_.sizes[s] = b().function().instrs.size() - size_mark;
    }
}

/// Finds the string variables that the statement assigns inside an expression. Strings are used without a copy, so an
/// assignment in a right operand would change the string to which the left operand refers. These variables are
/// therefore copied when they are read. If the whole statement is the assignment, it happens last and needs no copy.
void ClauseLowering::find_assigned(std::initializer_list<const std::vector<TExpr*>*> lists, const TExpr* root)
{
    assigned_.clear();
    std::vector<const TExpr*> work;
    for (const auto* list : lists)
        work.insert(work.end(), list->begin(), list->end());
    if (root)
        work.insert(work.end(), root->kids.begin(), root->kids.end());
    while (!work.empty()) {
        const TExpr* e = work.back();
        work.pop_back();
        if (!e)
            continue;
        if (e->op == TOp::Assign) {
            const TExpr& left = *e->kids[0];
            // Finds the variable to which a string is assigned; for an assignment to one character, this is the string
            // that contains it.
            const TExpr& whole = left.op == TOp::Index ? *left.kids[0] : left;
            if (whole.op == TOp::Variable && whole.type->is_string())
                assigned_.insert(whole.variable);
        }
        work.insert(work.end(), e->kids.begin(), e->kids.end());
    }
}

void ClauseLowering::begin_sample()
{
    if (!emits_)
        return;
    place_sample();
    if (statement_.speculates) {
        b().store(4, sample_, offsetof(dt_sample, spec), b().constant(0));
        // Until the sample is sent, dt_sample.size contains the id of the speculation (see actions.cpp).
        b().store(4, sample_, offsetof(dt_sample, size), b().constant(0));
    }
    if (guarded_) {
        schema_.guard_offset = 0;
        data_size_ = 8;
        // Zeroes the data that only some branches of the clause store. If such a branch is not taken, the sample would
        // otherwise contain bytes of an earlier firing or of the stack.
        values.zero(sample_, sizeof(dt_sample),
                    std::max<uint32_t>(8, needs_.sample ? needs_.sample - sizeof(dt_sample) : 8));
    } else if (needs_.sample && !sample_in_scratch()) {
        zero_holes();
    }
    if (module().options.records_threads && statement_.records)
        record_thread();
}

void ClauseLowering::record_thread()
{
    const Datum thread = reserve(Datum::Kind::Bytes, sizeof(RecordedThread), alignof(RecordedThread));
    fills(thread);
    schema_.thread_offset = static_cast<int>(thread.offset);
    const auto at = static_cast<int64_t>(sizeof(dt_sample) + thread.offset);
    b().store(4, sample_, at + offsetof(RecordedThread, pid), builtins.process_id());
    b().store(4, sample_, at + offsetof(RecordedThread, tid), builtins.thread_id());
    builtins.thread_name_into(sample_, at + offsetof(RecordedThread, name), true);
}

/// Zeroes the padding of a sample on the stack. The verifier requires that every stack byte read by a helper was
/// written.
void ClauseLowering::zero_holes()
{
    std::vector<bool> filled = needs_.filled;
    filled.resize(needs_.sample - sizeof(dt_sample));
    for (uint32_t at = 0; at < filled.size(); at += 8) // samples consist of whole words
        if (std::find(filled.begin() + at, filled.begin() + at + 8, false) != filled.begin() + at + 8)
            values.zero(sample_, sizeof(dt_sample) + at, 8);
}

void ClauseLowering::place_sample()
{
    if (!emits_)
        return;
    if (sample_in_scratch()) {
        sample_ = b().binary(Op::Add, slot(), b().constant(module().layout.fixed_scratch_size()));
        b().instr(sample_).mem = Mem::MapValue;
        b().instr(sample_).region = needs_.sample_room();
    } else {
        uint32_t& shared = context_.stack.sample;
        if (shared == kNone)
            shared = b().slot(sizeof(dt_sample));
        uint32_t& size = b().function().slots[shared].size;
        size = std::max(size, needs_.sample_room());
        sample_ = b().stack_addr(shared);
    }
}

/// Sends the sample. If all records are under conditions, it is sent only if one of them was reached. A speculate()
/// without other actions sends a sample that prints a line.
void ClauseLowering::emit_sample()
{
    if (!emits_)
        return;
    schema_.speculative = statement_.speculates;
    if (!guarded_ || unguarded_)
        return send_sample();
    const ir::BlockId some = b().block(), after = b().block();
    Value reached = b().load(8, sample_, sizeof(dt_sample));
    if (speculates() && !statement_.conditional_records)
        reached = b().binary(Op::Or, reached, speculation());
    b().branch(Op::Ne, reached, b().constant(0), some, after);
    b().enter(some);
    send_sample();
    b().jump(after);
    b().enter(after);
}

void ClauseLowering::send_sample()
{
    const uint32_t size = needs_.sample;
    const Value id = speculates() ? speculation_id() : kNone, time = time_of_sample();
    count_speculated(id, 1, time);
    b().store(4, sample_, offsetof(dt_sample, size),
              context_.in_error ? b().constant(size) : size_word(context_, size));
    if (!statement_.speculates)
        b().store(4, sample_, offsetof(dt_sample, spec), b().constant(0));
    b().store(4, sample_, offsetof(dt_sample, probe), builtins.probe_id());
    b().store(4, sample_, offsetof(dt_sample, stmt), statement_number());
    const ir::BlockId slow = b().block(), lost = b().block(), sent = b().block(), ok = b().block();
    // BEGIN and END run once, so they do not need the mmap ring, a buffer for high rates.
    const bool runs_once = context_.plan && context_.plan->kind_info().run_by_tracer;
    const auto mmap_ring =
        runs_once ? std::nullopt : module().functions.mmap_ring(b().instr(sample_).mem, size, time != kNone);
    if (mmap_ring) {
        const Value left =
            b().call_local(*mmap_ring, time != kNone ? std::vector{sample_, time} : std::vector{sample_});
        b().branch(Op::Ne, left, b().constant(0), slow, ok);
    } else {
        b().jump(slow);
    }
    b().enter(slow);
    const Value failed = b().call_helper(kPerfEventOutput, {context_.context, b().map_ref(module().maps.buffers()),
                                                            b().constant(kCurrentCpu), sample_, b().constant(size)});
    b().branch(Op::Ne, failed, b().constant(0), lost, sent);
    b().enter(lost);
    freeze_without_record();
    drop_sample(id);
    b().jump(ok);
    b().enter(sent);
    count_sent(context_);
    b().jump(ok);
    b().enter(ok);
    if (speculating_ != Speculating::Yes && !schema_.only_discards())
        wake(true); // a speculative sample needs no wakeup: the consumer prints it only after a commit()
}

/// Freezes the flight recorder (bufpolicy=ring) if the clause calls freeze(), although the sample was lost because the
/// buffer is full. freeze() must also work at rates that fill the buffer.
void ClauseLowering::freeze_without_record()
{
    bool always = false;
    uint64_t guards = 0;
    for (const Record& record : schema_.records) {
        const bool freezes = record.action && record.action->has(kFreezes);
        always |= freezes && record.guard < 0;
        guards |= freezes && record.guard >= 0 ? uint64_t{1} << record.guard : 0;
    }
    const auto freeze = [this] {
        b().store(8, b().data_addr(module().data.state(), sizeof(dt_state)), offsetof(dt_state, freezing),
                  b().constant(1));
    };
    if (always)
        return freeze();
    if (guards == 0)
        return;
    const Value reached = b().load(8, sample_, sizeof(dt_sample));
    b().if_then(Op::Ne, b().binary(Op::And, reached, b().constant(static_cast<int64_t>(guards))), b().constant(0),
                freeze);
}

/// Emits the code to which all faults of the clause jump: it reports the fault, runs the ERROR clauses and continues
/// with the next clause.
void ClauseLowering::fault_exit()
{
    const ir::BlockId resume = b().current();
    cache_.assign(1, {}); // a fault skips the computation of cached values, so the code that follows must not use them
    b().enter(fault_block_);
    cache_.assign(1, {}); // not every path to this block has computed the values in the cache
    if (!faulted_) {
        b().jump(next_); // control never gets here, but every block needs a terminator
    } else if (context_.in_error) {
        count_loss(Loss::DoubleError);
        b().jump(next_);
    } else {
        b().store(8, context_.frame, FrameLayout::kFault + 0, b().constant(0));
        b().store(8, context_.frame, FrameLayout::kFault + 8, builtins.probe_id());
        b().store(8, context_.frame, FrameLayout::kFault + 16, statement_number());
        if (module().layout.has_error_frames()) {
            // The function that is called next runs the ERROR clauses. If kernel stacks contain its frame, stack() in
            // ERROR must skip one more frame.
            const uint32_t called = stacks.stack_begins_with(StackBegin::Event) ? 0 : 1;
            b().store(8, context_.frame, FrameLayout::kThis + module().layout.error_frames(),
                      stacks.stack_has_tracer() ? stacks.stack_flags(false, called) : b().constant(0));
        }
        if (context_.error_function)
            b().call_local(*context_.error_function, {context_.context, context_.frame});
        b().jump(next_);
    }
    b().enter(resume);
}

/// Emits the code that claims the scratch slot, per-CPU memory for the time of a firing. The first clause that needs
/// the slot claims it; the end of the program releases it.
void ClauseLowering::claim_slot()
{
    if (context_.slot_is_free && context_.slot_cell != kNone) {
        slot_ = claim_free_slot();
    } else {
        const ir::BlockId claim = b().block(), have = b().block(), join = b().block();
        const bool by_number = context_.slot_cell == kNone;
        const Value held = by_number ? b().load(8, context_.frame, FrameLayout::kSlot)
                                     : b().load(8, context_.slot_cell, 0, Mem::MapOrNull, module().layout.scratch_size);
        b().branch(Op::Ne, held, b().constant(0), have, claim);
        b().enter(claim);
        const Value claimed = claim_free_slot();
        b().jump(join);
        b().enter(have);
        const Value kept = by_number ? module().functions.claimed_slot(b(), held, context_.done) : b().not_null(held);
        b().jump(join);
        b().enter(join);
        slot_ = b().phi({claimed, kept}, Mem::MapValue, module().layout.scratch_size);
    }
    if (needs_.area)
        area.begin_area();
}

/// Claims a scratch slot for a firing that has none yet. If no slot is free, control leaves the program.
Value ClauseLowering::claim_free_slot()
{
    const ir::BlockId got = b().block(), none = b().block();
    const Value fresh = b().call_local(module().functions.claim(), {});
    b().instr(fresh).mem = Mem::MapOrNull;
    b().instr(fresh).region = module().layout.scratch_size;
    b().branch(Op::Eq, fresh, b().constant(0), none, got);
    b().enter(none);
    count_loss(Loss::Nesting);
    count_clause(context_, statement_);
    b().jump(context_.done);
    b().enter(got);
    const Value claimed = b().not_null(fresh);
    if (context_.slot_cell == kNone)
        b().store(8, context_.frame, FrameLayout::kSlot, b().load(8, claimed));
    else
        b().store(8, context_.slot_cell, 0, claimed);
    if (module().layout.zeroed_scratch_size() > 8)
        values.zero(claimed, 8, module().layout.zeroed_scratch_size() - 8);
    return claimed;
}

bool ClauseLowering::uses(const std::vector<TStmt*>& list, VariableRole clock) const
{
    for (const TStmt* s : list) {
        if (expr_uses(s->expr, clock) || uses(s->then, clock) || uses(s->otherwise, clock))
            return true;
        for (const TExpr* e : s->args)
            if (expr_uses(e, clock))
                return true;
        for (const TExpr* e : s->keys)
            if (expr_uses(e, clock))
                return true;
    }
    return false;
}

// Lowers a clause that is too long for one function.
//
// The D statements of a long clause are distributed over several BPF functions, which are called in order. If an `if`
// is too long for one function, its condition becomes a branch between the calls. All these functions share the stack
// frame, the scratch slot with the sample, and the clocks, which are read once.

void ClauseLowering::lower_in_parts(const Parts& parts, ir::BlockId next)
{
    parts_ = &parts;
    clause_ends_ = next;
    scratch_used_ = kPartsScratch;
    leave_unless_continuing(part([this] { begin_clause(), keep_clocks(); }, true));
    list_in_parts(statement_.body);
    leave_unless_continuing(part([this] { emit_sample(); }));
    b().jump(next);
    finish();
}

/// Emits the code of `body` in a new function, and a call of that function.
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
            b().ret(b().constant(Parts::kContinue));
        fault_exit();
        b().enter(next_);
        b().ret(b().constant(Parts::kClauseEnds));
        faulted_ |= faulted;
        static_cast<FunctionContext&>(context_) = outer;
    });
}

void ClauseLowering::leave_unless_continuing(Value result)
{
    const ir::BlockId on = b().block(), leave = b().block();
    b().branch(Op::Eq, result, b().constant(Parts::kContinue), on, leave);
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
            leave_unless_continuing(part([&] { statements(together); }));
        together.clear();
        size = 0;
    };
    for (TStmt* s : list) {
        // Statements after an unconditional end of the clause never run. Their size was not measured and is unknown.
        const auto known = needs_.sizes.find(s);
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
        b().ret(b().constant(Parts::kFalse));
        b().enter(yes);
    });
    const ir::BlockId no = b().block(), other = b().block(), join = b().block();
    b().branch(Op::Eq, result, b().constant(Parts::kFalse), no, other);
    b().enter(other);
    leave_unless_continuing(result);
    ++arms_;
    list_in_parts(s.then);
    b().jump(join);
    b().enter(no);
    list_in_parts(s.otherwise);
    b().jump(join);
    --arms_;
    b().enter(join);
}

/// Stores the values of the clocks in the clause's first temporaries, where the functions of a long clause find them.
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
