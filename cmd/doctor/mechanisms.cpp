// Tries every attach mechanism (the kernel's ways to call a BPF program) with an empty program. Attaches to events that
// do not occur here, or to a function of this file.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/kernel_abi.hpp"
#include "cmd/doctor/check.hpp"
#include "libdtrace/kernel/features.hpp"
#include "libdtrace/kernel/tracefs.hpp"
#include "libdtrace/session/capabilities.hpp"
#include "probes/attach/uprobe.hpp"

namespace dt::cmd::doctor {

/// Function of this program to which the checks of uprobes attach.
[[gnu::noinline]] void function_to_probe()
{
    asm volatile("");
}

namespace {

constexpr const char* kBoth = "CAP_BPF and CAP_PERFMON";
constexpr bpf_insn kNothing[] = {mov(BPF_REG_0, 0), kExit};

/// Owns a descriptor. If opening it failed, the descriptor is negative and `code` is the errno.
class Descriptor {
public:
    Descriptor(long number) : number_(static_cast<int>(number)), code_(number < 0 ? errno : 0) {}
    ~Descriptor()
    {
        if (number_ >= 0)
            close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }
    int code() const { return code_; }
    explicit operator bool() const { return number_ >= 0; }

private:
    int number_, code_;
};

int load(bpf_prog_type type, uint32_t attach_type = 0, uint32_t function = 0)
{
    LIBBPF_OPTS(bpf_prog_load_opts, options);
    options.expected_attach_type = static_cast<bpf_attach_type>(attach_type);
    options.attach_btf_id = function;
    return bpf_prog_load(type, "dt_doctor", "GPL", kNothing, std::size(kNothing), &options);
}

long open_event(perf_event_attr& attributes, pid_t process, int cpu)
{
    attributes.size = sizeof attributes;
    return syscall(SYS_perf_event_open, &attributes, process, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/// A kernel function to which the checks attach. Every kernel has it. Modules call it, so it is never inlined; it is
/// rarely called.
constexpr const char* kFunction = "vfs_fsync_range";

/// Attaches an empty program to an event of this process.
Finding attach_to_event(perf_event_attr& attributes, bpf_prog_type type, const char* capability, const char* remedy)
{
    const Descriptor program(load(type));
    if (!program)
        return failed(program.code(), kBoth, remedy);
    const Descriptor event(open_event(attributes, 0, -1));
    if (!event)
        return failed(event.code(), capability, remedy);
    if (ioctl(event.number(), PERF_EVENT_IOC_SET_BPF, program.number()) != 0)
        return failed(errno, capability, remedy);
    return works();
}

/// Returns the number in a /sys file, or -1.
long number_in(const std::string& path)
{
    std::ifstream file(path);
    long number = -1;
    file >> number;
    return file ? number : -1;
}

Finding try_perf_buffer()
{
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_BPF_OUTPUT;
    attributes.sample_type = PERF_SAMPLE_RAW;
    const Descriptor event(open_event(attributes, -1, 0));
    if (!event)
        return failed(event.code(), "CAP_PERFMON", "a kernel built with CONFIG_PERF_EVENTS=y");
    const auto size = static_cast<std::size_t>(2 * sysconf(_SC_PAGESIZE));
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, event.number(), 0);
    if (memory == MAP_FAILED)
        return failed(errno, "CAP_IPC_LOCK", "a larger sysctl kernel.perf_event_mlock_kb");
    munmap(memory, size);
    return works();
}

Finding try_raw_tracepoint()
{
    const Descriptor program(load(BPF_PROG_TYPE_RAW_TRACEPOINT));
    if (!program)
        return failed(program.code(), kBoth, "");
    const Descriptor link(bpf_raw_tracepoint_open("sched_process_exit", program.number()));
    return link ? works() : failed(link.code(), kBoth, "a kernel built with CONFIG_TRACEPOINTS=y");
}

Finding try_tracepoint()
{
    const long number = std::atol(Tracefs().read("events/sched/sched_process_exit/id").c_str());
    if (number == 0)
        return {false, "the list of events cannot be read", "tracefs (above)"};
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.config = static_cast<uint64_t>(number);
    return attach_to_event(attributes, BPF_PROG_TYPE_TRACEPOINT, "CAP_PERFMON",
                           "a kernel built with CONFIG_PERF_EVENTS=y and CONFIG_TRACEPOINTS=y");
}

Finding try_clock()
{
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_CPU_CLOCK;
    attributes.sample_period = 1'000'000'000;
    return attach_to_event(attributes, BPF_PROG_TYPE_PERF_EVENT, "CAP_PERFMON",
                           "a kernel built with CONFIG_PERF_EVENTS=y");
}

Finding try_counters()
{
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_CPU_CYCLES;
    const Descriptor event(open_event(attributes, 0, -1));
    if (!event && event.code() == ENOENT)
        return {false, "this machine has no hardware counters",
                "a host that passes hardware counters on to virtual machines"};
    return event ? works() : failed(event.code(), "CAP_PERFMON", "");
}

Finding try_kprobe()
{
    const long type = number_in("/sys/bus/event_source/devices/kprobe/type");
    if (type < 0)
        return {false, "this kernel has no kprobes", "a kernel built with CONFIG_KPROBES=y and CONFIG_KPROBE_EVENTS=y"};
    perf_event_attr attributes{};
    attributes.type = static_cast<uint32_t>(type);
    attributes.config1 = reinterpret_cast<uint64_t>(kFunction);
    return attach_to_event(attributes, BPF_PROG_TYPE_KPROBE, "CAP_PERFMON", "a kernel that is not locked down");
}

Finding try_kprobe_multi()
{
    constexpr const char* kRemedy = "a kernel of 5.18 or later built with CONFIG_FPROBE=y";
    const Descriptor program(load(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI));
    if (!program)
        return failed(program.code(), kBoth, kRemedy);
    const char* const functions[] = {kFunction};
    LIBBPF_OPTS(bpf_link_create_opts, options);
    options.kprobe_multi.syms = const_cast<const char**>(functions);
    options.kprobe_multi.cnt = 1;
    const Descriptor link(bpf_link_create(program.number(), 0, BPF_TRACE_KPROBE_MULTI, &options));
    return link ? works() : failed(link.code(), kBoth, kRemedy);
}

Finding try_trampoline(bpf_attach_type type)
{
    constexpr const char* kRemedy = "a kernel built with CONFIG_DEBUG_INFO_BTF=y, "
                                    "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS=y and CONFIG_FUNCTION_TRACER=y";
    const int function = libbpf_find_vmlinux_btf_id(kFunction, type);
    if (function <= 0)
        return {false, "the kernel's type information does not include its functions", kRemedy};
    const Descriptor program(load(BPF_PROG_TYPE_TRACING, type, static_cast<uint32_t>(function)));
    if (!program)
        return failed(program.code(), kBoth, kRemedy);
    const Descriptor link(bpf_raw_tracepoint_open(nullptr, program.number()));
    return link ? works() : failed(link.code(), kBoth, kRemedy);
}
Finding try_fentry()
{
    return try_trampoline(BPF_TRACE_FENTRY);
}
Finding try_fexit()
{
    return try_trampoline(BPF_TRACE_FEXIT);
}

Finding try_iterator()
{
    constexpr const char* kRemedy = "a kernel of 5.8 or later built with CONFIG_DEBUG_INFO_BTF=y";
    const int function = libbpf_find_vmlinux_btf_id("task", BPF_TRACE_ITER);
    if (function <= 0)
        return {false, "the kernel's type information does not include its BPF iterators", kRemedy};
    const Descriptor program(load(BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, static_cast<uint32_t>(function)));
    if (!program)
        return failed(program.code(), kBoth, kRemedy);
    const Descriptor link(bpf_link_create(program.number(), 0, BPF_TRACE_ITER, nullptr));
    return link ? works() : failed(link.code(), kBoth, kRemedy);
}

Finding try_override()
{
    return can_override_return() ? works()
                                 : failed(missing_to_trace().empty() ? EOPNOTSUPP : EPERM, kBoth,
                                          "a kernel built with CONFIG_BPF_KPROBE_OVERRIDE=y");
}

/// Returns the file offset of a function of this program, or 0.
uint64_t offset_of(void (*function)())
{
    const auto address = reinterpret_cast<uint64_t>(function);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream fields(line); // each line has the form "55e0-55f0 r-xp 0001000 fd:00 12 /usr/sbin/dtrace"
        uint64_t begin = 0, end = 0, offset = 0;
        char dash = 0;
        std::string mode;
        fields >> std::hex >> begin >> dash >> end >> mode >> offset;
        if (fields && address >= begin && address < end)
            return address - begin + offset;
    }
    return 0;
}

Finding try_uprobe()
{
    const long type = number_in("/sys/bus/event_source/devices/uprobe/type");
    if (type < 0)
        return {false, "this kernel has no uprobes", "a kernel built with CONFIG_UPROBES=y and CONFIG_UPROBE_EVENTS=y"};
    perf_event_attr attributes{};
    attributes.type = static_cast<uint32_t>(type);
    attributes.config1 = reinterpret_cast<uint64_t>("/proc/self/exe");
    attributes.config2 = offset_of(function_to_probe);
    return attach_to_event(attributes, BPF_PROG_TYPE_KPROBE, "CAP_SYS_ADMIN", "");
}

Finding try_uprobe_multi()
{
    constexpr const char* kRemedy =
        "a kernel of 6.6 or later; without it, user probes are attached one by one and detach slowly";
    const Descriptor program(load(BPF_PROG_TYPE_KPROBE, abi::kTraceUprobeMulti));
    if (!program)
        return failed(program.code(), kBoth, kRemedy);
    const auto link = probes::attach_uprobe(program.number(), "/proc/self/exe", offset_of(function_to_probe), getpid());
    return link ? works() : failed(errno, kBoth, kRemedy);
}

Finding try_write_user()
{
    return can_write_user_memory() ? works()
                                   : failed(EPERM, "CAP_SYS_ADMIN",
                                            "a kernel that lets BPF programs write to processes; kernels that are "
                                            "locked down or hardened do not");
}

constexpr Check kMechanismChecks[] = {
    {"mechanism", "perf-buffer", try_perf_buffer, true},
    {"mechanism", "raw-tracepoint", try_raw_tracepoint},
    {"mechanism", "tracepoint", try_tracepoint},
    {"mechanism", "clock", try_clock},
    {"mechanism", "hardware-counters", try_counters},
    {"mechanism", "kprobe", try_kprobe},
    {"mechanism", "kprobe-multi", try_kprobe_multi},
    {"mechanism", "fentry", try_fentry},
    {"mechanism", "fexit", try_fexit},
    {"mechanism", "iterator", try_iterator},
    {"mechanism", "override-return", try_override},
    {"mechanism", "uprobe", try_uprobe},
    {"mechanism", "uprobe-multi", try_uprobe_multi},
    {"mechanism", "write-user-memory", try_write_user},
};

} // namespace

std::span<const Check> mechanism_checks()
{
    return kMechanismChecks;
}

} // namespace dt::cmd::doctor
