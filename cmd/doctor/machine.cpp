// Checks the machine: kernel files, limits, permissions, and helper programs.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/lockdown.hpp"
#include "cmd/doctor/check.hpp"
#include "libdtrace/trace/capabilities.hpp"
#include "libdtrace/world/instructions.hpp"
#include "libdtrace/world/tracefs.hpp"

namespace dt::cmd::doctor {
namespace {

/// Returns the first line of a file, or an empty string if it cannot be read.
std::string line_of(const char* path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

Finding check_permission()
{
    const std::vector<std::string_view> missing = missing_to_trace();
    if (!missing.empty())
        return {false, "no " + listed(missing), "root, or " + listed(missing)};
    return works(geteuid() == 0 ? "root" : "CAP_BPF and CAP_PERFMON");
}

Finding check_btf()
{
    struct stat file {};
    if (stat("/sys/kernel/btf/vmlinux", &file) != 0)
        return {false, std::strerror(errno),
                access("/sys/kernel", F_OK) == 0 ? "a kernel built with CONFIG_DEBUG_INFO_BTF=y"
                                                 : "mount -t sysfs sysfs /sys"};
    return works(std::to_string(file.st_size / 1024) + " KiB of types");
}

Finding check_bpf()
{
    const bpf_insn nothing[] = {mov(BPF_REG_0, 0), kExit};
    const int program =
        bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_doctor", "GPL", nothing, std::size(nothing), nullptr);
    if (program < 0)
        return failed(errno, "CAP_BPF and CAP_PERFMON",
                      errno == ENOSYS ? "a kernel built with CONFIG_BPF_SYSCALL=y" : "");
    close(program);
    return works();
}

Finding check_bpf_loop()
{
    if (Finding any = check_bpf(); !any.works) // without BPF every helper would seem to exist
        return any;
    const int found = libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_loop, nullptr);
    return found == 1
               ? works()
               : failed(found == 0 ? EOPNOTSUPP : -found, "CAP_BPF and CAP_PERFMON", "a kernel of 5.17 or later");
}

Finding check_task_storage()
{
    const int found = libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, nullptr);
    return found == 1 ? works() : failed(found == 0 ? EOPNOTSUPP : -found, "CAP_BPF", "a kernel of 5.11 or later");
}

Finding check_unprivileged()
{
    const std::string value = line_of("/proc/sys/kernel/unprivileged_bpf_disabled");
    return works(value.empty()  ? "not restricted"
                 : value == "0" ? "users may load programs of some kinds, none of which trace"
                                : "users may load no programs");
}

Finding check_lockdown()
{
    if (is_locked_down())
        return {false,
                "confidentiality: programs may read no memory, kprobes and tracefs are closed; the providers below "
                "say what works",
                kUnlocked};
    const std::string state = line_of("/sys/kernel/security/lockdown"); // "none [integrity] confidentiality"
    return works(state.find("[integrity]") != std::string::npos ? "integrity: memory of processes may not be written"
                                                                : "none");
}

Finding check_memlock()
{
    rlimit limit{};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    return works(limit.rlim_cur == RLIM_INFINITY
                     ? "unlimited"
                     : std::to_string(limit.rlim_cur / 1024) +
                           " KiB (buffers may be smaller than bufsize without CAP_IPC_LOCK)");
}

Finding check_kallsyms()
{
    std::ifstream file("/proc/kallsyms");
    bool found = false;
    for (std::string line; !found && std::getline(file, line);)
        found = line.find_first_not_of('0') < line.find(' ');
    if (found)
        return works();
    if (access("/proc/kallsyms", R_OK) != 0)
        return {false, std::strerror(errno), "a kernel built with CONFIG_KALLSYMS=y"};
    const std::string restricted = line_of("/proc/sys/kernel/kptr_restrict");
    return {false, "addresses are hidden: kernel stacks have no names",
            restricted == "2" ? "sysctl kernel.kptr_restrict=1" : "CAP_SYSLOG"};
}

Finding check_tracefs()
{
    if (!Tracefs().read("events/sched/sched_process_exit/id").empty())
        return works(access("/sys/kernel/tracing/events", F_OK) == 0 ? "/sys/kernel/tracing"
                                                                     : "not mounted, which does not matter here");
    if (is_locked_down())
        return {false, "closed by lockdown", kUnlocked};
    if (access("/sys/kernel/tracing/events", F_OK) != 0 && errno == EACCES)
        return {false, std::strerror(EACCES),
                "CAP_DAC_READ_SEARCH, or mount -o remount,gid=GROUP,mode=750 /sys/kernel/tracing"};
    return {false, "not mounted", "mount -t tracefs tracefs /sys/kernel/tracing"};
}

Finding check_paranoid()
{
    const std::string value = line_of("/proc/sys/kernel/perf_event_paranoid");
    if (value.empty())
        return {false, "the kernel has no perf events", "a kernel built with CONFIG_PERF_EVENTS=y"};
    return works(value + (has_capability("CAP_PERFMON") || has_capability("CAP_SYS_ADMIN")
                              ? ", which does not matter here"
                              : ""));
}

/// Returns the path of a program in PATH, or an empty string.
std::string find_program(const std::string& name)
{
    const char* const paths = std::getenv("PATH");
    std::istringstream list(paths ? paths : "/usr/bin:/bin");
    for (std::string folder; std::getline(list, folder, ':');)
        if (access((folder + "/" + name).c_str(), X_OK) == 0)
            return folder + "/" + name;
    return {};
}

Finding check_cpp()
{
    const std::string path = find_program("cpp");
    return path.empty() ? Finding{false, "no cpp in PATH", "the package cpp, or -x cpppath"} : works(path);
}

Finding check_debug_files()
{
    if (access("/usr/lib/debug/.build-id", R_OK | X_OK) == 0)
        return works("/usr/lib/debug");
    return {false, "none installed: programs without symbols show only exported names",
            "the -dbgsym or -dbg packages of what is traced"};
}

constexpr Check kMachineChecks[] = {
    {"machine", "permission", check_permission},
    {"machine", "btf", check_btf, true},
    {"machine", "bpf", check_bpf, true},
    {"machine", "bpf-loop", check_bpf_loop},
    {"machine", "task-storage", check_task_storage},
    {"machine", "unprivileged-bpf", check_unprivileged},
    {"machine", "lockdown", check_lockdown},
    {"machine", "memlock", check_memlock},
    {"machine", "kallsyms", check_kallsyms},
    {"machine", "tracefs", check_tracefs},
    {"machine", "perf-event-paranoid", check_paranoid},
    {"tool", "cpp", check_cpp},
    {"tool", "debug-files", check_debug_files},
};

} // namespace

Finding failed(int code, const char* capability, std::string remedy)
{
    bool lacking = false;
    for (const char* name : {"CAP_BPF", "CAP_PERFMON", "CAP_IPC_LOCK", "CAP_SYS_ADMIN"})
        lacking |= std::strstr(capability, name) && !has_capability(name) && !has_capability("CAP_SYS_ADMIN");
    if (lacking && (code == EPERM || code == EACCES))
        remedy = std::string("root, or ") + capability;
    else if (code == EACCES && std::strstr(capability, "CAP_PERFMON") && !has_capability("CAP_SYS_ADMIN"))
        remedy = "CAP_SYS_ADMIN, or sysctl kernel.perf_event_paranoid=2";
    return {false, std::strerror(code), std::move(remedy)};
}

std::span<const Check> machine_checks()
{
    return kMachineChecks;
}

} // namespace dt::cmd::doctor
