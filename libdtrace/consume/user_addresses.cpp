// Naming addresses of processes is costly, because their mappings must be followed for the whole run.
#include "libdtrace/consume/user_addresses.hpp"

#include <algorithm>

namespace dt::consume {

namespace {

bool is_user_address(const Datum& datum)
{
    return datum.kind == Datum::Kind::UserStack || datum.kind == Datum::Kind::UserSymbol;
}

} // namespace

bool names_user_addresses(const Schema& schema)
{
    for (const StatementSchema& statement : schema.statements)
        for (const Record& record : statement.records)
            if (std::any_of(record.data.begin(), record.data.end(), is_user_address) ||
                record.format.find('A') != std::string::npos)
                return true;
    return keeps_user_addresses(schema);
}

bool keeps_user_addresses(const Schema& schema)
{
    for (const StatementSchema& statement : schema.statements)
        for (const Record& record : statement.records)
            if (!record.aggregations.empty() && record.format.find('A') != std::string::npos)
                return true;
    return std::any_of(schema.aggregations.begin(), schema.aggregations.end(),
                       [&](const AggregationSchema& aggregation) {
                           return std::any_of(aggregation.keys.begin(), aggregation.keys.end(), is_user_address);
                       });
}

} // namespace dt::consume
