// A script that is traced by this process, and attached only for as long as it is measured: what is compared takes
// turns within milliseconds, on one task, where two processes would be seconds apart.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::bench {

/// What is traced, and under which name errors would speak of it.
struct TracedScript {
    std::string name, text;
};

class GatedTrace {
public:
    /// Loaded and active, with nothing attached; null where the script cannot be traced. `option`: one more beside
    /// "quiet", as -x has it, unless it is empty.
    static std::unique_ptr<GatedTrace> start(const TracedScript& script, const std::string& option = {});
    ~GatedTrace();
    GatedTrace(const GatedTrace&) = delete;
    GatedTrace& operator=(const GatedTrace&) = delete;

    Trace& trace() { return trace_; }
    /// "lost: …"; empty when nothing was. To be asked when all has been read.
    std::string losses() const;

private:
    explicit GatedTrace(const Options& options);

    Session session_;
    int null_;
    Output output_;
    Trace trace_;
};

} // namespace dt::bench
