// The sink of a trace's records, including additional readers (followers) that may join and leave.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "libdtrace/output/follower.hpp"

namespace dt::consume {

class Followers {
public:
    /// All arguments must outlive this object. `own` receives the records in any case.
    Followers(output::Sink& own, const PrintOptions& options, const format::Environment& env, bool reproducible)
        : own_(own), options_(options), env_(env), reproducible_(reproducible)
    {
    }

    /// Adds a follower. Fails for formats other than text, jsonl and csv.
    Result<void> add(std::shared_ptr<output::Follower> follower);
    /// Returns the current sink of the records, and removes followers that have left.
    output::Sink& sink();
    /// Returns whether followers existed at the last call of sink(). Removes none, so that the sink stays valid.
    bool were_there() const { return fork_ != nullptr; }
    /// Removes all followers at the end of the trace.
    void finish() { fork_.reset(); }

private:
    output::Sink& own_;
    const PrintOptions& options_;
    const format::Environment& env_;
    const bool reproducible_;
    std::unique_ptr<output::ForkedSink> fork_; ///< sink that also feeds the followers; null: there are none
};

} // namespace dt::consume
