// This process's own memory at any address, readable or not: what a host's probe sites hand over are its own pointers.
#pragma once

#include <cstdint>
#include <span>

namespace dt::vm {

/// Fills `to` from `address`. 0 or -EFAULT, and zeros.
int read_own_memory(std::span<uint8_t> to, uint64_t address);

/// Text up to its NUL, at most to.size() - 1 characters and a NUL: the bytes copied, the NUL included, or -EFAULT, and
/// zeros.
int64_t read_own_text(std::span<uint8_t> to, uint64_t address);

} // namespace dt::vm
