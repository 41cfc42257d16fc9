// Naming control groups is costly, because their names must be read before the groups disappear.
#include "libdtrace/consume/named_cgroups.hpp"

namespace dt::consume {
namespace {

void add_named(const std::vector<Datum>& data, std::optional<NamedCgroups>& to)
{
    for (const Datum& datum : data) {
        if (datum.kind != Datum::Kind::Cgroup)
            continue;
        if (!to)
            to.emplace();
        to->containers |= datum.part != Datum::Part::Unit && datum.part != Datum::Part::ContainerId;
    }
}

} // namespace

std::optional<NamedCgroups> named_cgroups(const Schema& schema)
{
    std::optional<NamedCgroups> named;
    for (const StatementSchema& statement : schema.statements)
        for (const Record& record : statement.records)
            add_named(record.data, named);
    for (const AggregationSchema& aggregation : schema.aggregations)
        add_named(aggregation.keys, named);
    return named;
}

} // namespace dt::consume
