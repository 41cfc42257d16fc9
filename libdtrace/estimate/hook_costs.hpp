// Hook overhead: the time that the kernel needs for a firing before the program begins and after it ends, for example
// for a trap. A program cannot measure this time itself.
//
// The overhead is measured once per kind of hook and boot, with probes of our own on a child process, and cached. The
// overhead is the child's time per call with a trace, minus the time without, minus the program's own time. Traced and
// untraced runs alternate several times, and the spread of the results is cached too; a result with a large spread is
// measured again at the next request. While the core's sibling thread is busy, calls and overhead take longer, so a
// second value is measured for that case (docs/decisions/81-hook-overhead-and-cpu-speed.md).
#pragma once

#include <sys/types.h>

#include <map>
#include <set>

#include "dcompiler/interface/plan.hpp"
#include "libdtrace/results/cost_report.hpp"

namespace dt {

struct Schema;

/// Returns the kinds of hooks of the probes whose firings the program counts (Schema::counted).
std::set<HookKind> hooks_of(const Schema& schema);

/// Returns the overhead in ns per firing for the given kinds of hooks, and for the kinds that this kernel uses instead.
/// Kinds that cannot be measured are missing. Measuring takes some tenths of a second for each kind that was not
/// measured since boot. `governed`: firings are counted for -x maxcost, which costs time too. If `soon` is set, accepts
/// any earlier result, and measures hastily, for hardly more than 0.4 s. A later call without `soon` then repeats the
/// measurement. Forks the calling process.
std::map<HookKind, output::HookOverhead> measure_hook_overheads(std::set<HookKind> kinds, bool governed = false,
                                                                bool soon = false);

/// Pins the calling thread to the CPU. Returns false if the CPU does not exist or the thread may not run there.
bool stay_on_cpu(int cpu);

/// A child process that keeps the sibling thread of `cpu`'s core busy, at idle priority, so that overhead on a busy
/// core can be measured. Without topology information (virtual machines) it uses the other CPU of an even-odd pair. The
/// destructor ends the child.
///
/// When the constructor returns, the child has closed all inherited descriptors. A BPF link stays attached while any
/// process has a descriptor of it, so an inherited link would distort untraced measurements.
class SiblingLoad {
public:
    explicit SiblingLoad(int cpu);
    ~SiblingLoad();
    SiblingLoad(const SiblingLoad&) = delete;
    SiblingLoad& operator=(const SiblingLoad&) = delete;

    bool is_there() const { return pid_ > 0; } ///< returns whether the child exists; false if there is no second CPU

private:
    pid_t pid_ = -1;
};

} // namespace dt
