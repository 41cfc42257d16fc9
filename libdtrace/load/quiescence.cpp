// Waits for running programs after detaching. The kernel's grace period lasts several ticks, a visible delay between ^C
// and the prompt. But a program that runs with preemption off has ended as soon as another thread has run on its CPU,
// so this thread moves to each CPU in turn. It uses only CPUs on which it may run anyway, so that it never waits for a
// thread that owns an isolated CPU.
#include "libdtrace/load/quiescence.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <memory>
#include <string_view>

namespace dt {
namespace {

/// Returns whether the kernel is PREEMPT_RT, where hardly any code runs with preemption off.
bool is_realtime_kernel()
{
    utsname system{};
    return uname(&system) != 0 || std::string_view(system.version).find("PREEMPT_RT") != std::string_view::npos;
}

class CpuSet {
public:
    explicit CpuSet(long cpus) : cpus_(static_cast<std::size_t>(cpus)), set_(CPU_ALLOC(cpus_))
    {
        CPU_ZERO_S(size(), set_.get());
    }

    std::size_t size() const { return CPU_ALLOC_SIZE(cpus_); }
    cpu_set_t* get() const { return set_.get(); }
    void add(std::size_t cpu) { CPU_SET_S(cpu, size(), set_.get()); }
    bool has(std::size_t cpu) const { return CPU_ISSET_S(cpu, size(), set_.get()); }

private:
    struct Free {
        void operator()(cpu_set_t* set) const { CPU_FREE(set); }
    };
    std::size_t cpus_;
    std::unique_ptr<cpu_set_t, Free> set_;
};

} // namespace

bool on_each_cpu(const std::function<void(uint32_t)>& there)
{
    const long possible = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
    if (possible <= 0 || online <= 0)
        return false;
    const CpuSet own(possible);
    if (sched_getaffinity(0, own.size(), own.get()) != 0)
        return false;
    long visited = 0;
    for (std::size_t cpu = 0; cpu < static_cast<std::size_t>(possible); ++cpu) {
        CpuSet one(possible);
        one.add(cpu);
        if (!own.has(cpu) || sched_setaffinity(0, one.size(), one.get()) != 0)
            continue;
        there(static_cast<uint32_t>(cpu));
        ++visited;
    }
    sched_setaffinity(0, own.size(), own.get());
    return visited >= online;
}

void wait_for_programs(bool preemptible)
{
    if (preemptible || is_realtime_kernel() || !on_each_cpu([](uint32_t) {}))
        ::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

} // namespace dt
