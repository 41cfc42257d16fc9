// Names that the compiler, BPF programs and the consumer must agree on: the parts of a thread's time, such as "runq";
// the other names that blame() prints; and digests of the names of context attributes.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

#include "bpf-runtime/accounting/account.h"

namespace dt {

/// Parts of a thread's time, in the order of enum dt_part. Each entry has the name in breakdown() and timeof(), and the
/// name of the variable that contains this part's time (dtrace-aggregations(7), BREAKDOWN). Parts that do not apply to
/// threads have no variable.
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

/// Names that blame() prints instead of a thread or of a part of a thread's time, in the order of enum dt_blame_name.
inline constexpr std::string_view kBlameNames[] = {"running", "(interrupt)", "(unknown)", "(knot)", "(deep)"};
static_assert(std::size(kBlameNames) == int{DT_NAMES} - int{DT_PARTS});

// Digests of names of context attributes, which a process publishes about its threads (ctxattr()). BPF programs compare
// digests and not strings. The compiler computes them for names in a script, the consumer for names that a process
// publishes.

/// Returns the FNV-1a digest of a name, which is never 0.
constexpr uint64_t context_name_digest(std::string_view name)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (const char each : name)
        digest = (digest ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return digest == 0 ? 1 : digest;
}

} // namespace dt
