// Trace of a script in the benchmark's own process, attached only during a measurement. So compared variants can
// alternate within milliseconds on one task. Separate tracer processes would be measured seconds apart.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::bench {

/// A script: its text, and its name in error messages.
struct TracedScript {
    std::string name, text;
};

class GatedTrace {
public:
    /// Returns a loaded and active trace that is not attached, or null if the script cannot be traced. `option` is an
    /// additional option in the form of -x, besides "quiet"; may be empty.
    static std::unique_ptr<GatedTrace> start(const TracedScript& script, const std::string& option = {});
    ~GatedTrace();
    GatedTrace(const GatedTrace&) = delete;
    GatedTrace& operator=(const GatedTrace&) = delete;

    Trace& trace() { return trace_; }
    /// Returns "lost: …", or an empty string if nothing was lost. Call it after all records are read.
    std::string losses() const;

private:
    explicit GatedTrace(const Options& options);

    Session session_;
    int null_;
    Output output_;
    Trace trace_;
};

} // namespace dt::bench
