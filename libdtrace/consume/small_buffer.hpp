// Enforces a bufsize that is smaller than the kernel's buffers, which consist of whole pages.
#pragma once

#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

class SmallBuffer {
public:
    SmallBuffer(const RunOptions& options, const std::vector<StatementSchema>& statements)
        : options_(options), statements_(statements)
    {
    }

    /// Sets the mode. If bufsize is below a page, each CPU has room for bufsize bytes between two passes. Otherwise
    /// only samples larger than bufsize are dropped.
    void open(std::size_t page) { counts_ = options_.bufsize < page; }
    void begin_pass() { used_.clear(); }
    /// Returns whether the sample fits. Speculative samples always fit, because specsize limits them; samples of END
    /// are never dropped.
    bool has_room(const Sample& sample);

private:
    uint64_t size_of(const Sample& sample);

    const RunOptions& options_;
    const std::vector<StatementSchema>& statements_;
    std::vector<uint64_t> sizes_; // size of a sample by statement (traditional_size())
    std::vector<uint64_t> used_;  // bytes used in this pass, by CPU
    bool counts_ = false;
};

} // namespace dt::consume
