// What operations of threaded code do with memory, as far as that is more than a move.
#pragma once

#include "bpf-runtime/vm/threaded.hpp"

namespace dt::vm {

inline constexpr uint8_t kNoRegister = 15;

/// At a function's beginning no byte of its frame is written.
void begin_frame(Machine& machine, Frame& frame, const Operation& op);
/// Are the bytes that it loads?
bool all_written(const Frame& frame, const Operation& op);
/// False when the run has failed.
bool store_checked(Machine& machine, const Operation& op, const uint64_t* registers);
bool atomic_threaded(Machine& machine, const Operation& op, uint64_t* registers);

} // namespace dt::vm
