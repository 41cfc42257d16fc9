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
#include <optional>
#include <span>
#include <string>

#include "base/phase_times.hpp"
#include "base/result.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/macros.hpp"
#include "libdtrace/loop/signals.hpp"
#include "libdtrace/results/estimate_report.hpp"
#include "libdtrace/trace/trace.hpp"

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
