// Finds the Linux equivalents of names from other systems. The tables are sorted in the order of strcmp(), for binary
// search. Also derives hints for probe descriptions that match nothing.
#include "dcompiler/interface/foreign_names.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "dcompiler/interface/suggest.hpp"

namespace dt {
namespace {

struct Entry {
    std::string_view foreign, here;
};

// clang-format off
constexpr Entry kSymbols[] = {
    {"allproc",       "on Linux the list of processes starts at `init_task"},
    {"availrmem",     "on Linux that is `_totalram_pages"},
    {"cpu_list",      "curcpu describes the CPU on which a probe fires"},
    {"freemem",       "on Linux free pages are counted in `vm_zone_stat"},
    {"hp_avenrun",    "on Linux that is `avenrun"},
    {"hz",            "Linux has no such symbol: times in D are nanoseconds, and profile-99 sets a sampling rate"},
    {"kas",           "on Linux that is `init_mm"},
    {"lbolt",         "on Linux that is `jiffies"},
    {"lbolt64",       "on Linux that is `jiffies_64"},
    {"maxpid",        "on Linux that is `pid_max"},
    {"maxproc",       "on Linux that is `max_threads"},
    {"mp_ncpus",      "on Linux that is `nr_cpu_ids"},
    {"ncpus",         "on Linux that is `nr_cpu_ids"},
    {"ncpus_online",  "on Linux that is `__num_online_cpus"},
    {"nproc",         "on Linux `nr_threads counts threads"},
    {"nprocs",        "on Linux `nr_threads counts threads"},
    {"osrelease",     "on Linux that is `init_uts_ns.name.release"},
    {"p0",            "on Linux that is `init_task"},
    {"physmem",       "on Linux that is `_totalram_pages"},
    {"pidlock",       "on Linux that is `tasklist_lock"},
    {"practive",      "on Linux the list of processes starts at `init_task"},
    {"proc0",         "on Linux that is `init_task"},
    {"ticks",         "on Linux that is `jiffies"},
    {"utsname",       "on Linux that is `init_uts_ns.name"},
    {"version",       "on Linux that is `linux_banner"},
};

constexpr Entry kTypes[] = {
    {"buf_t",       "on Linux that is struct bio"},
    {"conn_t",      "on Linux that is struct sock"},
    {"cpu_t",       "on Linux that is cpuinfo_t"},
    {"cred_t",      "on Linux that is struct cred"},
    {"dev_info_t",  "on Linux that is struct device"},
    {"file_t",      "on Linux that is struct file"},
    {"hrtime_t",    "on Linux that is int64_t"},
    {"klwp_t",      "on Linux that is struct task_struct"},
    {"kmutex_t",    "on Linux that is struct mutex"},
    {"krwlock_t",   "on Linux that is struct rw_semaphore"},
    {"kthread_t",   "on Linux that is struct task_struct"},
    {"mblk_t",      "on Linux that is struct sk_buff"},
    {"page_t",      "on Linux that is struct page"},
    {"proc_t",      "on Linux that is struct task_struct"},
    {"seg_t",       "on Linux that is struct vm_area_struct"},
    {"task_t",      "on Linux that is struct task_struct"},
    {"tcp_t",       "on Linux that is struct tcp_sock"},
    {"thread_t",    "on Linux that is struct task_struct"},
    {"timespec_t",  "on Linux that is struct timespec64"},
    {"udp_t",       "on Linux that is struct udp_sock"},
    {"vfs_t",       "on Linux that is struct super_block"},
    {"vnode_t",     "on Linux that is struct inode"},
    {"zone_t",      "Linux has no zones: the variable container names the container of a process"},
};

constexpr Entry kMembers[] = {
    {"cr_gid",     "on Linux that is gid.val"},
    {"cr_uid",     "on Linux that is uid.val"},
    {"f_vnode",    "on Linux that is f_inode"},
    {"p_as",       "on Linux that is mm"},
    {"p_comm",     "on Linux that is comm"},
    {"p_cred",     "on Linux that is cred"},
    {"p_lwpcnt",   "on Linux that is signal->nr_threads"},
    {"p_mstart",   "on Linux that is start_time"},
    {"p_parent",   "on Linux that is real_parent"},
    {"p_pid",      "on Linux that is tgid"},
    {"p_pidp",     "on Linux that is tgid, which is the number itself"},
    {"p_pptr",     "on Linux that is real_parent"},
    {"p_ucred",    "on Linux that is cred"},
    {"p_user",     "on Linux, comm contains the name, and curpsinfo->pr_psargs contains the arguments"},
    {"p_zone",     "Linux has no zones: the variable container names the container of a process"},
    {"pr_zoneid",  "Linux has no zones: the variable container names the container of a process"},
    {"t_cpu",      "the variable cpu has the number of the CPU, and curcpu describes the CPU"},
    {"t_cred",     "on Linux that is cred"},
    {"t_flag",     "on Linux that is flags"},
    {"t_lwp",      "curlwpsinfo describes the thread"},
    {"t_name",     "on Linux that is comm"},
    {"t_pri",      "on Linux that is prio"},
    {"t_procp",    "on Linux that is group_leader"},
    {"t_stk",      "on Linux that is stack"},
    {"t_tid",      "on Linux that is pid: in the kernel, pid is the number of a thread"},
    {"td_name",    "on Linux that is comm"},
    {"td_proc",    "on Linux that is group_leader"},
    {"td_tid",     "on Linux that is pid: in the kernel, pid is the number of a thread"},
    {"u_comm",     "on Linux that is comm"},
    {"u_psargs",   "curpsinfo->pr_psargs has the arguments"},
    {"v_op",       "on Linux that is i_op"},
    {"v_path",     "fi_pathname of a fileinfo_t has the path"},
    {"v_type",     "on Linux that is i_mode"},
};

constexpr Entry kSystemCalls[] = {
    {"exec",       "on Linux that is execve, and execveat"},
    {"exece",      "on Linux that is execve, and execveat"},
    {"fork1",      "on Linux that is clone, clone3 and vfork"},
    {"forkall",    "on Linux that is clone, clone3 and vfork"},
    {"forksys",    "on Linux that is clone, clone3 and vfork"},
    {"fstat64",    "on Linux that is newfstat; libc calls newfstatat or statx"},
    {"fstatat64",  "on Linux that is newfstatat, and statx"},
    {"fxstat",     "on Linux that is newfstat; libc calls newfstatat or statx"},
    {"lstat64",    "on Linux that is newlstat; libc calls newfstatat or statx"},
    {"lwp_create", "on Linux that is clone, and clone3"},
    {"lwp_exit",   "on Linux that is exit"},
    {"lwp_kill",   "on Linux that is tgkill"},
    {"lwp_park",   "on Linux that is futex"},
    {"lxstat",     "on Linux that is newlstat; libc calls newfstatat or statx"},
    {"nosys",      "Linux has no probe for undefined system calls"},
    {"open64",     "on Linux that is open; libc calls openat"},
    {"openat64",   "on Linux that is openat"},
    {"pread",      "on Linux that is pread64"},
    {"pwrite",     "on Linux that is pwrite64"},
    {"rexit",      "on Linux that is exit_group"},
    {"so_socket",  "on Linux that is socket"},
    {"stat64",     "on Linux that is newstat; libc calls newfstatat or statx"},
    {"sysconfig",  "Linux has no such system call: libc reads files of /proc and /sys"},
    {"waitsys",    "on Linux that is waitid, and wait4"},
    {"xstat",      "on Linux that is newstat; libc calls newfstatat or statx"},
};

constexpr std::string_view kOfPrograms = "only programs and libraries built with USDT probes have this provider: name the process, as in PROVIDER$target with -c or -p";
constexpr std::string_view kOfMemory = "that is a bpftrace probe, and D has no watchpoints: trace the functions that write to the address, with pid$target or fbt";
constexpr std::string_view kOfLibc = "Linux has no such provider: use libc$target:::mutex_* if libc is built with probes, or trace syscall::futex, which waiting threads call";

constexpr Entry kProviders[] = {
    {"asyncwatchpoint", kOfMemory},
    {"dtmalloc",     "Linux has no such provider: sdt:kmem::* has the kernel's allocations"},
    {"fasttrap",     "Linux has no such provider: proc:::signal-send shows the signals of unhandled traps"},
    {"fc",           "Linux has no such provider: rawtp:scsi::* has the requests of SCSI devices"},
    {"fpuinfo",      "Linux has no such provider: the kernel does not report floating-point traps"},
    {"hotspot",      kOfPrograms},
    {"hotspot_jni",  kOfPrograms},
    {"httpd",        kOfPrograms},
    {"iscsi",        "Linux has no such provider: rawtp:iscsi::* has its events if the kernel module is loaded"},
    {"javascript",   kOfPrograms},
    {"kmem",         "kmem is a group of tracepoints and not a provider: use sdt:kmem::*"},
    {"libc",         kOfPrograms},
    {"mach_trap",    "only macOS has that provider: on Linux, the provider syscall has all system calls"},
    {"mysql",        kOfPrograms},
    {"nfsv",         "Linux has nfsv3 and nfsv4, for an NFS server; sdt:nfs*::* and sdt:sunrpc::* have all events if the kernel modules are loaded"},
    {"node",         kOfPrograms},
    {"objc",         "only macOS has that provider: on Linux, pid$target has the functions of a process"},
    {"perl",         kOfPrograms},
    {"php",          kOfPrograms},
    {"plockstat",    kOfLibc},
    {"postgresql",   kOfPrograms},
    {"python",       kOfPrograms},
    {"ruby",         kOfPrograms},
    {"sctp",         "Linux has no such provider: rawtp:sctp::* has its events if the kernel module is loaded"},
    {"smb",          "Linux has no such provider: sdt:cifs::* has the client's events if the kernel module is loaded"},
    {"srp",          "Linux has no such provider: rawtp:scsi::* has the requests of SCSI devices"},
    {"sysevent",     "Linux has no such provider: the kernel sends device events to udev over netlink"},
    {"systrace",     "on Linux that is syscall"},
    {"tcl",          kOfPrograms},
    {"udplite",      "Linux has no such provider: the provider udp is the closest one"},
    {"vfs",          "Linux has no such provider: to trace file operations, use fsinfo, fbt::vfs_*: or syscall"},
    {"watchpoint",   kOfMemory},
    {"xpv",          "Linux has no such provider: rawtp:xen::* has its events on a kernel for Xen"},
    {"zfs",          "Linux has no such provider: fbt:zfs:: has the functions if the kernel module is loaded"},
};

/// Module names of other systems' kernels. Scripts use them in probe descriptions that match stable providers' probes
/// on Linux.
constexpr Entry kModules[] = {
    {"FX",          "vmlinux"},
    {"RT",          "vmlinux"},
    {"TS",          "vmlinux"},
    {"genunix",     "vmlinux"},
    {"ip",          "vmlinux"},
    {"kernel",      "vmlinux"},
    {"mach_kernel", "vmlinux"},
    {"unix",        "vmlinux"},
};

constexpr Entry kSuperseded[] = {
    {"creat",     "openat"},
    {"fork",      "clone"},
    {"lstat",     "newfstatat"},
    {"newlstat",  "newfstatat"},
    {"newstat",   "newfstatat"},
    {"open",      "openat"},
    {"stat",      "newfstatat"},
};
// clang-format on

template <std::size_t N> constexpr bool is_ordered(const Entry (&entries)[N])
{
    return std::is_sorted(std::begin(entries), std::end(entries),
                          [](const Entry& a, const Entry& b) { return a.foreign < b.foreign; });
}
static_assert(is_ordered(kSymbols) && is_ordered(kTypes) && is_ordered(kMembers));
static_assert(is_ordered(kSystemCalls) && is_ordered(kProviders) && is_ordered(kModules) && is_ordered(kSuperseded));

std::string_view find(std::span<const Entry> entries, std::string_view name)
{
    const auto found = std::lower_bound(entries.begin(), entries.end(), name,
                                        [](const Entry& entry, std::string_view text) { return entry.foreign < text; });
    return found != entries.end() && found->foreign == name ? found->here : std::string_view();
}

} // namespace

std::string_view foreign_name(ForeignKind kind, std::string_view name)
{
    switch (kind) {
    case ForeignKind::Symbol:
        return find(kSymbols, name);
    case ForeignKind::Type:
        return find(kTypes, name);
    case ForeignKind::Member:
        return find(kMembers, name);
    case ForeignKind::SystemCall:
        return find(kSystemCalls, name);
    case ForeignKind::Provider:
        return find(kProviders, name);
    case ForeignKind::Module:
        return find(kModules, name);
    }
    return {};
}

std::string_view superseding_call(std::string_view name)
{
    return find(kSuperseded, name);
}

} // namespace dt

// Derives hints for three kinds of mistakes: syntax of another tracer, components one position too far to the left, and
// misspelled names. A suggestion is only made if the suggested probe exists.

namespace dt::sema {
namespace {

using Parts = std::vector<std::string>;

/// Splits a probe description into its components, from left to right, without the empty ones at the beginning.
Parts parts_of(const ProbePattern& description)
{
    Parts parts = {description.provider, description.module, description.function, description.name};
    parts.erase(parts.begin(),
                std::find_if(parts.begin(), parts.end(), [](const std::string& part) { return !part.empty(); }));
    return parts;
}

std::string text_of(const ProbePattern& description)
{
    return description.provider + ":" + description.module + ":" + description.function + ":" + description.name;
}

/// Converts a bpftrace probe description such as kprobe:do_sys_open: the probe type, then the target.
std::string from_bpftrace(const Parts& parts)
{
    const std::string& kind = parts.front();
    const auto is = [&](std::initializer_list<std::string_view> kinds) {
        return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    const bool at_entry = is({"kprobe", "k", "fentry", "kfunc", "f"}),
               at_return = is({"kretprobe", "kr", "fexit", "kretfunc", "fr"});
    if (parts.size() >= 2 && (at_entry || at_return))
        return "fbt::" + parts.back() + (at_entry ? ":entry" : ":return");
    if (parts.size() == 3 && is({"tracepoint", "t"})) {
        constexpr std::string_view kEnter = "sys_enter_", kExit = "sys_exit_";
        if (parts[1] == "syscalls" && parts[2].starts_with(kEnter))
            return "syscall::" + parts[2].substr(kEnter.size()) + ":entry";
        if (parts[1] == "syscalls" && parts[2].starts_with(kExit))
            return "syscall::" + parts[2].substr(kExit.size()) + ":return";
        return "sdt:" + parts[1] + "::" + parts[2];
    }
    if (parts.size() == 3 && is({"interval", "i"}))
        return "tick-" + parts[2] + parts[1];
    if (parts.size() == 3 && is({"profile", "p"}))
        return "profile-" + parts[2] + (parts[1] == "hz" ? "" : parts[1]);
    if (is({"uprobe", "u"}))
        return "pid$target:" + (parts.size() == 3 ? parts[1] : "") + ":" + parts.back() + ":entry";
    if (is({"uretprobe", "ur"}))
        return "pid$target:" + (parts.size() == 3 ? parts[1] : "") + ":" + parts.back() + ":return";
    return {};
}

/// Corrects syscall::read and syscall:read:entry, whose components are one position too far to the left.
std::string from_the_left(const Parts& parts, ProbeSource& probes)
{
    Parts given;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(given),
                 [](const std::string& part) { return !part.empty(); });
    if (given.size() < 2 || given.size() > 3 || !probes.has_provider(given[0]))
        return {};
    std::vector<const Probe*> found;
    ProbePattern meant{given[0], "", given[1], given.size() == 3 ? given[2] : ""};
    if (!probes.find(meant, found) || found.empty())
        return {};
    if (meant.name.empty())
        meant.name = found.front()->name;
    return "parts count from the right: did you mean " + text_of(meant) + "?";
}

/// Returns an explanation for a provider or system call that Linux lacks or names differently.
std::string from_another_system(const ProbePattern& description, ProbeSource& probes)
{
    if (description.provider == "syscall")
        if (std::string hint(foreign_name(ForeignKind::SystemCall, description.function)); !hint.empty())
            return hint;
    const std::string_view family =
        std::string_view(description.provider).substr(0, description.provider.find_first_of("0123456789*"));
    return probes.has_provider(description.provider) ? std::string()
                                                     : std::string(foreign_name(ForeignKind::Provider, family));
}

/// Suggests the system call for sys_read, __x64_sys_read or do_sys_open, which are kernel functions that implement
/// system calls.
std::string from_kernel_function(const ProbePattern& description, ProbeSource& probes)
{
    constexpr std::string_view kSys = "sys_";
    for (const std::string& part : {description.function, description.name}) {
        const std::size_t at = part.find(kSys);
        if (at == std::string::npos || (at != 0 && part[at - 1] != '_' && part[at - 1] != 'k'))
            continue;
        std::vector<const Probe*> found;
        const std::string call = part.substr(at + kSys.size());
        if (call.empty() || call.find_first_of("*?[\\") != std::string::npos ||
            !probes.find({"syscall", "", call, ""}, found) || found.empty())
            continue;
        return "did you mean syscall::" + call + (description.name == "return" ? ":return?" : ":entry?");
    }
    return {};
}

/// Converts names such as fop_read, which other systems' kernels use, to Linux's virtual file system functions.
std::string from_file_operation(const ProbePattern& description, ProbeSource& probes)
{
    constexpr std::string_view kOperation = "fop_";
    if (!description.function.starts_with(kOperation))
        return {};
    const std::string function = "vfs_" + description.function.substr(kOperation.size());
    std::vector<const Probe*> found;
    if (probes.find({"fbt", "", function, description.name}, found) && !found.empty())
        return "on Linux that is fbt::" + function + ":" + description.name;
    return "on Linux the functions for file operations are fbt::vfs_*:";
}

/// Removes the suffix "_nocancel": macOS has some system calls also in a form with this suffix.
std::string without_nocancel(const ProbePattern& description)
{
    constexpr std::string_view kForm = "_nocancel";
    if (!description.function.ends_with(kForm))
        return {};
    const std::string call = description.function.substr(0, description.function.size() - kForm.size());
    return "only macOS has that form: on Linux, use syscall::" + call + ":" + description.name;
}

/// Returns a component of a probe description without stars at its beginning and end: read for *read*.
std::string without_stars(std::string_view part)
{
    while (part.starts_with('*'))
        part.remove_prefix(1);
    while (part.ends_with('*'))
        part.remove_suffix(1);
    return std::string(part);
}

/// Replaces one component of a probe description by a similar name, so that the description matches a probe.
std::string with_close_name(const ProbePattern& description, ProbeSource& probes)
{
    for (std::string ProbePattern::*const part :
         {&ProbePattern::name, &ProbePattern::function, &ProbePattern::module, &ProbePattern::provider}) {
        const std::string wanted = without_stars(description.*part);
        if (wanted.empty() || wanted.find_first_of("*?[\\") != std::string::npos)
            continue;
        constexpr std::pair<std::string ProbePattern::*, std::string Probe::*> kParts[] = {
            {&ProbePattern::name, &Probe::name},
            {&ProbePattern::function, &Probe::function},
            {&ProbePattern::module, &Probe::module},
            {&ProbePattern::provider, &Probe::provider}};
        const auto of_probe = std::find_if(std::begin(kParts), std::end(kParts), [&](const auto& each) {
                                  return each.first == part;
                              })->second;
        ProbePattern other = description;
        other.*part = "";
        std::vector<const Probe*> found;
        if (!probes.find(other, found))
            continue;
        Nearest nearest(wanted);
        for (const Probe* probe : found)
            nearest.add(probe->*of_probe);
        std::string question;
        for (const std::string& name : nearest.names()) {
            other.*part = name;
            question += (question.empty() ? "did you mean " : ", ") + text_of(other);
        }
        if (!question.empty())
            return question + "?";
    }
    return {};
}

/// Removes the module and function of another system's kernel from a probe description. Does so only if a stable
/// provider has a probe of that name, or of a similar name.
std::string with_name_alone(const ProbePattern& description, ProbeSource& probes)
{
    const bool is_alone = description.module.empty() && description.function.empty();
    if (is_alone || description.name.empty() || description.provider == "fbt" || description.provider == "syscall" ||
        !probes.has_provider(description.provider))
        return {};
    std::vector<const Probe*> found;
    const ProbePattern alone{description.provider, "", "", description.name};
    if (probes.find(alone, found) && !found.empty())
        return "module and function belong to another system's kernel: did you mean " + text_of(alone) + "?";
    return with_close_name(alone, probes);
}

/// Explains that functions of built-in modules belong to module vmlinux, because the kernel's image does not
/// distinguish modules.
std::string from_built_in_module(const ProbePattern& description, World& world)
{
    const bool is_name = !description.module.empty() && description.module.find_first_of("*?[\\") == std::string::npos;
    if (description.provider != "fbt" || !is_name || description.module == "vmlinux" ||
        !world.has_module(description.module))
        return {};
    std::vector<const Probe*> found;
    if (world.probes().find({"fbt", description.module, "", ""}, found) && !found.empty())
        return {};
    const std::string function = description.function.empty() ? description.module + "_*" : description.function;
    const std::string hint =
        description.module + " is built into this kernel, so its functions belong to the module vmlinux";
    const ProbePattern meant{"fbt", "", function, description.name};
    return world.probes().find(meant, found) && !found.empty() ? hint + ": did you mean " + text_of(meant) + "?" : hint;
}

} // namespace

std::string suggest_description(const ProbePattern& description, World& world)
{
    ProbeSource& probes = world.probes();
    const Parts parts = parts_of(description);
    if (parts.empty())
        return {};
    if (const std::string here = from_bpftrace(parts); !here.empty())
        return "that is how bpftrace writes it: in D " + here;
    if (description.name.starts_with("tick-") || description.name.starts_with("profile-"))
        return "a rate is a number with a unit: ns, us, ms, s, m, h, d or hz; it is from 200us to 5000hz";
    if (std::string hint = from_another_system(description, probes); !hint.empty())
        return hint;
    if (std::string hint = without_nocancel(description); !hint.empty())
        return hint;
    if (std::string hint = from_kernel_function(description, probes); !hint.empty())
        return hint;
    if (std::string hint = from_built_in_module(description, world); !hint.empty())
        return hint;
    if (std::string hint = from_the_left(parts, probes); !hint.empty())
        return hint;
    if (std::string hint = probes.why_absent(description); !hint.empty())
        return hint;
    if (std::string hint = from_file_operation(description, probes); !hint.empty())
        return hint;
    if (std::string hint = with_close_name(description, probes); !hint.empty())
        return hint;
    return with_name_alone(description, probes);
}

std::string missing_option_hint(std::string_view script)
{
    const std::string_view line = script.substr(0, script.find('\n'));
    const std::size_t flags = line.find(" -");
    const bool has_it = line.starts_with("#!") && flags != line.npos &&
                        line.substr(flags + 2, line.find(' ', flags + 2) - flags - 2).find('Z') != line.npos;
    return has_it ? "dtrace -s ignores the -Z of the script's first line: add -Z, or run the script by its path" : "";
}

std::string renamed_call(const ProbePattern& description)
{
    if (description.provider != "syscall")
        return {};
    std::string call; // function name in the probe description, without stars: fork for *fork*
    std::copy_if(description.function.begin(), description.function.end(), std::back_inserter(call),
                 [](char c) { return c != '*'; });
    const std::string now(superseding_call(call));
    if (now.empty() || glob_match(description.function, now))
        return {};
    return "programs rarely call " + call + " any more: C libraries call " + now + " instead" +
           (now.starts_with(call) ? ", and " + call + "* matches both" : "");
}

std::string foreign_module(const ProbePattern& description, const Probe& probe)
{
    if (foreign_name(ForeignKind::Module, description.module).empty())
        return {};
    const std::string whole = description.provider + ":::" + description.name;
    return probe.module == description.module ? "on Linux that is a part of " + whole : "on Linux that is " + whole;
}

} // namespace dt::sema
