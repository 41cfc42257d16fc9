// The measured loop: getppid(2), the cheapest system call that no library answers by itself.
#pragma once

#include <sys/syscall.h>

namespace dt::bench {

/// Nanoseconds a call, the least of `repetitions` runs of `calls` each in several processes, on the last CPU of the
/// machine. The least of many short runs and not the mean: noise of a shared machine only ever adds. Infinite when no
/// process could be made. `number`: of another system call.
double ns_per_call(int repetitions = 150, long calls = 250, long number = SYS_getppid);

/// What is measured: a call of that system call, whose arguments are 0, a text of 33 characters, `i`, 1.
void make_call(long number, long i);
/// `calls` of them, of which `i` is the number.
void make_calls(long number, long calls);

/// Pins this thread to a CPU; to the last one (the loop); to all others (everything else; the only one on a machine
/// with one).
void use_cpu(long cpu);
void use_loop_cpu();
void use_other_cpus();

} // namespace dt::bench
