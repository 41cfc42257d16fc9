// Rows for kernel functions: cost of a firing for each mechanism, and cost of attaching and detaching. These rows need
// a kernel with kprobes: ./dev guest build/release/test/bench/bench function attach
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "test/bench/cost.hpp"
#include "test/bench/hand.hpp"
#include "test/bench/report.hpp"
#include "test/bench/rows.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

// Returns the names of the functions whose probes match a pattern.
std::vector<std::string> functions_of(const Bench& bench, const std::string& pattern)
{
    std::vector<std::string> functions;
    std::istringstream listing(Tool({bench.dtrace, "-ln", pattern}).wait().out);
    std::string id, provider, module, function, name;
    std::getline(listing, id); // skips the heading line of dtrace -l
    while (listing >> id >> provider >> module >> function >> name)
        functions.push_back(function);
    return functions;
}

// Maximum number of functions that are attached one by one: without kprobe.multi, detaching a function takes 70 to 130
// ms.
constexpr std::size_t kMaxOneByOne = 200;

// With this number of functions, the time to attach must be within the row's budget.
constexpr std::size_t kMany = 15000;

struct Times {
    double attach_ms = absent, detach_ms = absent;
    std::string problem;
};

double ms_between(long long from_ns, long long to_ns)
{
    return static_cast<double>(to_ns - from_ns) / 1e6;
}

// Returns the addresses of the kernel functions with these names. Several functions may share a name, and not each of
// them may be traceable.
std::vector<unsigned long> addresses_of(const std::vector<std::string>& functions)
{
    std::map<std::string, std::vector<unsigned long>> found;
    for (const std::string& function : functions)
        found[function];
    std::ifstream symbols("/proc/kallsyms");
    for (std::string address, type, name, rest; symbols >> address >> type >> name && std::getline(symbols, rest);)
        if (const auto wanted = found.find(name); wanted != found.end())
            wanted->second.push_back(std::stoul(address, nullptr, 16));
    std::vector<unsigned long> addresses;
    for (const auto& [function, places] : found)
        if (places.size() == 1)
            addresses.push_back(places.front());
    return addresses;
}

Times by_hand(const std::vector<unsigned long>& functions)
{
    const long long start = monotonic_ns();
    Hand hand("function_by_multi", functions);
    if (!hand.problem().empty())
        return {absent, absent, hand.problem()};
    const long long attached = monotonic_ns();
    hand.detach();
    return {ms_between(start, attached), ms_between(attached, monotonic_ns()), {}};
}

// Measures two times: from the start of dtrace to BEGIN, and from BEGIN to END. Their sum also includes compiling,
// loading and reading.
Times by_dtrace(const Bench& bench, const std::string& pattern)
{
    Tool tool({bench.dtrace, "-qn",
               pattern + " { @ = count(); } BEGIN, END { printf(\"%d\\n\", timestamp); } BEGIN { exit(0); }"});
    const Usage usage = tool.wait();
    std::istringstream out(usage.out);
    long long begin = 0, end = 0;
    if (!(out >> begin >> end))
        return {absent, absent, usage.err};
    return {ms_between(tool.started_ns(), begin), ms_between(begin, end), {}};
}

} // namespace

void measure_function(const Bench& bench)
{
    const struct {
        const char *what, *program;
    } kMechanisms[] = {
        {"  + entry, a program that counts, kprobe", "function_by_kprobe"},
        {"  + entry, kprobe.multi", "function_by_multi"},
        {"  + entry, fentry", "function_by_fentry"},
        {"  + return, kretprobe", "return_by_kprobe"},
        {"  + return, kretprobe.multi", "return_by_multi"},
        {"  + return, fexit", "return_by_fexit"},
    };
    std::map<std::string, double> costs;
    for (int round = 0; round < 2; round++)
        for (const auto& [what, program] : kMechanisms) {
            std::string problem;
            auto& least = costs.try_emplace(program, absent).first->second;
            least = std::fmin(least, added_by_hand(program_by_hand(program), problem));
            if (!problem.empty() && round == 0)
                bench.report.problem(what, problem);
        }
    for (const auto& [what, program] : kMechanisms)
        if (!std::isnan(costs[program]))
            bench.report.add({what, "ns/call", absent, costs[program], absent, "", absent, absent, absent, false, ""});
    // Compares two providers that use the same attach mechanism: fbt with a few functions, and rawfbt, which always
    // works as fbt does for many functions.
    const struct {
        const char *script, *programs[3];
    } kOurs[] = {
        {"fbt::__task_pid_nr_ns:entry { @ = count(); }",
         {"function_by_fentry", "function_by_multi", "function_by_kprobe"}},
        {"rawfbt::__task_pid_nr_ns:entry { @ = count(); }", {"function_by_multi", "function_by_kprobe"}},
        {"fbt::__task_pid_nr_ns:return { @ = count(); }", {"return_by_fexit", "return_by_multi", "return_by_kprobe"}},
        {"rawfbt::__task_pid_nr_ns:return { @ = count(); }", {"return_by_multi", "return_by_kprobe"}},
    };
    for (const auto& [script, programs] : kOurs)
        for (const char* program : programs)
            if (program && !std::isnan(costs[program])) {
                measure_cost(bench,
                             {std::string("  + ") + script, "ns/call", absent, absent, absent, "<= 1.10 x by hand",
                              absent, 1.10, absent, false, ""},
                             program_by_hand(program), {"function", script}, std::nullopt);
                break;
            }
}

void measure_attach(const Bench& bench)
{
    // Patterns that match about 1, 100, 1,000, 5,000 and 20,000 functions on a common kernel.
    for (const char* pattern : {"rawfbt::vfs_read:entry", "rawfbt::vfs_*:entry", "rawfbt::[gjk]*:entry",
                                "rawfbt::[a-c]*:entry", "rawfbt::[a-r]*:entry"}) {
        const auto functions = functions_of(bench, pattern);
        const std::string what = std::to_string(functions.size()) + " functions (" + pattern + ")";
        const Times hand = by_hand(addresses_of(functions));
        if (!hand.problem.empty() && functions.size() > kMaxOneByOne) {
            bench.report.problem(what, hand.problem);
            continue;
        }
        const Times ours = by_dtrace(bench, pattern);
        if (!ours.problem.empty() || !hand.problem.empty())
            bench.report.problem(what, hand.problem + " " + ours.problem);
        const bool bounded = functions.size() >= kMany;
        bench.report.add({what + ", start to BEGIN", "ms", ours.attach_ms, hand.attach_ms, absent,
                          bounded ? "<= 10,000 ms" : "", bounded ? 10000 : absent, absent, absent, false, ""});
        bench.report.add({"  and detached", "ms", ours.detach_ms, hand.detach_ms, absent, bounded ? "<= 5,000 ms" : "",
                          bounded ? 5000 : absent, absent, absent, false, ""});
    }
}

} // namespace dt::bench
