// How the name of an attribute of a thread's context is known in the kernel: by its digest, so that no program has to
// compare texts. The compiler has those of a script, the consumer those that a process says.
#pragma once

#include <cstdint>
#include <string_view>

namespace dt {

/// FNV-1a; never 0.
constexpr uint64_t context_name_digest(std::string_view name)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (const char each : name)
        digest = (digest ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return digest == 0 ? 1 : digest;
}

} // namespace dt
