// -x passtiming: prints for each optimizer pass its time and the resulting code size; with -S also the code between the
// passes.
#include <cstdio>

#include "cmd/common/modes.hpp"

namespace dt::cmd {
namespace {

double microseconds(std::chrono::nanoseconds time)
{
    return static_cast<double>(time.count()) / 1e3;
}

void print_code(const std::vector<std::string>& functions, const char* when, const char* pass)
{
    for (const std::string& function : functions)
        std::fprintf(stderr, "\n%s %s:\n%s", when, pass, function.c_str());
}

} // namespace

void print_passes(const Command& command)
{
    const PassReport& report = command.trace.compiler().passes();
    if (report.passes.empty())
        return;
    print_code(report.before, "before", report.passes.front().name);
    for (const PassResult& pass : report.passes)
        print_code(pass.changed, "after", pass.name);
    std::fprintf(stderr, "%s%-24s %12s %8s %8s\n", report.before.empty() ? "" : "\n",
                 ("level " + std::to_string(report.level)).c_str(), "microseconds", "before", "after");
    for (const PassResult& pass : report.passes)
        std::fprintf(stderr, "%-24s %12.1f %8zu %8zu\n", pass.name, microseconds(pass.time), pass.before, pass.after);
    std::fprintf(stderr, "%-24s %12.1f %8zu %8zu\n", "instructions of BPF", microseconds(report.emitting),
                 report.passes.back().after, report.emitted);
}

} // namespace dt::cmd
