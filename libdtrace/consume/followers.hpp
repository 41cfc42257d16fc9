// Who follows a trace, if anybody: whose sink its records go to.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "libdtrace/output/follower.hpp"

namespace dt::consume {

class Followers {
public:
    /// All must outlive this; `own` is where records go in any case.
    Followers(output::Sink& own, const PrintOptions& options, const format::Environment& env, bool reproducible)
        : own_(own), options_(options), env_(env), reproducible_(reproducible)
    {
    }

    /// Fails in formats that are no sequence of records.
    Result<void> add(std::shared_ptr<output::Follower> follower);
    /// Where records go now. Those that have left are forgotten.
    output::Sink& sink();
    /// Whether that was elsewhere the last time. Forgets nobody: who has the sink may use it still.
    bool were_there() const { return fork_ != nullptr; }
    /// Nothing will come any more.
    void finish() { fork_.reset(); }

private:
    output::Sink& own_;
    const PrintOptions& options_;
    const format::Environment& env_;
    const bool reproducible_;
    std::unique_ptr<output::ForkedSink> fork_; ///< null: nobody follows
};

} // namespace dt::consume
