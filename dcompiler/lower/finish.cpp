#include "dcompiler/lower/finish.hpp"

#include <algorithm>

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

namespace {

/// Returns whether the sample prints a line. Clauses with only commit() and discard() send a sample without a line.
bool has_line(const StatementSchema& s)
{
    return s.records.empty() || std::any_of(s.records.begin(), s.records.end(),
                                            [](const Record& r) { return !r.action || !r.action->has(kSpeculation); });
}

/// Creates maps that other objects of the run may use.
void make_shared_maps(ModuleLowering& module, const Aggregation& aggregation, const AggregationSchema& schema)
{
    if (!schema.brief.empty())
        module.maps.brief(aggregation);
    if (schema.more.empty())
        return;
    module.maps.overflow(aggregation);
    module.data.more();
}

/// Creates the maps of aggregations whose clauses match no probe, because the consumer reads every aggregation.
void make_untouched_maps(ModuleLowering& module)
{
    for (const Aggregation& aggregation : module.program.aggregations) {
        AggregationSchema& schema = module.out.schema.aggregations[aggregation.id];
        if (!aggregation.function)
            continue;
        if (!module.maps.has(schema.map))
            schema.key_size == 0 ? module.maps.unkeyed(schema) : module.maps.aggregation(aggregation);
        if (module.parts.may_follow || module.parts.is_later)
            make_shared_maps(module, aggregation, schema);
        if (!schema.more.empty() && !module.maps.has(schema.more))
            schema.more.clear();
    }
}

} // namespace

void finish_schema(ModuleLowering& module)
{
    Schema& schema = module.out.schema;
    schema.scratch_size = module.layout.scratch_size;
    for (StatementSchema& s : schema.statements) {
        const Statement& statement = module.program.statements[s.id];
        s.clause = statement.description;
        s.prints_line = statement.records && has_line(s);
        if (emits_sample(statement))
            schema.largest_sample = std::max<uint32_t>(schema.largest_sample, sizeof(dt_sample) + s.data_size);
    }
    module.maps.buffers();
    module.maps.losses();
    make_untouched_maps(module);
}

} // namespace dt::lower
