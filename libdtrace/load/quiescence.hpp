// The end of the programs that are still running when the last probe was switched off.
#pragma once

namespace dt {

/// Returns when every program that was running on any CPU at the time of the call has ended. Programs that cannot be
/// preempted are waited for by a visit to each CPU, some 50 us each; `preemptible` ones by a grace period, 8 to 16 ms.
/// (Where the kernel has none to offer, with nohz_full, the latter are not waited for.) Moves the calling thread about
/// and puts it back.
void wait_for_programs(bool preemptible);

} // namespace dt
