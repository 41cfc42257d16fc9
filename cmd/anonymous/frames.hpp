// Protocol between the keeper of an anonymous trace and its clients. A client sends single bytes; the keeper sends
// frames of a header and data.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace dt::anonymous {

enum class Asked : char {
    Claim = 'c',   ///< send the kept output and all that follows
    End = 'e',     ///< from a client that has claimed: end the trace and send its final output
    NewRoot = 'r', ///< the root file system is mounted: the tracer must leave the initramfs
};

enum class Kept : uint32_t { Output = 1, Messages = 2, Status = 3 };

struct FrameHeader {
    Kept kind = Kept::Output;
    uint32_t size = 0; ///< bytes that follow; for Status, the status itself without data
};

/// Connects to the keeper's socket. ENOENT and ECONNREFUSED mean that no keeper runs.
Result<int> connect_to_keeper(const std::string& socket);

} // namespace dt::anonymous
