// What -x timing prints: a row a step, and how much the kernel's verifier had to follow.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libdtrace/options/options.hpp"
#include "base/steps.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::cmd {

/// "start: 12.3 ms", and for each step when it was over, how long it took and how much of the whole that is. Parts of a
/// step are behind it and indented.
std::string timing_table(std::string_view title, const std::vector<Steps::Step>& steps);

/// How many instructions of each program the kernel's verifier followed, on all paths together.
std::string verified_table(const std::vector<std::pair<std::string, uint64_t>>& programs);

/// The steps of the command, once somebody asks for them.
class Timing {
public:
    explicit Timing(Steps::Time since) : since_(since) {}

    /// From now on steps are told apart, if the options say so, which a program may do as well: what was before is one.
    void begin(const RunOptions& options)
    {
        if (options.timing && !steps_)
            steps_.emplace(since_);
    }
    /// Null: nobody asks.
    Steps* steps() { return steps_ ? &*steps_ : nullptr; }

    /// Prints the steps so far, and forgets them.
    void print(std::string_view title);
    /// The same when all is over, if something had begun.
    void print_end();

private:
    const Steps::Time since_;
    bool has_begun_ = false; ///< the first steps were printed
    std::optional<Steps> steps_;
};

} // namespace dt::cmd
