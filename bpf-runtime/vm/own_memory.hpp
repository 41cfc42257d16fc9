// Reads this process's own memory at any address, mapped or not. Needed because the probe sites of an embedding host
// pass pointers of their own process.
#pragma once

#include <cstdint>
#include <span>

namespace dt::vm {

/// Fills `to` from `address`. Returns 0, or -EFAULT and zeros.
int read_own_memory(std::span<uint8_t> to, uint64_t address);

/// Copies text up to its NUL: at most to.size() - 1 characters and a NUL. Returns the number of bytes including the
/// NUL, or -EFAULT and zeros.
int64_t read_own_text(std::span<uint8_t> to, uint64_t address);

} // namespace dt::vm
