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

/// Returns the text below a row of the -lv listing: stability attributes and argument types of the probe.
std::string probe_information(const Probe& probe, const ProbeSignature& signature, TypeTable& types);

/// Returns the argument types in the form of report text, from the result of probe_information().
std::string argument_types(const ProbeSignature& signature, TypeTable& types);

/// Returns the stability report of -v for one program; its attributes are the minima over all statements. `subject` is
/// "description BEGIN" or "script FILE". The text does not end with an empty line: when a trace starts, the caller
/// appends one; with -e the text of description_report() follows.
std::string stability_report(const Program& program, uint32_t index, std::string_view subject);

/// Returns every distinct probe description of the program with its information, for -e -v.
std::string description_report(const Program& program, uint32_t index, ProbeSource& source);

/// Returns the part of a command-line program that messages show: the text before the first of { / ;
std::string_view spec_of(std::string_view text);

// Output of -x timing: how long each phase of the run took, and how much work the kernel's verifier did.

/// Returns a table with a title such as "start: 12.3 ms". The row of each phase shows when it ended, its duration and
/// its share of the total. Indented rows for the parts of the phase follow.
std::string timing_table(std::string_view title, const std::vector<PhaseTimes::Step>& steps);

/// Returns the number of instructions that the kernel's verifier processed for each program, over all paths.
std::string verified_table(const std::vector<std::pair<std::string, uint64_t>>& programs);

/// Timer of the command's phases.
class Timing {
public:
    explicit Timing(PhaseTimes::Time since) : since_(since) {}

    /// Starts to time separate phases if the options enable timing. Call it again after each program is added, because
    /// its pragmas may set these options. The time before timing starts becomes one phase.
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
