// Names that the compiler, BPF programs and the consumer must agree on: the parts of a thread's time, the other names
// in blame(), and digests of the names of context attributes. Each is defined here once.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

#include "bpf-runtime/accounting/account.h"

namespace dt {

/// Parts of a thread's time, in the order of enum dt_part: the names in breakdown() and timeof(), and the variable
/// whose value is only that part (dtrace-aggregations(7), BREAKDOWN). Parts that do not apply to threads have no
/// variable.
struct TimePart {
    std::string_view name, variable;
};

inline constexpr TimePart kTimeParts[] = {
    {"user", "cpu_user"},
    {"kernel", "cpu_kernel"},
    {"interrupt", "cpu_interrupt"},
    {"runq", "runq"},
    {"futex", "blocked_futex"},
    {"lock", "blocked_lock"},
    {"disk", "blocked_disk"},
    {"fault", "blocked_fault"},
    {"reclaim", "blocked_reclaim"},
    {"network", "blocked_network"},
    {"pipe", "blocked_pipe"},
    {"poll", "blocked_poll"},
    {"timer", "blocked_timer"},
    {"child", "blocked_child"},
    {"signal", "blocked_signal"},
    {"other", "blocked_other"},
    {"throttled", "throttled"},
    {"stolen", "stolen"},
    {"queued", ""},
};
static_assert(std::size(kTimeParts) == DT_PARTS);

/// Names of threads in blame() besides the names of parts of a thread's time, in the order of enum dt_blame_name.
inline constexpr std::string_view kBlameNames[] = {"running", "(interrupt)", "(unknown)", "(knot)", "(deep)"};
static_assert(std::size(kBlameNames) == int{DT_NAMES} - int{DT_PARTS});

// Digests of the attribute names of a thread's context. BPF programs compare digests instead of strings. The compiler
// computes digests for a script's names, the consumer for the names that a process publishes.

/// Returns the FNV-1a digest of a name, which is never 0.
constexpr uint64_t context_name_digest(std::string_view name)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (const char each : name)
        digest = (digest ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return digest == 0 ? 1 : digest;
}

} // namespace dt
