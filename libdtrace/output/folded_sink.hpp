// -x format=folded and format=flamegraph: aggregations keyed by stacks, and nothing else (dtrace-output(7), FOR OTHER
// PROGRAMS).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libdtrace/output/stack_sink.hpp"
#include "libdtrace/output/wall_clock.hpp"

namespace dt::output {

/// Lines "frame;frame;…;frame VALUE" of one aggregation, outermost frame first, equal lines added up; sorted.
using FoldedStacks = std::map<std::string, int64_t>;

/// Adds the entries of a foldable table. Frames are bare function names: neither module nor offset; keys that are no
/// stacks lead. With `marked` frames of the kernel and of code made at run time begin with the mark of their kind
/// (format/flamegraph.hpp).
void fold(const Aggregation& table, const format::Environment& env, bool marked, FoldedStacks& into);

/// Both show lines.
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

/// Each printa() of a foldable aggregation, and each at the end of the run that was not printed, as lines. A snapshot
/// begins with its time, which those who draw stacks pass over.
class FoldedSink final : public FoldingSink {
public:
    FoldedSink(Output& output, const format::Environment& env) : FoldingSink(output, env, false) {}
    void begin_snapshot(uint64_t time) override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    WallClock clock_;
};

/// The same as one SVG document, written at the end: of an aggregation that was printed several times, the last print
/// that showed anything.
class FlamegraphSink final : public FoldingSink {
public:
    FlamegraphSink(Output& output, const format::Environment& env) : FoldingSink(output, env, true) {}
    Result<void> open() override;
    void finish() override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    std::map<uint32_t, FoldedStacks> shown_; // by aggregation id
    std::string title_;                      ///< unless the option flametitle says something else
    bool counts_ = false;
};

} // namespace dt::output
