// Memory operations of threaded code that are longer than one load or store.
#pragma once

#include "bpf-runtime/vm/threaded.hpp"

namespace dt::vm {

inline constexpr uint8_t kNoRegister = 15;

/// Marks all bytes of a new function's frame as unwritten.
void begin_frame(Machine& machine, Frame& frame, const Operation& op);
/// Returns whether all bytes to load were written.
bool all_written(const Frame& frame, const Operation& op);
/// Return false after a failure of the run.
bool store_checked(Machine& machine, const Operation& op, const uint64_t* registers);
bool atomic_threaded(Machine& machine, const Operation& op, uint64_t* registers);

} // namespace dt::vm
