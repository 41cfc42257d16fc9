// What a buffer of the size that was asked for would have had room for, where the kernel's is larger: that one has
// whole pages.
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

    /// Below a page every CPU has room for bufsize bytes between two passes. From a page on only what is larger than
    /// all of it finds none.
    void open(std::size_t page) { counts_ = options_.bufsize < page; }
    void begin_pass() { used_.clear(); }
    /// What speculations hold is limited by specsize, and what END records is never dropped.
    bool has_room(const Sample& sample);

private:
    uint64_t size_of(const Sample& sample);

    const RunOptions& options_;
    const std::vector<StatementSchema>& statements_;
    std::vector<uint64_t> sizes_; // by statement: retained.hpp
    std::vector<uint64_t> used_;  // by CPU, in this pass
    bool counts_ = false;
};

} // namespace dt::consume
