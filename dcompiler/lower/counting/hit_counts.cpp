// Implements the counters of -x firings: a dt_firings for each probe of each program, each clause and each CPU, in
// memory that the consumer maps.
#include "dcompiler/lower/firings.hpp"

#include <cstddef>

#include "dcompiler/lower/by_probe.hpp"

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr const char* kFirings = "dt_firings";
constexpr const char* kClauseFirings = "dt_clause_firings";

// Bits of the frame's word: the outcome of the firing, whether it has sent a sample, and the outcome of the present
// clause.
constexpr int64_t kOutcome = 3, kHasSent = 4;
constexpr int kClauseShift = 3;

int64_t word_at(const Context& context)
{
    return FrameLayout::kThis + context.module.layout.outcome_word();
}

/// Adds one to a word of a place's dt_firings. `member` is the word's offset.
void count(Context& context, const ByProbe& where, Value place, Value member)
{
    ir::Builder& b = *context.b;
    const ir::BlockId done = b.block();
    const Value address = word_of_place(context, where, place, member, done);
    if (where.sets > 1 && !context.plan->kind_info().unguarded)
        b.store(8, address, 0, b.binary(Op::Add, b.load(8, address), b.constant(1)));
    else
        b.atomic_add(8, address, 0, b.constant(1));
    b.jump(done);
    b.enter(done);
}

void count_of_probe(Context& context, uint32_t first, Value member)
{
    count(context, {kFirings, sizeof(dt_firings), context.module.out.schema.firing_sets},
          place_of_probe(context, first), member);
}

void count_of_clause(Context& context, const Statement& statement, Value member)
{
    count(context, {kClauseFirings, sizeof(dt_firings), context.module.out.schema.clause_firing_sets},
          place_of_clause(context, statement), member);
}

/// Yields the offset in dt_firings of the counter for the outcome at bit `shift` of the word. Outcomes 0, 1 and 3 have
/// consecutive counters.
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

void lay_out_firings(ModuleLowering& module, std::size_t probes)
{
    Schema& schema = module.out.schema;
    lay_out_by_probe(module, kFirings, DT_SECTION_FIRINGS, probes, sizeof(dt_firings), schema.firing_sets);
    lay_out_by_probe(module, kClauseFirings, DT_SECTION_CLAUSE_FIRINGS, module.program.statements.size(),
                     sizeof(dt_firings), schema.clause_firing_sets);
}

void note(Context& context, Outcome outcome)
{
    if (!context.module.options.counts_firings())
        return;
    ir::Builder& b = *context.b;
    const auto noted = static_cast<int64_t>(outcome);
    const Value word = b.load(8, context.frame, word_at(context));
    b.store(8, context.frame, word_at(context), b.binary(Op::Or, word, b.constant(noted | noted << kClauseShift)));
}

ir::Value size_word(Context& context, uint32_t size)
{
    ir::Builder& b = *context.b;
    if (!context.module.options.counts_firings())
        return b.constant(size);
    const Value noted = b.load(8, context.frame, word_at(context));
    b.store(8, context.frame, word_at(context), b.binary(Op::Or, noted, b.constant(kHasSent)));
    const Value flag =
        b.binary(Op::Mul, b.binary(Op::And, noted, b.constant(kHasSent)), b.constant(DT_SAMPLE_CONTINUES / kHasSent));
    return b.binary(Op::Or, flag, b.constant(size));
}

void count_beginning(Context& context, uint32_t first)
{
    if (context.module.options.counts_firings())
        count_of_probe(context, first, context.b->constant(offsetof(dt_firings, begun)));
}

void count_firing(Context& context, uint32_t first)
{
    if (context.module.options.counts_firings())
        count_of_probe(context, first, member_of_outcome(context, 0));
}

bool counts_clauses(const Context& context)
{
    return context.module.options.counts_firings() && !context.in_error;
}

void count_clause_beginning(Context& context, const Statement& statement)
{
    if (!counts_clauses(context))
        return;
    ir::Builder& b = *context.b;
    const Span at = b.at();
    b.at(ir::kNoText);
    const Value word = b.load(8, context.frame, word_at(context));
    b.store(8, context.frame, word_at(context), b.binary(Op::And, word, b.constant(kOutcome | kHasSent)));
    count_of_clause(context, statement, b.constant(offsetof(dt_firings, begun)));
    b.at(at);
}

void count_clause(Context& context, const Statement& statement)
{
    if (counts_clauses(context))
        count_of_clause(context, statement, member_of_outcome(context, kClauseShift));
}

} // namespace dt::lower
