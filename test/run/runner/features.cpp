// The features that a run test can require. Each has a name, a check, and a reason that is printed if the machine lacks
// it.
#include "test/run/runner/features.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace dt::runtest {

namespace {

bool in_path(const char* command)
{
    return std::system((std::string("command -v ") + command + " >/dev/null 2>&1").c_str()) == 0;
}

/// Returns whether programs may write to the memory of processes. A locked-down kernel refuses the helper.
bool can_write_user()
{
    const bpf_insn program[] = {
        {BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, 0},  {BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0},
        {BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -8}, {BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0},
        {BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, 8},  {BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_probe_write_user},
        {BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0},  {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
    bpf_attr attributes{};
    attributes.prog_type = BPF_PROG_TYPE_KPROBE;
    attributes.insns = reinterpret_cast<uint64_t>(program);
    attributes.insn_cnt = std::size(program);
    attributes.license = reinterpret_cast<uint64_t>("GPL");
    const long descriptor = syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes);
    if (descriptor >= 0)
        close(static_cast<int>(descriptor));
    return descriptor >= 0;
}

struct Feature {
    const char* name;
    bool (*present)();
    const char* reason;
};

bool always()
{
    return true;
}

/// Returns whether the architecture has the system call open(2). Newer architectures have only openat(2).
bool has_open_call()
{
#ifdef SYS_open
    return true;
#else
    return false;
#endif
}

bool machine_is(const char* name)
{
    utsname system{};
    return uname(&system) == 0 && std::string(system.machine) == name;
}

// Returns whether the kernel has the function. It is listed in /proc/kallsyms if the kernel was built with it.
bool kernel_symbol(const char* name)
{
    std::ifstream symbols("/proc/kallsyms");
    for (std::string address, type, symbol, rest; symbols >> address >> type >> symbol; std::getline(symbols, rest)) {
        if (symbol == name)
            return true;
    }
    return false;
}

// Returns whether the program of test/progs exists. It is not built if its compiler was not installed on the machine
// that built the tests.
bool is_built(const char* program)
{
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return std::filesystem::exists(self.parent_path().parent_path() / "progs" / program, error);
}

bool has_several_pythons()
{
    return std::system("n=0; for python in python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 "
                       "~/.pyenv/versions/3.*/bin/python3; do"
                       " $python -c 'import ctypes' 2>/dev/null && n=$((n + 1)); done; [ $n -ge 2 ]") == 0;
}

const Feature features[] = {
    {"syscall", always, ""},
    {"profile", always, ""},
    // CMakeLists.txt reads the word "alone" in a test, and then runs no other test at the same time
    {"alone", always, ""},
    {"x86-64", [] { return machine_is("x86_64"); }, "only for x86-64 processors"},
    {"arm64", [] { return machine_is("aarch64"); }, "only for arm64 processors"},
    {"open", has_open_call, "this machine has no system call open: programs call openat instead"},
    {"root", [] { return geteuid() == 0; }, "not root"},
    {"guest", [] { return std::getenv("DTRACE_GUEST") != nullptr; }, "only in the guest kernel"},
    {"host", [] { return std::getenv("DTRACE_GUEST") == nullptr; },
     "not in the guest kernel (too slow under emulation)"},
    {"cgroup2",
     [] { return std::system("test -w \"$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)/\"") == 0; },
     "cannot create cgroup2 control groups here"},
    {"kprobe", [] { return access("/sys/bus/event_source/devices/kprobe", F_OK) == 0; }, "this kernel has no kprobes"},
    {"lock-functions", [] { return kernel_symbol("_raw_spin_lock"); }, "this kernel inlines its spin lock functions"},
    {"no-kprobe", [] { return access("/sys/bus/event_source/devices/kprobe", F_OK) != 0; }, "this kernel has kprobes"},
    {"uprobe", [] { return access("/sys/bus/event_source/devices/uprobe", F_OK) == 0; }, "this kernel has no uprobes"},
    {"uprobe.multi", [] { return kernel_symbol("bpf_uprobe_multi_link_attach"); }, "this kernel has no uprobe.multi"},
    {"kprobe.multi", [] { return kernel_symbol("bpf_kprobe_multi_link_attach") && kernel_symbol("fprobe_handler"); },
     "this kernel has no kprobe.multi"},
    {"no-kprobe.multi", [] { return !kernel_symbol("fprobe_handler"); }, "this kernel has kprobe.multi"},
    {"no-write-user", [] { return !can_write_user(); }, "this kernel lets BPF programs write to processes"},
    {"override", [] { return kernel_symbol("bpf_override_return"); },
     "this kernel cannot override results (CONFIG_BPF_KPROBE_OVERRIDE)"},
    {"no-override", [] { return !kernel_symbol("bpf_override_return"); }, "this kernel can override results"},
    {"bpftool", [] { return in_path("bpftool"); }, "bpftool is not installed"},
    {"ctf", [] { return DTRACE_TEST_CTF != 0; }, "the C compiler cannot describe types in CTF"},
    {"go", [] { return is_built("gopher"); }, "there was no Go compiler where the tests were built"},
    {"babeltrace2", [] { return in_path("babeltrace2"); }, "babeltrace2 is not installed"},
    {"pprof",
     [] { return in_path("go") && access("/usr/share/gocode/src/github.com/google/pprof/profile", R_OK) == 0; },
     "pprof's package for Go is not installed"},
    {"protoc", [] { return in_path("protoc"); }, "protoc is not installed"},
    {"sqlite3", [] { return in_path("sqlite3"); }, "sqlite3 is not installed"},
    {"rust", [] { return is_built("crab"); }, "there was no Rust compiler where the tests were built"},
    {"gdb", [] { return std::system("gdb -nx -batch -ex 'python print(1)' 2>/dev/null | grep -q 1") == 0; },
     "gdb is not installed, or has no Python"},
    {"g++", [] { return in_path("g++"); }, "g++ is not installed"},
    {"python3", [] { return in_path("python3"); }, "python3 is not installed"},
    {"node", [] { return in_path("node"); }, "node (Node.js) is not installed"},
    {"pythons", has_several_pythons, "only one version of Python from 3.8 to 3.14 is installed, or none"},
    {"lua5.4", [] { return in_path("lua5.4"); }, "lua5.4 is not installed"},
    {"php", [] { return in_path("php"); }, "php-cli is not installed"},
    {"perl", [] { return in_path("perl"); }, "perl is not installed"},
    {"ruby", [] { return in_path("ruby"); }, "ruby is not installed"},
    {"java", [] { return in_path("java") && in_path("javac"); }, "java or javac is not installed"},
    {"curl", [] { return in_path("curl"); }, "curl is not installed"},
    {"cc", [] { return in_path("cc") || in_path("gcc"); }, "no C compiler is installed"},
    {"podman", [] { return in_path("podman") && in_path("crun"); }, "podman or crun is not installed"},
    {"prometheus", [] { return in_path("prometheus") && in_path("promtool"); }, "prometheus is not installed"},
    {"victoria-metrics", [] { return in_path("victoria-metrics"); }, "victoria-metrics is not installed"},
    {"objcopy", [] { return in_path("objcopy"); }, "objcopy is not installed"},
    {"strace", [] { return in_path("strace"); }, "strace is not installed"},
    {"fault-tracepoints", [] { return kernel_symbol("__traceiter_page_fault_user"); },
     "this kernel has no tracepoints of page faults, which report protection faults (arm64)"},
    {"data-symbols", [] { return kernel_symbol("jiffies"); },
     "this kernel lists only functions: it lacks CONFIG_KALLSYMS_ALL"},
    {"no-data-symbols", [] { return !kernel_symbol("jiffies"); }, "this kernel lists data symbols too"},
    {"loop", [] { return access("/dev/loop-control", F_OK) == 0 && in_path("losetup"); }, "no loop devices"},
    {"xfs", [] { return in_path("mkfs.xfs") && std::system("grep -qw xfs /proc/filesystems") == 0; }, "no XFS"},
    {"ext4", [] { return in_path("mkfs.ext4") && std::system("grep -qw ext4 /proc/filesystems") == 0; }, "no ext4"},
    {"tmux", [] { return in_path("tmux"); }, "tmux is not installed"},
    {"swap",
     [] { return access("/proc/swaps", R_OK) == 0 && access("/dev/loop-control", F_OK) == 0 && in_path("swapon"); },
     "no swap space"},
    {"zram", [] { return access("/sys/class/zram-control/hot_add", R_OK) == 0; }, "no zram devices"},
    {"smp", [] { return std::thread::hardware_concurrency() > 1; }, "one CPU only"},
};

const Feature* find(const std::string& name)
{
    for (const auto& feature : features) {
        if (name == feature.name)
            return &feature;
    }
    return nullptr;
}

} // namespace

bool known_feature(const std::string& name)
{
    return find(name) != nullptr;
}

std::string missing_feature(const std::vector<std::string>& names)
{
    for (const auto& name : names) {
        const auto* feature = find(name);
        if (feature == nullptr)
            return "unknown feature " + name;
        if (!feature->present())
            return feature->reason;
    }
    return {};
}

} // namespace dt::runtest
