// Arguments that several statements read, and elements that several update.
#include "dcompiler/lower/shared.hpp"

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Those that several statements read, as far as there are registers for them; of a single one those that it reads
/// first.
std::set<uint32_t> shared_arguments(std::span<const Planned> planned)
{
    constexpr std::size_t kMost = 2;
    if (planned.size() == 1) {
        const Needs& only = planned.front().needs;
        return planned.front().use.statement->predicate ? only.predicate_arguments : only.call_arguments;
    }
    std::set<uint32_t> read, shared;
    for (const Planned& p : planned)
        for (const uint32_t index : p.needs.call_arguments)
            if (!read.insert(index).second && shared.size() < kMost)
                shared.insert(index);
    return shared;
}

/// Only what one of them needs at each firing: no firing is to pay for a look-up that all its predicates make needless.
void share_unkeyed(Context& context, std::span<const Planned> planned)
{
    std::map<std::string, std::size_t> users;
    for (const Planned& p : planned)
        for (const auto& [map, aggregation] : p.needs.unkeyed)
            ++users[map];
    for (const Planned& p : planned)
        for (const auto& [map, aggregation] : p.needs.always_unkeyed)
            if ((context.ecb == ir::kNone || p.use.all) && users[map] > 1 && !context.unkeyed.contains(map)) {
                ClauseLowering looks(context, *p.use.statement, {});
                const AggregationSchema& schema = context.module.layout.agg_schema(*aggregation);
                context.unkeyed[map] = looks.aggregations.unkeyed_element(schema, context.done);
                context.stack.used = 0;
            }
}

} // namespace dt::lower
