// Output of -x timing: durations of the phases, and the work of the kernel's verifier.
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

/// Returns a table with the title "start: 12.3 ms". Each phase has its end, its duration and its share of the total;
/// its parts follow it, indented.
std::string timing_table(std::string_view title, const std::vector<Steps::Step>& steps);

/// Returns the number of instructions that the kernel's verifier processed for each program, over all paths.
std::string verified_table(const std::vector<std::pair<std::string, uint64_t>>& programs);

/// Timer of the command's phases.
class Timing {
public:
    explicit Timing(Steps::Time since) : since_(since) {}

    /// Starts separate phases if the options, which a program may also set, enable it. All time before becomes one
    /// phase.
    void begin(const RunOptions& options)
    {
        if (options.timing && !steps_)
            steps_.emplace(since_);
    }
    /// Returns null if timing is off.
    Steps* steps() { return steps_ ? &*steps_ : nullptr; }

    /// Prints the phases so far and resets them.
    void print(std::string_view title);
    /// Prints the phases since the last table at the end of the run.
    void print_end();

private:
    const Steps::Time since_;
    bool has_begun_ = false; ///< the first table was printed
    std::optional<Steps> steps_;
};

} // namespace dt::cmd
