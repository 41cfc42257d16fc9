// dtrace --anonymous: starts the saved program and keeps its output until a client claims it.
//
// At boot no reader exists and no disk is writable, so output is kept in memory. The tracer is a normal run whose
// output is a pipe. The process at the other end, the keeper, stores up to kMaxKept bytes; beyond that, the tracer
// itself buffers output, as for any slow reader. Further records are dropped and counted in the kernel as usual, so the
// keeper needs no knowledge of records.
//
// The original process ends when tracing has started, so that the boot continues. Its child is the keeper, which stores
// the output and serves clients. The keeper's child is the tracer.
#pragma once

#include <variant>

#include "cmd/common/arguments.hpp"

namespace dt::anonymous {

inline constexpr std::size_t kMaxKept = 64 << 20;

/// Starts two processes: the keeper, which stores output, and the tracer. Returns in all three processes. In the
/// original process and in the keeper, returns an exit status; in the tracer, the arguments of the program to run.
std::variant<int, cmd::Arguments> begin(const cmd::Arguments& arguments);

} // namespace dt::anonymous
