// Base of the sinks that output only stacks (dtrace-output(7), FOR OTHER PROGRAMS).
#pragma once

#include "libdtrace/output/sink.hpp"

namespace dt::output {

bool is_stack(const Datum& datum);
/// Returns whether a stack is a user stack. A recorded stack contains the id of its process, or 0 for a kernel stack.
bool is_user_stack(const Datum& datum, const uint8_t* data);

/// Returns whether the entries of an aggregation can be drawn as stacks with values. This is possible for count(),
/// sum(), max() and breakdown() with a stack in the key. It is also possible for breakdown() without a stack (the keys
/// and the part are the frames), and for blame() (the keys and the chain are the frames).
bool is_line(const AggregationSchema& schema);

/// A sink that ignores records. It outputs the aggregations of each printa() call, and at the end of the run the
/// aggregations that no call has printed.
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

    /// Estimates are printed as text, because a run that only estimates has no stacks.
    void estimate(const Estimate& estimate) final { output_.write(estimate_table(estimate)); }
    void detached(double seconds) final { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) final
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

protected:
    StackSink(Output& output, const format::Environment& env) : output_(output), env_(env) {}
    /// Outputs an aggregation whose entries can be drawn as stacks (is_line()).
    virtual void show(const Aggregation& table) = 0;

    Output& output_;
    const format::Environment& env_;
};

} // namespace dt::output
