// What formats have in common that show stacks and nothing else (dtrace-output(7), FOR OTHER PROGRAMS).
#pragma once

#include "libdtrace/output/table_sink.hpp"

namespace dt::output {

bool is_stack(const Datum& datum);
/// Of a stack: a stack value says with its process whether it is a user's.
bool is_user_stack(const Datum& datum, const uint8_t* data);

/// Whether the entries of an aggregation are weights of stacks, which can be added: some key is a stack, and the values
/// are count(), sum(), max() or breakdown(); or lines of parts: breakdown() without a stack, by its keys and parts;
/// blame(), by its keys and chains.
bool is_line(const AggregationSchema& schema);

/// Records are not shown; of aggregations each printa(), and each that was not printed at the end of the run.
class StackSink : public TableSink {
public:
    void aggregations(Tables tables) final
    {
        for (const Aggregation* table : tables)
            unprinted(*table);
    }
    void aggregations(Tables tables, std::span<const format::BoundFormat>) final { aggregations(tables); }
    void unprinted(const Aggregation& table) final
    {
        if (is_line(table.schema()))
            show(table);
    }

    /// There are no stacks yet: people read it.
    void estimate(const Estimate& estimate) final { output_.write(estimate_table(estimate)); }
    void detached(double seconds) final { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) final
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

protected:
    StackSink(Output& output, const format::Environment& env) : output_(output), env_(env) {}
    /// One of those.
    virtual void show(const Aggregation& table) = 0;

    Output& output_;
    const format::Environment& env_;
};

} // namespace dt::output
