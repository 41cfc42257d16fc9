// Prediction of a trace's cost before it runs (dtrace --estimate). Minimal programs count the firings of its probes for
// a moment. Each firing costs the hook overhead plus the modelled time of the final program.
//
// If the kernel attaches the probes one by one, only a random selection is counted, so that the system is not
// disturbed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.hpp"
#include "base/steps.hpp"
#include "dcompiler/syntax/macros.hpp"
#include "libdtrace/host/signals.hpp"
#include "libdtrace/output/estimate.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt {

struct EstimateRequest {
    Session& session;
    const Trace& trace;         ///< compiled, not loaded
    Compiler& compiler;         ///< the compiler of that trace
    Macros macros;              ///< macros of the trace's programs
    uint64_t time = 0;          ///< duration of counting in ns
    Signals* signals = nullptr; ///< signals that end counting early; null: none
    Steps* steps = nullptr;     ///< receiver of the duration of each phase; null: none
};

using EstimateTold = std::function<void(const output::Estimate& estimate)>;

/// Attaches, counts, calls `told`, and detaches. Returns the seconds that detaching takes, extrapolated to all probes,
/// or nothing if no probe needs attaching. Errors are those of Trace; `told` may not have been called then.
Result<std::optional<double>> estimate(const EstimateRequest& request, const EstimateTold& told);

} // namespace dt
