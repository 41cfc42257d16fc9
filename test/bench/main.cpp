// bench: measures the cost of tracing, with all compared variants in one run.
//
//   bench [ROWS...]      sets of rows (startup, oneliner, event, reject, cost, storm, compile, load, catalogue, memory,
//                        function, attach, user, user-attach), or single rows of the cost table by their names in
//                        cost/; default: all
//     --rounds N         alternating measurements of each tool in a cost row (16)
//     --json FILE        writes the figures and the machine's description
//     --markdown FILE    writes the tables into their sections of the file
//     --with NAME=VALUE  measures the cost of -x NAME=VALUE for each row of the cost table instead of comparing tools;
//                        for cost, with timing switches on and off (cost_gates.cpp; 40 rounds)
//   bench filters ...    filter experiments (filters/filters.hpp)
//   bench estimate ...   compares --estimate with -x cost (estimate.cpp)
//   bench bill ...       compares -x cost with a measured loop (bill.cpp)
//   bench measuring ...  compares methods to measure a program with a measured loop (measuring.cpp)
//   bench limit ...      storms under -x maxcost: time lost, and accuracy of totals (limit.cpp)
//   bench agree A B [PERCENT]  compares two files of --json (agree.cpp)
//   bench peers ...      compares with other tracers (peers.cpp)
//   bench scale ...      size limits of programs (scale.cpp)
//   bench churn ...      memory of the tracer while short processes start and end (churn.cpp)
//   bench soak ...       a service of 24 scripts under mixed load (soak.cpp)
//   bench --check        checks that the programs of each cost row in D and in C count the same firings
//   bench --check-peers  includes the programs for bpftrace
//
// Results for whole processes are the minimum of several repetitions; rates are the maximum. Costs per event are
// differences to the same loop without tracing, measured alternately. The exit status is 0 for any results, because
// people judge them. With --check it is 1 if counts differ.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/bench/agree.hpp"
#include "test/bench/bill.hpp"
#include "test/bench/estimate.hpp"
#include "test/bench/check.hpp"
#include "test/bench/churn.hpp"
#include "test/bench/cost_gates.hpp"
#include "test/bench/cost_row.hpp"
#include "test/bench/filters/filters.hpp"
#include "test/bench/limit.hpp"
#include "test/bench/loop.hpp"
#include "test/bench/measuring.hpp"
#include "test/bench/option.hpp"
#include "test/bench/peers.hpp"
#include "test/bench/report.hpp"
#include "test/bench/rows.hpp"
#include "test/bench/scale.hpp"
#include "test/bench/soak.hpp"
#include "test/bench/tool.hpp"

using namespace dt::bench;

namespace {

constexpr int kRoundsOfCosts = 16, kRoundsOfGates = 40;

struct Arguments {
    std::vector<std::string> rows;
    std::string json, markdown, option;
    int rounds = 0; // number of rounds of a cost row; 0: the default of the benchmark
    bool check = false, peers = false;
    std::string problem;
};

Arguments read_arguments(const std::vector<std::string>& words)
{
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); i++) {
        const std::string& word = words[i];
        const bool last = i + 1 == words.size();
        if (word == "--check" || word == "--check-peers")
            arguments.check = true, arguments.peers = word != "--check";
        else if (word == "--json" && !last)
            arguments.json = words[++i];
        else if (word == "--markdown" && !last)
            arguments.markdown = words[++i];
        else if (word == "--with" && !last)
            arguments.option = words[++i];
        else if (word == "--rounds" && !last)
            arguments.rounds = std::clamp(std::atoi(words[++i].c_str()), 1, 1000);
        else if (word.compare(0, 1, "-") != 0)
            arguments.rows.push_back(word);
        else
            arguments.problem = "unknown or incomplete option " + word;
    }
    return arguments;
}

// Mounts tracefs in a private namespace if it is not mounted, because bpftrace looks up tracepoints in tracefs.
void mount_tracefs()
{
    const char* const place = "/sys/kernel/tracing";
    if (std::filesystem::exists(std::string(place) + "/events") ||
        std::filesystem::exists("/sys/kernel/debug/tracing/events"))
        return;
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tracefs", place, "tracefs", 0, nullptr) != 0)
        std::printf("(no tracefs: the column of bpftrace stays empty where it needs one)\n");
}

bool has(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

// Removes the names of cost table rows from the arguments and returns these names.
std::vector<std::string> take_cost_rows(std::vector<std::string>& words)
{
    std::vector<std::string> names;
    for (const CostRow& row : cost_rows())
        if (has(words, row.name))
            names.push_back(row.name);
    const auto is_row = [&](const std::string& word) { return has(names, word); };
    words.erase(std::remove_if(words.begin(), words.end(), is_row), words.end());
    if (!names.empty() && !has(words, "cost"))
        words.push_back("cost");
    return names;
}

void measure(const Bench& bench, const std::vector<std::string>& wanted)
{
    print_heading();
    for (const auto& [name, measure_rows] : all_rows()) {
        if (!wanted.empty() && !has(wanted, name))
            continue;
        bench.report.begin(name);
        measure_rows(bench);
    }
    if (!bench.bpftrace)
        std::printf("(bpftrace is not installed: its column is empty)\n");
}

Facts facts_of_run(const std::string& dtrace, const std::vector<std::string>& words)
{
    Facts facts = machine_facts(dtrace);
    facts.emplace_back("commit", commit_of(DTRACE_BENCH_COST));
    facts.emplace_back("command", command_of("./dev bench", words));
    return facts;
}

// Runs the loop for --check in a separate process. After the loop, the process makes one different call, by which the
// traced script recognizes the end of the loop.
int run_loop(const std::vector<std::string>& words)
{
    make_calls(std::atol(words[1].c_str()), std::atol(words[2].c_str()));
    return static_cast<int>(syscall(SYS_getpgid, 0) < 0);
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "--loop")
        return run_loop(words);
    if (!words.empty() && words[0] == "agree")
        return run_agree({words.begin() + 1, words.end()});
    if (!words.empty() && words[0] == "filters")
        return filters::run({words.begin() + 1, words.end()});
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    const auto build = (self.parent_path() / "../..").lexically_normal();
    if (!words.empty() && words[0] == "estimate")
        return run_estimate({words.begin() + 1, words.end()}, build.string());
    if (!words.empty() && words[0] == "bill")
        return run_bill({words.begin() + 1, words.end()}, build.string());
    if (!words.empty() && words[0] == "limit")
        return run_limit({words.begin() + 1, words.end()}, build.string());
    if (!words.empty() && words[0] == "measuring") {
        mount_tracefs();
        return run_measuring({words.begin() + 1, words.end()}, build.string());
    }
    if (!words.empty() && words[0] == "churn")
        return run_churn({words.begin() + 1, words.end()}, build.string());
    if (!words.empty() && words[0] == "peers")
        return run_peers({words.begin() + 1, words.end()}, build.string());
    if (!words.empty() && words[0] == "scale")
        return run_scale({words.begin() + 1, words.end()}, build.string());
    if (!words.empty() && words[0] == "soak")
        return run_soak({words.begin() + 1, words.end()}, build.string());
    Arguments arguments = read_arguments(words);
    if (!arguments.problem.empty() || geteuid() != 0) {
        std::fprintf(stderr, "bench: %s\n",
                     arguments.problem.empty() ? "tracing needs root" : arguments.problem.c_str());
        return arguments.check ? 77 : 1;
    }
    mount_tracefs();
    const auto chosen = take_cost_rows(arguments.rows);
    Report report(facts_of_run((build / "dtrace").string(), words));
    const Bench bench{self.string(),
                      (build / "dtrace").string(),
                      (build / "test/progs").string(),
                      installed("bpftrace"),
                      arguments.rounds > 0 ? arguments.rounds : kRoundsOfCosts,
                      chosen,
                      report};
    if (arguments.check)
        return check_cost_rows(bench, arguments.peers);

    if (arguments.option == "cost") {
        Bench of_gates = bench;
        of_gates.rounds = arguments.rounds > 0 ? arguments.rounds : kRoundsOfGates;
        measure_cost_gates(of_gates);
        return 0;
    }
    if (!arguments.option.empty()) {
        measure_option(bench, arguments.option);
        return 0;
    }
    measure(bench, arguments.rows);
    bool written = arguments.json.empty() || report.write_json(arguments.json);
    written &= arguments.markdown.empty() || report.write_markdown(arguments.markdown);
    if (!written)
        std::fprintf(stderr, "bench: the figures could not be written\n");
    return written ? 0 : 1;
}
