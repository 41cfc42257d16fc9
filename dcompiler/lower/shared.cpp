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

namespace {

/// Of statements with predicates, so many share a look-up: it costs the firing that all of them refuse as much as one
/// of the predicates, and any other firing less than two look-ups.
constexpr std::size_t kManyUsers = 4;

} // namespace

/// Only what one of them needs at each firing, or many need: no firing is to pay for a look-up that all its few
/// predicates make needless. Where it would find nothing the firing ends, so that the kernel's verifier, which knows no
/// better, has no second state to follow.
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
