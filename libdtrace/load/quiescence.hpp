// Waits until programs that were running when the last probe was disabled have ended.
#pragma once

#include <cstdint>
#include <functional>

namespace dt {

/// Calls `there` with the CPU's number on every CPU where the calling thread may run, then restores the thread's
/// affinity. During the call no program runs on that CPU except preemptible ones. Returns whether all online CPUs were
/// visited.
bool on_each_cpu(const std::function<void(uint32_t cpu)>& there);

/// Blocks until every program that was running on any CPU at the time of the call has ended. For non-preemptible
/// programs this takes a visit to each CPU, about 50 us each; for `preemptible` ones a grace period, 8 to 16 ms.
/// Kernels with nohz_full offer no grace period; preemptible programs are not waited for there. Moves the calling
/// thread and restores its affinity.
void wait_for_programs(bool preemptible);

} // namespace dt
