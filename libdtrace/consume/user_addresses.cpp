// Names of addresses in processes cost: what is mapped must be followed for as long as the run goes on.
#include "libdtrace/consume/user_addresses.hpp"

#include <algorithm>

namespace dt::consume {

bool names_user_addresses(const Schema& schema)
{
    const auto is_user = [](const Datum& datum) {
        return datum.kind == Datum::Kind::UserStack || datum.kind == Datum::Kind::UserSymbol;
    };
    for (const StatementSchema& statement : schema.statements)
        for (const Record& record : statement.records)
            if (std::any_of(record.data.begin(), record.data.end(), is_user) ||
                record.format.find('A') != std::string::npos)
                return true;
    return std::any_of(schema.aggregations.begin(), schema.aggregations.end(),
                       [&](const AggregationSchema& aggregation) {
                           return std::any_of(aggregation.keys.begin(), aggregation.keys.end(), is_user);
                       });
}

} // namespace dt::consume
