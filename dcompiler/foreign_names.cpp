// Tables of names, sorted by strcmp() for a binary search.
#include "dcompiler/foreign_names.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace dt {
namespace {

struct Entry {
    std::string_view foreign, here;
};

// clang-format off
constexpr Entry kSymbols[] = {
    {"allproc",       "on Linux processes are behind `init_task"},
    {"availrmem",     "on Linux that is `_totalram_pages"},
    {"cpu_list",      "curcpu tells of the CPU a probe fires on"},
    {"freemem",       "on Linux free pages are counted in `vm_zone_stat"},
    {"hp_avenrun",    "on Linux that is `avenrun"},
    {"hz",            "Linux has no symbol for it: times are in nanoseconds, and profile probes have rates"},
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
    {"practive",      "on Linux processes are behind `init_task"},
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
    {"zone_t",      "Linux has no zones: container names what a process runs in"},
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
    {"p_pidp",     "on Linux that is tgid, the number itself"},
    {"p_pptr",     "on Linux that is real_parent"},
    {"p_ucred",    "on Linux that is cred"},
    {"p_user",     "on Linux comm is the name; curpsinfo->pr_psargs has the arguments"},
    {"p_zone",     "Linux has no zones: container names what a process runs in"},
    {"pr_zoneid",  "Linux has no zones: container names what a process runs in"},
    {"t_cpu",      "the variable cpu has the number of the CPU, curcpu what is known of it"},
    {"t_cred",     "on Linux that is cred"},
    {"t_flag",     "on Linux that is flags"},
    {"t_lwp",      "curlwpsinfo tells of the thread"},
    {"t_name",     "on Linux that is comm"},
    {"t_pri",      "on Linux that is prio"},
    {"t_procp",    "on Linux that is group_leader"},
    {"t_stk",      "on Linux that is stack"},
    {"t_tid",      "on Linux that is pid, in the kernel the number of a thread"},
    {"td_name",    "on Linux that is comm"},
    {"td_proc",    "on Linux that is group_leader"},
    {"td_tid",     "on Linux that is pid, in the kernel the number of a thread"},
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
    {"nosys",      "Linux has no probe for calls that there are not"},
    {"open64",     "on Linux that is open; libc calls openat"},
    {"openat64",   "on Linux that is openat"},
    {"pread",      "on Linux that is pread64"},
    {"pwrite",     "on Linux that is pwrite64"},
    {"rexit",      "on Linux that is exit_group"},
    {"so_socket",  "on Linux that is socket"},
    {"stat64",     "on Linux that is newstat; libc calls newfstatat or statx"},
    {"sysconfig",  "Linux has no such call: libc asks the files of /proc and /sys"},
    {"waitsys",    "on Linux that is waitid, and wait4"},
    {"xstat",      "on Linux that is newstat; libc calls newfstatat or statx"},
};

constexpr std::string_view kOfPrograms = "programs bring it: name the process (PROVIDER$target with -c or -p), which must be built with such probes";
constexpr std::string_view kOfMemory = "that is bpftrace's, and D has no probes of memory: probes of pid$target or fbt at the functions that write there tell who does";
constexpr std::string_view kOfLibc = "Linux has no such provider: libc$target:::mutex_* where libc has its probes, and futex is the system call of who waits";

constexpr Entry kProviders[] = {
    {"asyncwatchpoint", kOfMemory},
    {"dtmalloc",     "Linux has no such provider: sdt:kmem::* has the kernel's allocations"},
    {"fasttrap",     "Linux has no such provider: signal-send of proc tells of traps that nobody handles"},
    {"fc",           "Linux has no such provider: rawtp:scsi::* has the requests of SCSI devices"},
    {"fpuinfo",      "Linux has no such provider: it does not tell of floating-point traps"},
    {"hotspot",      kOfPrograms},
    {"hotspot_jni",  kOfPrograms},
    {"httpd",        kOfPrograms},
    {"iscsi",        "Linux has no such provider: rawtp:iscsi::* has its events where the module is loaded"},
    {"javascript",   kOfPrograms},
    {"kmem",         "that is no provider but a group of tracepoints: sdt:kmem::*"},
    {"libc",         kOfPrograms},
    {"mach_trap",    "that is macOS's: on Linux all calls of the kernel are probes of syscall"},
    {"mysql",        kOfPrograms},
    {"nfsv",         "Linux has a server's nfsv3 and nfsv4; sdt:nfs*::* and sdt:sunrpc::* have all events where the modules are loaded"},
    {"node",         kOfPrograms},
    {"objc",         "that is macOS's: on Linux pid$target has the functions of a process"},
    {"perl",         kOfPrograms},
    {"php",          kOfPrograms},
    {"plockstat",    kOfLibc},
    {"postgresql",   kOfPrograms},
    {"python",       kOfPrograms},
    {"ruby",         kOfPrograms},
    {"sctp",         "Linux has no such provider: rawtp:sctp::* has its events where the module is loaded"},
    {"smb",          "Linux has no such provider: sdt:cifs::* has the client's events where the module is loaded"},
    {"srp",          "Linux has no such provider: rawtp:scsi::* has the requests of SCSI devices"},
    {"sysevent",     "Linux has no such provider: events of devices go by netlink, to udev"},
    {"systrace",     "on Linux that is syscall"},
    {"tcl",          kOfPrograms},
    {"udplite",      "Linux has no such provider: udp is the one there is"},
    {"vfs",          "Linux has no such provider: fsinfo, fbt::vfs_*: and syscall have what files are asked for"},
    {"watchpoint",   kOfMemory},
    {"xpv",          "Linux has no such provider: rawtp:xen::* has its events on a kernel for Xen"},
    {"zfs",          "Linux has no such provider: fbt:zfs:: has the functions where the module is loaded"},
};

/// Modules of other kernels, as they appear in stable probe descriptions.
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
