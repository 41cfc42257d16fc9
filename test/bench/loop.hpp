// The measured loop: getppid(2), the cheapest system call that no library caches.
#pragma once

#include <sys/syscall.h>

namespace dt::bench {

/// Returns ns per call: the minimum of `repetitions` runs of `calls` each in several processes, on the last CPU. The
/// minimum of many short runs is used because noise on a shared machine only adds time. Returns infinity if no process
/// could be created. `number` is the number of the measured system call.
double ns_per_call(int repetitions = 150, long calls = 250, long number = SYS_getppid);

/// Makes one measured call, with the arguments 0, a text of 33 characters, `i` and 1.
void make_call(long number, long i);
/// Makes `calls` calls; the third argument is the index of the call.
void make_calls(long number, long calls);

/// Each function pins the calling thread: to one CPU; to the last CPU, on which the measured loop runs; or to all CPUs
/// except the last one, for all other work. On a machine with one CPU, all three pin to it.
void use_cpu(long cpu);
void use_loop_cpu();
void use_other_cpus();

} // namespace dt::bench
