// -x format=folded and format=flamegraph: aggregations keyed by stacks, and nothing else (dtrace-output(7), FOR OTHER
// PROGRAMS).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libdtrace/output/sink.hpp"
#include "libdtrace/output/wall_clock.hpp"

namespace dt::output {

/// Lines "frame;frame;…;frame VALUE" of one aggregation, outermost frame first, equal lines added up; sorted.
using FoldedStacks = std::map<std::string, int64_t>;

/// Whether an aggregation can be folded: some key is a stack, and the values are count(), sum() or max().
bool is_foldable(const AggregationSchema& schema);

/// Adds the entries of a foldable table. Frames are bare function names: neither module nor offset; keys that are no
/// stacks lead. With `marked` frames of the kernel and of code made at run time begin with the mark of their kind
/// (format/flamegraph.hpp).
void fold(const Aggregation& table, const format::Environment& env, bool marked, FoldedStacks& into);

/// What is common: records are not shown.
class StackSink : public Sink {
public:
    void begin(const Line&) override {}
    void end(const Line&) override {}
    void value(const Datum&, const uint8_t*) override {}
    void stack(const Datum&, const uint8_t*) override {}
    void symbol(const Datum&, const uint8_t*) override {}
    void formatted(const format::BoundFormat&, const uint8_t*) override {}
    void memory(std::span<const uint8_t>) override {}
    void object(uint64_t, const Type*, std::span<const uint8_t>) override {}
    void packet(const Packet&) override {}
    void aggregations(Tables tables) final;
    void aggregations(Tables tables, std::span<const format::BoundFormat>) final { aggregations(tables); }
    void unprinted(const Aggregation& table) final;

    /// There are no stacks yet: people read it.
    void estimate(const Estimate& estimate) final { output_.write(estimate_table(estimate)); }
    void detached(double seconds) final { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) final
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

protected:
    StackSink(Output& output, const format::Environment& env, bool marked) : output_(output), env_(env), marked_(marked)
    {
    }
    virtual void show(const Aggregation& table, FoldedStacks stacks) = 0;

    Output& output_;
    const format::Environment& env_;

private:
    bool marked_;
};

/// Each printa() of a foldable aggregation, and each at the end of the run that was not printed, as lines. A snapshot
/// begins with its time, which those who draw stacks pass over.
class FoldedSink final : public StackSink {
public:
    FoldedSink(Output& output, const format::Environment& env) : StackSink(output, env, false) {}
    void begin_snapshot(uint64_t time) override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    WallClock clock_;
};

/// The same as one SVG document, written at the end: of an aggregation that was printed several times, the last print
/// that showed anything.
class FlamegraphSink final : public StackSink {
public:
    FlamegraphSink(Output& output, const format::Environment& env) : StackSink(output, env, true) {}
    void finish() override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    std::map<uint32_t, FoldedStacks> shown_; // by aggregation id
    std::string title_;                      ///< unless the option flametitle says something else
    bool counts_ = false;
};

} // namespace dt::output
