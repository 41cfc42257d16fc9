// Finds arguments that several statements read and map elements that several update.
#include "dcompiler/lower/shared.hpp"

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Returns arguments that several statements read, as many as fit in registers. For a single statement it returns the
/// arguments that are read first.
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

namespace {

/// Number of statements with predicates that justifies a shared lookup. If all predicates are false, the lookup costs
/// as much as one predicate. Otherwise it saves at least one lookup.
constexpr std::size_t kManyUsers = 4;

} // namespace

/// Looks up elements that one statement needs in every firing, or that many statements need. A firing should not pay
/// for a lookup if its few predicates are false. If the lookup fails, the firing ends, so the verifier has no second
/// state to follow.
void share_unkeyed(Context& context, std::span<const Planned> planned)
{
    std::map<std::string, std::size_t> users;
    for (const Planned& p : planned)
        for (const auto& [map, aggregation] : p.needs.unkeyed)
            users[map] += context.ecb == ir::kNone || p.use.all;
    for (const Planned& p : planned)
        for (const auto& [map, aggregation] : p.needs.unkeyed)
            if (const bool always = p.needs.always_unkeyed.contains(map); (context.ecb == ir::kNone || p.use.all) &&
                                                                          users[map] >= (always ? 2 : kManyUsers) &&
                                                                          !context.unkeyed.contains(map)) {
                ClauseLowering looks(context, *p.use.statement, {});
                const AggregationSchema& schema = context.module.layout.agg_schema(*aggregation);
                context.unkeyed[map] = looks.aggregations.unkeyed_element(schema, context.done);
                context.stack.used = 0;
            }
}

} // namespace dt::lower
