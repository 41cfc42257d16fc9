// Trace of a script in the benchmark's own process, attached only while it is measured. So two variants of a script can
// be compared by measuring them alternately, within milliseconds and on one task. With separate tracer processes,
// seconds would pass between the measurements.
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
    /// option of -x to set in addition to "quiet"; it may be empty.
    static std::unique_ptr<GatedTrace> start(const TracedScript& script, const std::string& option = {});
    ~GatedTrace();
    GatedTrace(const GatedTrace&) = delete;
    GatedTrace& operator=(const GatedTrace&) = delete;

    Trace& trace() { return trace_; }
    /// Returns a message "lost: …" if records or firings were lost, else an empty string. Call it after all records are
    /// read.
    std::string losses() const;

private:
    explicit GatedTrace(const Options& options);

    Session session_;
    int null_;
    Output output_;
    Trace trace_;
};

} // namespace dt::bench
