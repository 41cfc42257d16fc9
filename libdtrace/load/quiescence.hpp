// The end of the programs that are still running when the last probe was switched off.
#pragma once

#include <cstdint>
#include <functional>

namespace dt {

/// Calls `there` on every CPU that the calling thread may run on, with the CPU's number, and puts the thread back. No
/// program is running on the CPU then, but those that can be preempted. True: these were all that are online.
bool on_each_cpu(const std::function<void(uint32_t cpu)>& there);

/// Returns when every program that was running on any CPU at the time of the call has ended. Programs that cannot be
/// preempted are waited for by a visit to each CPU, some 50 us each; `preemptible` ones by a grace period, 8 to 16 ms.
/// (Where the kernel has none to offer, with nohz_full, the latter are not waited for.) Moves the calling thread about
/// and puts it back.
void wait_for_programs(bool preemptible);

} // namespace dt
