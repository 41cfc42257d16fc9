// Predicts a trace's cost before it runs (dtrace --estimate). Minimal programs count the firings of the trace's probes
// for a short time. The predicted cost of a firing is the hook overhead plus the modelled time of the final program.
// This file also declares the generator of the minimal programs.
//
// If the kernel attaches the probes one by one, only a random selection of the probes is counted, so that the system is
// not disturbed.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/phase_times.hpp"
#include "base/result.hpp"
#include "dcompiler/object/functions.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/macros.hpp"
#include "libdtrace/loop/signals.hpp"
#include "libdtrace/results/estimate_report.hpp"
#include "libdtrace/trace/trace.hpp"

// Model of a BPF program's run time. It adds the costs of the instructions and helpers on the program's likely path.

namespace dt {

/// Costs of instructions and helpers in ns, measured with warm caches.
struct InstructionCosts {
    double instruction = 0;
    double call = 0;                   ///< cost of helpers that are not in `helpers`
    double key_byte = 0;               ///< cost of each byte of a hash key beyond kMeasuredKeySize
    std::map<int32_t, double> helpers; ///< cost of a helper by its number (enum bpf_func_id)

    /// Size of the measured hash keys in bytes. The measured costs of helpers are those for a key of this size.
    static constexpr uint32_t kMeasuredKeySize = 16;
};

class ProgramCostModel {
public:
    /// `has_mmap_rings`: the sample rate is so high that the consumer will open mmap rings.
    ProgramCostModel(const Object& object, InstructionCosts costs, bool has_mmap_rings);

    /// Returns the time of one run in ns, or 0 if the program does not exist.
    double time_of_program(std::string_view program);

private:
    class Walk;

    double time_of(std::string_view function);

    /// Returns the cost of a helper; `map` is the name of the map that is its first argument.
    double cost_of_helper(int32_t helper, std::string_view map) const;

    std::map<std::string, ObjectFunction, std::less<>> functions_;
    /// time of each function in ns; 0 while the function is being evaluated
    std::map<std::string, double, std::less<>> times_;
    /// key size in bytes of each map that is a hash; 0 for arrays
    std::map<std::string, uint32_t, std::less<>> hashes_;
    std::set<std::string, std::less<>> used_; ///< maps and data that the program has used so far
    InstructionCosts costs_;
    bool has_mmap_rings_;
};

/// Returns the costs. Takes some ten milliseconds if they were not measured since boot. Costs that cannot be measured
/// have default values.
InstructionCosts measure_instruction_costs();

} // namespace dt

namespace dt {

struct EstimateRequest {
    Session& session;
    const Trace& trace;          ///< the trace, which is compiled but not loaded
    Compiler& compiler;          ///< the compiler that compiled the trace
    Macros macros;               ///< macros of the trace's programs
    uint64_t time = 0;           ///< time in ns for which firings are counted
    Signals* signals = nullptr;  ///< signals that end counting early, or null
    PhaseTimes* steps = nullptr; ///< receives the duration of each phase; may be null
};

using EstimateListener = std::function<void(const output::Estimate& estimate)>;

/// Attaches the counting programs, counts firings, passes the estimate to `listener`, and detaches. Returns the time in
/// seconds that detaching all probes of the trace would take, or nothing if no probe needs attaching. The errors are
/// the same as those of class Trace; after an error, `listener` may not have been called.
Result<std::optional<double>> estimate(const EstimateRequest& request, const EstimateListener& listener);

// Generates the cheapest possible program on the probes of a given program. The generated program counts firings, and
// how often the predicates of the given program are true.

/// Returns a statement's predicate as text without slashes, or an empty string. Only a predicate that reads no
/// variables and has no side effects is returned, because it must have the same value in another program.
std::string portable_predicate(const Statement& statement);

/// Returns whether the statement has a predicate that counting_program() cannot evaluate.
bool has_other_predicate(const Statement& statement);

/// Returns a program with one empty clause for each statement except those of BEGIN, END and ERROR.
std::string counting_program(const std::deque<Statement>& statements);

/// Returns a program with one empty clause whose probe descriptions name exactly `probes`.
std::string counting_program(std::span<const Probe* const> probes);

} // namespace dt
