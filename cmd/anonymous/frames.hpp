// What the keeper of an anonymous trace and who asks it say to one another: one byte the one way, and the other way
// frames, each a header and as many bytes.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace dt::anonymous {

enum class Asked : char {
    Claim = 'c',   ///< what was kept, and what comes
    End = 'e',     ///< of who has claimed: the trace is to end, and what it prints at its end is wanted
    NewRoot = 'r', ///< the root file system is there: the tracer is to leave that of the initramfs
};

enum class Kept : uint32_t { Output = 1, Messages = 2, Status = 3 };

struct FrameHeader {
    Kept kind = Kept::Output;
    uint32_t size = 0; ///< bytes that follow; of Status: the status itself, and none follow
};

/// Connected to the socket of a keeper. ENOENT, ECONNREFUSED: none is there.
Result<int> connect_to_keeper(const std::string& socket);

} // namespace dt::anonymous
