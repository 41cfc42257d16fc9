// Runs a trace with a harmless probe of each provider. Most problems of a machine appear in one of them, with the
// messages that a script would get.
#include "cmd/doctor/providers.hpp"

#include <unistd.h>

#include "base/lockdown.hpp"
#include "dcompiler/render.hpp"
#include "libdtrace/trace/capabilities.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/attaching.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::cmd::doctor {
namespace {

/// Program to try for each provider, and the mechanisms that it needs. The programs print nothing.
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
    {"cpc", "cpc:::cycles-all-1000000000 { }", "hardware-counters"},
    {"fbt", "fbt::vfs_fsync_range:entry /0/ { }", "kprobe-multi, kprobe or fentry"},
    {"rawfbt", "rawfbt::vfs_fsync_range:entry /0/ { }", "kprobe"},
    {"pid", "pid$target::nanosleep:entry /0/ { }", "uprobe-multi or uprobe"},
};

/// Returns the first compile error: its hint if it has one, else its message, without the location.
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
    if (!trace.start_report().refused.empty())
        return {false, trace.start_report().refused.front().reason, {}};
    return works();
}

std::string count_of(Session& session, const char* provider)
{
    std::vector<const Probe*> probes;
    static_cast<void>(session.world().probes().find({provider, "", "", ""}, probes));
    return std::to_string(probes.size()) + (probes.size() == 1 ? " probe" : " probes");
}

} // namespace

std::vector<ProviderFinding> try_providers(const Options& options)
{
    const std::vector<std::string_view> missing = missing_to_trace();
    std::vector<ProviderFinding> findings;
    Session session(options);
    const Result<void> created =
        session.processes().create("sleep 60", hold_point(options.run().evaltime)); // the process ends with the session
    const Result<void> prepared = session.prepare();
    for (const auto& trial : kTrials) {
        const bool of_process = std::string_view(trial.provider) == "pid";
        Finding finding = !prepared                ? Finding{false, prepared.error().message, {}}
                          : of_process && !created ? Finding{false, created.error().message, {}}
                          : !missing.empty()       ? Finding{false, "not permitted", "root, or " + listed(missing)}
                                                   : try_program(session, trial.program);
        if (finding.works)
            finding.detail = of_process ? "as processes have functions" : count_of(session, trial.provider);
        else if (finding.remedy.empty())
            finding.remedy = finding.detail.find(kLockedDown) != std::string::npos ? kUnlocked : trial.stands_on;
        findings.push_back({trial.provider, std::move(finding)});
    }
    return findings;
}

} // namespace dt::cmd::doctor
