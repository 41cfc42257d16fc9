// Formats the output of -l, -v and -x timing. The manual describes it: dtrace(8), verbose, and dtrace-language(7),
// STABILITY.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/phase_times.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::cmd {

/// Returns "   ID   PROVIDER            MODULE                          FUNCTION NAME\n".
std::string list_heading();
std::string list_row(const Probe& probe);

/// Returns the block after a row of -lv: stability attributes and argument types.
std::string probe_information(const Probe& probe, const ProbeSignature& signature, TypeTable& types);

/// Returns only the argument types from the result of probe_information().
std::string argument_types(const ProbeSignature& signature, TypeTable& types);

/// Returns the stability blocks of -v for one program: for each attribute, the minimum over its statements. `subject`
/// is "description BEGIN" or "script FILE". The result does not end with an empty line, because with -e the text of
/// description_report() follows.
std::string stability_report(const Program& program, uint32_t index, std::string_view subject);

/// Returns every distinct probe description of the program with its information, for -e -v.
std::string description_report(const Program& program, uint32_t index, ProbeSource& source);

/// Returns the part of a command-line program that messages show: the text before the first of { / ;
std::string_view spec_of(std::string_view text);

// Output of -x timing: durations of the phases, and the work of the kernel's verifier.

/// Returns a table with the title "start: 12.3 ms". The row of each phase contains its end, its duration and its share
/// of the total. The rows of its parts follow, indented.
std::string timing_table(std::string_view title, const std::vector<PhaseTimes::Step>& steps);

/// Returns the number of instructions that the kernel's verifier processed for each program, over all paths.
std::string verified_table(const std::vector<std::pair<std::string, uint64_t>>& programs);

/// Timer of the command's phases.
class Timing {
public:
    explicit Timing(PhaseTimes::Time since) : since_(since) {}

    /// Starts timing separate phases if the options, which a program's pragma may set, enable timing. The time before
    /// this call becomes one phase.
    void begin(const RunOptions& options)
    {
        if (options.timing && !steps_)
            steps_.emplace(since_);
    }
    /// Returns the times of the phases recorded so far; null if timing is off.
    PhaseTimes* steps() { return steps_ ? &*steps_ : nullptr; }

    /// Prints the phases recorded so far and removes them.
    void print(std::string_view title);
    /// At the end of the run, prints the phases since the last table.
    void print_end();

private:
    const PhaseTimes::Time since_;
    bool has_begun_ = false; ///< whether the table of the phases of the start was already printed
    std::optional<PhaseTimes> steps_;
};

} // namespace dt::cmd
