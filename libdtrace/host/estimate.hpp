// What a trace is going to cost, before it is there: firings of its probes are counted for a moment, by programs that
// do nothing else, and each has the price of its hook and of the program that is to run.
//
// Where the kernel attaches the probes one by one, so few of them are counted that nothing is harmed, picked by chance.
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
    Compiler& compiler;         ///< its own
    Macros macros;              ///< of its programs
    uint64_t time = 0;          ///< ns to count for
    Signals* signals = nullptr; ///< one that comes ends it early; null: nobody looks
    Steps* steps = nullptr;     ///< told what each step takes; null: nobody asks
};

using EstimateTold = std::function<void(const output::Estimate& estimate)>;

/// Attaches, counts, calls `told` and detaches; the result is the seconds that detaching takes, by all probes that
/// there are. Nothing: nothing was to be attached. The error is as those of Trace, and then `told` may not have been
/// called.
Result<std::optional<double>> estimate(const EstimateRequest& request, const EstimateTold& told);

} // namespace dt
