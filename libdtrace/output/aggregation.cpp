#include "libdtrace/output/aggregation.hpp"

#include "libdtrace/output/sums.hpp"

namespace dt::output {

int64_t Aggregation::number(Words words, int64_t by) const
{
    switch (schema_->function->kind) {
    case AggKind::Min:
        return format::divided(static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) - static_cast<uint64_t>(words[0])),
                               by);
    case AggKind::Max:
        return format::divided(static_cast<int64_t>(static_cast<uint64_t>(words[0]) + static_cast<uint64_t>(INT64_MIN)),
                               by);
    case AggKind::Avg:
        return average(words, by);
    case AggKind::Stddev:
        return static_cast<int64_t>(deviation(words, by));
    default:
        return format::divided(words[0], by);
    }
}

Aggregation::Rank Aggregation::rank(Words words) const
{
    if (shape_)
        return {shape_->weight(shape_->buckets(words)), shape_->tie(words)};
    const int64_t value = number(words, 1);
    if (schema_->function->kind == AggKind::Stddev)
        return {static_cast<long double>(static_cast<uint64_t>(value)), 0};
    return {static_cast<long double>(value), 0};
}

} // namespace dt::output
