// Implements the counters of -x hits: a dt_hits for each probe of each program, each clause and each CPU, in memory
// that the consumer maps. Also emits the code that reports a fault to the consumer.
#include "dcompiler/lower/counting/hit_counts.hpp"

#include <cstddef>

#include "dcompiler/lower/counting/counters.hpp"

namespace dt::lower {

namespace {

constexpr const char* kHits = "dt_hits";
constexpr const char* kClauseHits = "dt_clause_firings";

// Bits of a word in the stack frame: the outcome of the firing so far, whether the firing has sent a sample, and the
// outcome of the current clause.
constexpr int64_t kOutcome = 3, kHasSent = 4;
constexpr int kClauseShift = 3;

int64_t word_at(const Context& context)
{
    return FrameLayout::kThis + context.module.layout.outcome_word();
}

/// Adds 1 to a counter in the dt_hits of the probe or clause with the index `place`. `member` is the counter's offset.
void count(Context& context, const ByProbe& where, Value place, Value member)
{
    ir::Builder& b = *context.b;
    const ir::BlockId done = b.block();
    const Value address = word_of_place(context, where, place, member, done);
    if (where.sets > 1 && !interrupts_itself(context.module, *context.plan))
        b.store(8, address, 0, b.binary(Op::Add, b.load(8, address), b.constant(1)));
    else
        b.atomic_add(8, address, 0, b.constant(1));
    b.jump(done);
    b.enter(done);
}

void count_of_probe(Context& context, uint32_t first, Value member)
{
    count(context, {kHits, sizeof(dt_hits), context.module.out.schema.hit_sets}, index_of_probe(context, first),
          member);
}

void count_of_clause(Context& context, const Statement& statement, Value member)
{
    count(context, {kClauseHits, sizeof(dt_hits), context.module.out.schema.clause_hit_sets},
          place_of_clause(context, statement), member);
}

/// The outcome at bit `shift` of the word has the value 0, 1 or 3. Yields the offset in dt_hits of its counter; the
/// three counters are adjacent.
Value member_of_outcome(Context& context, int shift)
{
    ir::Builder& b = *context.b;
    const Value word = b.load(8, context.frame, word_at(context));
    const Value shifted = shift == 0 ? word : b.binary(Op::LShr, word, b.constant(shift));
    const Value noted = b.binary(Op::And, shifted, b.constant(kOutcome));
    const Value counter = b.binary(Op::LShr, b.binary(Op::Add, noted, b.constant(1)), b.constant(1));
    return b.binary(Op::Mul, counter, b.constant(8));
}

} // namespace

void lay_out_hits(ModuleLowering& module, std::size_t probes)
{
    Schema& schema = module.out.schema;
    lay_out_by_probe(module, kHits, DT_SECTION_HITS, probes, sizeof(dt_hits), schema.hit_sets);
    lay_out_by_probe(module, kClauseHits, DT_SECTION_CLAUSE_HITS, module.program.statements.size(), sizeof(dt_hits),
                     schema.clause_hit_sets);
}

void note(Context& context, Outcome outcome)
{
    if (!context.module.options.counts_hits())
        return;
    ir::Builder& b = *context.b;
    const auto noted = static_cast<int64_t>(outcome);
    const Value word = b.load(8, context.frame, word_at(context));
    b.store(8, context.frame, word_at(context), b.binary(Op::Or, word, b.constant(noted | noted << kClauseShift)));
}

ir::Value size_word(Context& context, uint32_t size)
{
    ir::Builder& b = *context.b;
    if (!context.module.options.counts_hits())
        return b.constant(size);
    const Value noted = b.load(8, context.frame, word_at(context));
    b.store(8, context.frame, word_at(context), b.binary(Op::Or, noted, b.constant(kHasSent)));
    const Value flag =
        b.binary(Op::Mul, b.binary(Op::And, noted, b.constant(kHasSent)), b.constant(DT_SAMPLE_CONTINUES / kHasSent));
    return b.binary(Op::Or, flag, b.constant(size));
}

void count_hit_start(Context& context, uint32_t first)
{
    if (context.module.options.counts_hits())
        count_of_probe(context, first, context.b->constant(offsetof(dt_hits, begun)));
}

void count_hit(Context& context, uint32_t first)
{
    if (context.module.options.counts_hits())
        count_of_probe(context, first, member_of_outcome(context, 0));
}

bool counts_clauses(const Context& context)
{
    return context.module.options.counts_hits() && !context.in_error;
}

void count_clause_start(Context& context, const Statement& statement)
{
    if (!counts_clauses(context))
        return;
    ir::Builder& b = *context.b;
    const Span at = b.at();
    b.at(ir::kNoText);
    const Value word = b.load(8, context.frame, word_at(context));
    b.store(8, context.frame, word_at(context), b.binary(Op::And, word, b.constant(kOutcome | kHasSent)));
    count_of_clause(context, statement, b.constant(offsetof(dt_hits, begun)));
    b.at(at);
}

void count_clause(Context& context, const Statement& statement)
{
    if (counts_clauses(context))
        count_of_clause(context, statement, member_of_outcome(context, kClauseShift));
}

// Emits the report of a fault. Words that describe the fault are in the stack frame of the clause that failed.

void report_fault(Context& context)
{
    ir::Builder& b = *context.b;
    ModuleLowering& module = context.module;
    const uint32_t size = sizeof(dt_sample) + sizeof(dt_fault);
    const Value report = b.stack_addr(b.slot(size));
    const int64_t data = sizeof(dt_sample);
    const auto word = [&](int n) { return b.load(8, context.frame, FrameLayout::kFault + 8 * n); };
    b.store(4, report, offsetof(dt_sample, size), size_word(context, size));
    b.store(4, report, offsetof(dt_sample, spec), b.constant(0));
    b.store(4, report, offsetof(dt_sample, probe), word(1));
    b.store(4, report, offsetof(dt_sample, stmt), b.constant(DT_STMT_FAULT));
    b.store(4, report, data + static_cast<int64_t>(offsetof(dt_fault, stmt)), word(2));
    b.store(4, report, data + static_cast<int64_t>(offsetof(dt_fault, code)), word(4));
    b.store(8, report, data + static_cast<int64_t>(offsetof(dt_fault, pc)), word(3));
    b.store(8, report, data + static_cast<int64_t>(offsetof(dt_fault, value)), word(5));
    const Value failed = b.call_helper(kPerfEventOutput, {context.context, b.map_ref(module.maps.buffers()),
                                                          b.constant(kCurrentCpu), report, b.constant(size)});
    const ir::BlockId lost = b.block(), sent = b.block(), ok = b.block();
    b.branch(Op::Ne, failed, b.constant(0), lost, sent);
    b.enter(lost);
    b.call_local(module.functions.count_loss(Loss::Principal), {});
    note(context, Outcome::Lost);
    b.jump(ok);
    b.enter(sent);
    count_sent(context);
    b.jump(ok);
    b.enter(ok);
    b.call_local(module.functions.wake_reader(), {});
}

void count_sent(Context& context)
{
    if (context.module.options.pin.empty())
        return;
    const uint32_t data = context.module.data.sent();
    context.b->atomic_add(8, context.b->data_addr(data, sizeof(dt_sent)), offsetof(dt_sent, sent),
                          context.b->constant(1));
}

void free_area(Context& context)
{
    ir::Builder& b = *context.b;
    ModuleLowering& module = context.module;
    const Value number = b.load(8, context.frame, FrameLayout::kSlot);
    const ir::BlockId held = b.block(), done = b.block();
    b.branch(Op::Ne, number, b.constant(0), held, done);
    b.enter(held);
    b.store(8, module.functions.claimed_slot(b, number, done), module.layout.area(true).head, b.constant(0));
    b.jump(done);
    b.enter(done);
}

} // namespace dt::lower
