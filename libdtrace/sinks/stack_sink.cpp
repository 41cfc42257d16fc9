#include "libdtrace/sinks/stack_sink.hpp"

#include <algorithm>

namespace dt::output {

bool is_stack(const Datum& datum)
{
    return datum.kind == Datum::Kind::Stack || datum.kind == Datum::Kind::UserStack;
}

bool is_user_stack(const Datum& datum, const uint8_t* data)
{
    return datum.kind == Datum::Kind::UserStack && format::load<int64_t>(data + datum.offset) != 0;
}

namespace {

bool is_foldable(const AggregationSchema& schema)
{
    if (!schema.function)
        return false;
    const AggKind kind = schema.function->kind;
    const bool adds_up =
        kind == AggKind::Count || kind == AggKind::Sum || kind == AggKind::Max || kind == AggKind::Breakdown;
    return adds_up && std::any_of(schema.keys.begin(), schema.keys.end(), is_stack);
}

} // namespace

bool is_line(const AggregationSchema& schema)
{
    return is_foldable(schema) || (schema.function && (schema.function->kind == AggKind::Breakdown ||
                                                       schema.function->kind == AggKind::Blame));
}

} // namespace dt::output
