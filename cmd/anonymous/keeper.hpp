// dtrace --anonymous: starts what was saved, and keeps what it prints until somebody claims it.
//
// At boot nobody reads and no disk can be written, so that what is recorded waits in memory. The tracer is a run as any
// other, whose output is a pipe; the process at the other end, its keeper, holds what comes in two bounds: kMostKept
// bytes of its own, and behind it what a tracer keeps for a reader that is slow. What finds no room there is lost in
// the kernel, where it is counted and told as always. So nothing here has to know of records.
//
//     started ── waits until it traces ── ends         (init, a unit, a script of the initramfs go on)
//        └─ keeper ── output, messages, the claim
//              └─ tracer
#pragma once

#include <variant>

#include "cmd/arguments.hpp"

namespace dt::anonymous {

inline constexpr std::size_t kMostKept = 64 << 20;

/// Starts the keeper and the tracer. Returns in three processes: to who started it and in the keeper the exit status,
/// in the tracer what it is to run.
std::variant<int, cmd::Arguments> begin(const cmd::Arguments& arguments);

} // namespace dt::anonymous
