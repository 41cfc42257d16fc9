// Sinks of -x format=folded and format=flamegraph. They show only aggregations with stacks in their keys
// (dtrace-output(7), FOR OTHER PROGRAMS).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libdtrace/output/stack_sink.hpp"
#include "libdtrace/output/wall_clock.hpp"

namespace dt::output {

/// Sorted lines "frame;frame;…;frame VALUE" of one aggregation, outermost frame first. Values of equal lines are added.
using FoldedStacks = std::map<std::string, int64_t>;

/// Adds the entries of a foldable table. Frames are function names without module and offset; keys that are not stacks
/// come first. If `marked`, frames of the kernel and of JIT code begin with the mark of their kind
/// (format/flamegraph.hpp).
void fold(const Aggregation& table, const format::Environment& env, bool marked, FoldedStacks& into);

/// Base of both sinks: folds aggregations into lines.
class FoldingSink : public StackSink {
protected:
    FoldingSink(Output& output, const format::Environment& env, bool marked) : StackSink(output, env), marked_(marked)
    {
    }
    virtual void show(const Aggregation& table, FoldedStacks stacks) = 0;

private:
    void show(const Aggregation& table) final;

    bool marked_;
};

/// Writes each printa() of a foldable aggregation, and each unprinted one at exit, as lines. A snapshot begins with its
/// time as a comment that flame graph tools ignore.
class FoldedSink final : public FoldingSink {
public:
    FoldedSink(Output& output, const format::Environment& env) : FoldingSink(output, env, false) {}
    void begin_snapshot(uint64_t time) override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    WallClock clock_;
};

/// Writes one SVG document at the end. Of an aggregation that was printed several times, it shows the last print with
/// content.
class FlamegraphSink final : public FoldingSink {
public:
    FlamegraphSink(Output& output, const format::Environment& env) : FoldingSink(output, env, true) {}
    Result<void> open() override;
    void finish() override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    std::map<uint32_t, FoldedStacks> shown_; // by aggregation id
    std::string title_;                      ///< title of the graph unless the option flametitle is set
    bool counts_ = false;
};

} // namespace dt::output
