// --doctor: tries everything that tracing needs and suggests remedies. Prints a table, or JSON lines.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/kernel_abi.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/doctor/check.hpp"
#include "dcompiler/interface/render.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/kernel/features.hpp"
#include "libdtrace/kernel/tracefs.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/session/capabilities.hpp"
#include "libdtrace/trace/program_set.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::cmd::doctor {

/// Tries kernel features. If one is absent, the compiler generates other code.
std::vector<std::pair<std::string, Finding>> try_features();

// Checks each provider as a script would use it: compiles, loads, attaches and detaches.

struct ProviderFinding {
    std::string name;
    Finding finding;
};

/// Tries one probe of each provider and counts the provider's probes.
std::vector<ProviderFinding> try_providers(const Options& options);

} // namespace dt::cmd::doctor

namespace dt::cmd {
namespace {

using doctor::Finding;

class Report {
public:
    Report(Output& output, bool json) : output_(output), json_(json) {}

    void add(const std::string& group, const std::string& name, const Finding& finding)
    {
        json_ ? add_object(group, name, finding) : add_row(group, name, finding);
        output_.send(); // prints each result immediately, because later checks may take long
    }

    void conclude(bool works)
    {
        if (!json_)
            return output_.write(works ? "\ntracing works here\n" : "\ntracing does not work here\n");
        output_.write(std::string("{\"type\":\"result\",\"works\":") + (works ? "true" : "false") + "}\n");
    }

private:
    void add_row(const std::string& group, const std::string& name, const Finding& finding)
    {
        constexpr std::size_t kNameWidth = 20;
        if (group != group_)
            output_.write((group_.empty() ? "" : "\n") + group + "\n");
        group_ = group;
        std::string row = "  " + name + std::string(kNameWidth - std::min(kNameWidth - 1, name.size()), ' ') +
                          (finding.works ? "yes" : "no ");
        if (!finding.detail.empty())
            row += "  " + finding.detail;
        if (!finding.remedy.empty())
            row += "\n" + std::string(kNameWidth + 7, ' ') + "needs " + finding.remedy;
        output_.write(row.substr(0, row.find_last_not_of(' ') + 1) + "\n");
    }

    void add_object(const std::string& group, const std::string& name, const Finding& finding)
    {
        format::Text& out = output_.text();
        out.append("{\"type\":\"check\"");
        const std::pair<std::string_view, const std::string&> members[] = {
            {"group", group}, {"name", name}, {"detail", finding.detail}, {"remedy", finding.remedy}};
        for (const auto& [member, text] : members) {
            append_json_name(out, member);
            append_json_string(out, text);
        }
        out.append(finding.works ? ",\"works\":true}\n" : ",\"works\":false}\n");
    }

    Output& output_;
    const bool json_;
    std::string group_;
};

} // namespace

int doctor_mode(const Arguments& arguments, const Options& options, Output& output)
{
    Report report(output, options.print().format == OutputFormat::Jsonl);
    bool works = true;
    libbpf_set_print(nullptr); // disables libbpf's messages, because failures are reported in our own words
    for (const auto& [name, value] : build_facts())
        report.add("program", name, {true, value, {}});
    if (DTRACE_ENGINE)
        report.add("program", "engine",
                   doctor::works(DTRACE_VM_COMPILES ? "programs of dtrace_engine.h are compiled to machine code"
                                                    : "programs of dtrace_engine.h are interpreted on this processor"));
    const auto run_all = [&](std::span<const doctor::Check> checks) {
        for (const doctor::Check& check : checks) {
            const Finding finding = check.run();
            works &= finding.works || !check.essential;
            report.add(check.group, check.name, finding);
        }
    };
    run_all(doctor::machine_checks());
    for (const auto& [name, finding] : doctor::try_features())
        report.add("feature", name, finding);
    run_all(doctor::mechanism_checks());
    Options quiet = options;
    quiet.put("quiet");
    for (const doctor::ProviderFinding& provider : doctor::try_providers(quiet)) {
        works &= provider.finding.works || provider.name != "dtrace";
        report.add("provider", provider.name, provider.finding);
    }
    report.conclude(works);
    const Result<void> written = output.flush();
    if (!written)
        print_message(arguments, written.error().message);
    return written && works ? kSuccess : kFailure;
}

} // namespace dt::cmd

// Checks the machine: kernel files, limits, permissions, and helper programs.

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

Finding check_kernel()
{
    const std::string missing = missing_kernel_feature();
    utsname kernel{};
    uname(&kernel);
    return missing.empty() ? works(kernel.release) : Finding{false, missing, {}};
}

Finding check_unprivileged()
{
    const std::string value = line_of("/proc/sys/kernel/unprivileged_bpf_disabled");
    return works(value.empty()  ? "not restricted"
                 : value == "0" ? "unprivileged users may load some kinds of BPF programs, but none that trace"
                                : "unprivileged users may not load BPF programs");
}

Finding check_lockdown()
{
    if (is_locked_down())
        return {false,
                "confidentiality: BPF programs may not read the kernel's memory, and kprobes and tracefs are closed; "
                "the providers "
                "below show what works",
                kUnlocked};
    // content of the file, such as "none [integrity] confidentiality"
    const std::string state = line_of("/sys/kernel/security/lockdown");
    return works(state.find("[integrity]") != std::string::npos
                     ? "integrity: BPF programs may not write to the memory of processes"
                     : "none");
}

Finding check_memlock()
{
    rlimit limit{};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    return works(limit.rlim_cur == RLIM_INFINITY
                     ? "unlimited"
                     : std::to_string(limit.rlim_cur / 1024) +
                           (maps_are_limited() ? " KiB, also for maps (without CAP_SYS_RESOURCE, large traces fail)"
                                               : " KiB (buffers may be smaller than bufsize without CAP_IPC_LOCK)"));
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
                                                                     : "not mounted; dtrace uses a mount of its own");
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
                              ? ", which does not restrict this user"
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
            "the -dbgsym or -dbg packages of the traced programs"};
}

constexpr Check kMachineChecks[] = {
    {"machine", "permission", check_permission},
    {"machine", "btf", check_btf, true},
    {"machine", "bpf", check_bpf, true},
    {"machine", "kernel", check_kernel, true},
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

// Kernel features that the compiler can replace by other code, in the order of the kernel releases that introduced
// them.

namespace {

constexpr struct {
    const char* name;
    bool Features::*feature;
    /// first version of Linux that has the feature; empty: all versions have it unless the kernel is locked down
    const char* release;
    const char* replacement;
} kFeatures[] = {
    {"kernel-reads", &Features::kernel_reads, "",
     "programs can load members of typed kernel objects, but read no other kernel memory"},
    {"current-task-btf", &Features::current_task_btf, "5.11",
     "members of the current task are read by a helper that copies them"},
    {"long-keys", &Features::long_keys, "5.11", "a digest replaces keys of more than 512 bytes"},
    {"fetching-atomics", &Features::fetching_atomics, "5.12", "programs use loads, stores and locks instead"},
    {"task-storage", &Features::task_storage, "5.13", "self-> variables are in a hash map with the thread as key"},
    {"attach-cookie", &Features::attach_cookie, "5.15", "each kprobe and uprobe has a program of its own"},
    {"task-pt-regs", &Features::task_pt_regs, "5.15", "user registers are read from the kernel stack"},
    {"bpf-loop", &Features::bpf_loop, "5.17", "loops have a fixed bound, so some functions have lower limits"},
    {"maps-on-demand", &Features::hash_no_prealloc, "6.1", "hash maps allocate all their memory when tracing starts"},
    {"bpf-cpu-v4", &Features::isa_v4, "6.6", "signed division and sign extension take more instructions"},
    {"separate-stacks", &Features::separate_stacks, "6.13", "jstack() prints native frames of Node.js programs"},
};

} // namespace

std::vector<std::pair<std::string, Finding>> try_features()
{
    const Finding any = check_bpf(); // no other feature is tried, because all of them need BPF
    const Features found = any.works ? find_features() : Features{};
    std::vector<std::pair<std::string, Finding>> findings;
    for (const auto& each : kFeatures)
        findings.emplace_back(
            each.name,
            !any.works ? any
            : found.*each.feature
                ? works()
                : Finding{false, each.replacement,
                          *each.release ? "Linux " + std::string(each.release) + " or later" : std::string(kUnlocked)});
    return findings;
}

// Runs a trace with a harmless probe of each provider. Most problems of a machine appear in one of these runs, with the
// messages that a script would get.

namespace {

/// For each provider: a program that prints nothing, and the attach mechanisms that it needs.
constexpr struct {
    const char* provider;
    const char* program;
    const char* stands_on;
} kTrials[] = {
    {"dtrace", "BEGIN { }", "bpf and perf-buffer"},
    {"profile", "profile:::tick-1hour { }", "clock"},
    {"syscall", "syscall::getpid:entry, syscall::getpid:return { }", "raw-tracepoint"},
    {"rawtp", "rawtp:::sched_process_exit { }", "raw-tracepoint"},
    {"sdt", "sdt:sched::sched_process_exit { }", "tracefs and tracepoint"},
    {"proc", "proc:::create { }", "raw-tracepoint"},
    {"sched", "sched:::change-pri { }", "raw-tracepoint"},
    {"io", "io:::start { }", "raw-tracepoint"},
    {"ip", "ip:::send { }", "raw-tracepoint, or kprobe"},
    {"tcp", "tcp:::connect-request { }", "raw-tracepoint, or kprobe"},
    {"udp", "udp:::send { }", "raw-tracepoint, or kprobe"},
    {"lockstat", "lockstat:::adaptive-block { }", "raw-tracepoint, or kprobe"},
    {"vminfo", "vminfo:::maj_fault { }", "raw-tracepoint"},
    {"sysinfo", "sysinfo:::sysfork { }", "raw-tracepoint"},
    {"mib", "mib:::tcpPassiveOpens { }", "raw-tracepoint"},
    {"fsinfo", "fsinfo:::fsync /0/ { }", "kprobe"},
    {"list", "list:::task /0/ { }", "iterator"},
    {"cpc", "cpc:::cycles-all-1000000000 { }", "hardware-counters"},
    {"fbt", "fbt::vfs_fsync_range:entry /0/ { }", "kprobe-multi, kprobe or fentry"},
    {"rawfbt", "rawfbt::vfs_fsync_range:entry /0/ { }", "kprobe"},
    {"pid", "pid$target::nanosleep:entry /0/ { }", "uprobe-multi or uprobe"},
    {"watch", "watch$target:0x1000/8::write { }", "a processor with breakpoint registers"},
};

/// Returns the hint of the first compile error or, if it has none, its message without the location.
std::string first_error(Compiler& compiler)
{
    const auto& errors = compiler.diagnostics().list();
    if (errors.empty())
        return "not compiled";
    return errors[0].hint.empty() ? errors[0].message : errors[0].hint;
}

std::string first_line(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

Finding try_program(Session& session, const std::string& text)
{
    Macros macros;
    macros.target = session.processes().first_pid();
    Trace trace(session, session.options());
    if (!trace.add({Source::Kind::CommandLine, text, text}, SpecKind::Name, macros))
        return {false, first_line(first_error(trace.compiler())), {}};
    if (const Result<void> compiled = trace.compile(); !compiled)
        return {false,
                first_line(trace.compiler().diagnostics().has_errors() ? first_error(trace.compiler())
                                                                       : compiled.error().message),
                {}};
    Output nowhere(-1);
    Result<void> started = trace.load();
    if (started)
        started = trace.attach(nowhere);
    if (!started) {
        constexpr std::string_view kPrefix = "could not enable tracing: ";
        std::string reason = first_line(started.error().message);
        if (reason.starts_with(kPrefix))
            reason.erase(0, kPrefix.size());
        return {false, reason, {}};
    }
    if (!trace.programs().report().refused.empty())
        return {false, trace.programs().report().refused.front().reason, {}};
    return works();
}

std::vector<const Probe*> probes_of(Session& session, const char* provider)
{
    std::vector<const Probe*> probes;
    static_cast<void>(session.world().probes().find({provider, "", "", ""}, probes));
    return probes;
}

/// If a provider has more probes than this, only one of them is tried.
constexpr std::size_t kMaxTried = 64;

Finding counted(std::size_t usable, std::size_t all, const std::string& reason)
{
    const std::string probes = std::to_string(all) + (all == 1 ? " probe" : " probes");
    return works(usable == all ? probes : std::to_string(usable) + " of " + probes + "; " + reason);
}

/// Tries all probes of a provider, first together and then one by one. The provider works if one of them can be
/// attached. For a provider with many probes, the result is `of_trial`, the finding of an earlier trial with one probe.
Finding try_each(Session& session, const char* provider, const Finding& of_trial)
{
    const std::vector<const Probe*> probes = probes_of(session, provider);
    const std::string all = std::string(provider) + ":::";
    if (probes.empty() || probes.size() > kMaxTried)
        return of_trial.works ? counted(probes.size(), probes.size(), {}) : of_trial;
    if (try_program(session, all + " /0/ { }").works)
        return counted(probes.size(), probes.size(), {});
    std::size_t usable = 0;
    std::string reason;
    for (const Probe* probe : probes) {
        const Finding found = try_program(session, all + std::string(probe->name) + " /0/ { }");
        usable += found.works;
        if (!found.works && reason.empty())
            reason = std::string(probe->name) + ": " + found.detail;
    }
    return usable == 0 ? of_trial : counted(usable, probes.size(), reason);
}

/// Tries a provider by one of its probes. If that fails, or if lockdown may forbid other probes, tries all of them.
/// Otherwise asks the provider which probes cannot be attached, because trying them all would take seconds.
Finding try_provider(Session& session, const char* provider, const char* program)
{
    const Finding finding = try_program(session, program);
    if (!finding.works || is_locked_down())
        return try_each(session, provider, finding);
    std::size_t usable = 0, all = 0;
    std::string reason;
    for (const Probe* probe : probes_of(session, provider)) {
        const std::string_view why = session.world().probes().why_unattachable(*probe);
        ++all;
        usable += why.empty();
        if (!why.empty() && reason.empty())
            reason = std::string(probe->name) + ": " + std::string(why);
    }
    return counted(usable, all, reason);
}

} // namespace

std::vector<ProviderFinding> try_providers(const Options& options)
{
    const std::vector<std::string_view> missing = missing_to_trace();
    std::vector<ProviderFinding> findings;
    Session session(options);
    // Starts a process on which the providers pid and watch are tried. The session's destructor ends it.
    const Result<void> created = session.processes().create("sleep 60", hold_point(options.run().evaltime));
    const Result<void> prepared = session.prepare();
    for (const auto& trial : kTrials) {
        const std::string_view provider = trial.provider;
        const bool of_process = provider == "pid" || provider == "watch";
        Finding finding = !prepared                ? Finding{false, prepared.error().message, {}}
                          : of_process && !created ? Finding{false, created.error().message, {}}
                          : !missing.empty()       ? Finding{false, "not permitted", "root, or " + listed(missing)}
                          : of_process             ? try_program(session, trial.program)
                                                   : try_provider(session, trial.provider, trial.program);
        if (finding.works && of_process)
            finding.detail =
                provider == "pid" ? "probes of all functions of a process" : "accesses to the memory of a process";
        else if (!finding.works && finding.remedy.empty())
            finding.remedy = finding.detail.find(kLockedDown) != std::string::npos ? kUnlocked : trial.stands_on;
        findings.push_back({trial.provider, std::move(finding)});
    }
    return findings;
}

} // namespace dt::cmd::doctor
