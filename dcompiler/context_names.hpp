// Digests of the attribute names of a thread's context. BPF programs compare digests instead of texts. The compiler
// computes digests for a script's names, the consumer for the names that a process publishes.
#pragma once

#include <cstdint>
#include <string_view>

namespace dt {

/// Returns the FNV-1a digest, which is never 0.
constexpr uint64_t context_name_digest(std::string_view name)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (const char each : name)
        digest = (digest ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return digest == 0 ? 1 : digest;
}

} // namespace dt
