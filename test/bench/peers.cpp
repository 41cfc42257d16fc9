// bench peers: measures other tracers in comparison with dtrace.
//
// Each row of the report is measured for one tracer after the other, in rounds, as in the cost table. If a tracer fails
// at a row, the report quotes its error message instead of a result. Tracers that cannot even run an empty program are
// omitted.
#include "test/bench/peers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include <fnmatch.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/bench/check.hpp"
#include "test/bench/cost_row.hpp"
#include "test/bench/loop.hpp"
#include "test/bench/peer_root.hpp"
#include "test/bench/peer_tools.hpp"
#include "test/bench/report.hpp"
#include "test/bench/tool.hpp"
#include "test/bench/tool_cost.hpp"
#include "test/bench/turns.hpp"

namespace dt::bench {

namespace {

constexpr long kStormRecords = 500'000;

struct Peers {
    PeerTools tools;
    int rounds = 2;
    std::vector<std::string> wanted;
    std::vector<PeerRow> rows;

    bool want(const std::string& name) const
    {
        return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    }

    void add(const PeerRow& row)
    {
        std::printf("%-58s %-7s", row.what.c_str(), row.unit.c_str());
        for (std::size_t peer = 0; peer < kPeers; peer++)
            std::printf(" %s %s", kPeerNames[peer], number(row.figures[peer].value).c_str());
        std::printf("\n");
        std::fflush(stdout);
        rows.push_back(row);
    }

    /// Returns the tracers that work on this machine and have a program for the row.
    std::vector<Peer> able(const PeerTexts& texts) const
    {
        std::vector<Peer> peers;
        for (std::size_t peer = 0; peer < kPeers; peer++)
            if (tools.runs(static_cast<Peer>(peer)) && !texts[peer].empty())
                peers.push_back(static_cast<Peer>(peer));
        return peers;
    }
};

const char* const kStapCall = "global n probe kernel.trace(\"sys_enter\") { n <<< 1 } probe end { println(@count(n)) }";

std::string text_of(const std::string& path)
{
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

// ---- the cost of an event

void measure_peer_costs(Peers& peers)
{
    for (const CostRow& cost : cost_rows()) {
        if (!peers.want(cost.name) && !peers.want("cost"))
            continue;
        const std::string ply = cost.script_path.substr(0, cost.script_path.size() - 1) + "ply";
        const PeerTexts texts = {cost.script, cost.bpftrace, cost.script, text_of(ply), kStapCall};
        PeerRow row{cost.name + ": " + cost.what, "ns/call", {}, {}};
        std::array<std::vector<double>, kPeers> ns;
        for (int round = 0; round < peers.rounds; round++)
            for (const Peer peer : peers.able(texts)) {
                if (!row.problems[peer].empty())
                    continue;
                TurnsLoop loop;
                ns[peer].push_back(added_by_tool(loop, peers.tools.words(peer, texts[peer]), row.problems[peer]));
            }
        for (std::size_t peer = 0; peer < kPeers; peer++)
            row.figures[peer] = figure_of(ns[peer]);
        peers.add(row);
    }
}

// ---- measurements of whole processes

// Prints the shortest time of several runs. A tracer that takes seconds is run only once.
void measure_whole(Peers& peers, const std::string& what, const PeerTexts& texts, bool memory)
{
    PeerRow time{what, "ms", {}, {}}, resident{"  its memory, resident", "MB", {}, {}};
    for (const Peer peer : peers.able(texts)) {
        double ms = absent, mb = absent;
        for (int i = 0; i < 7 && !(ms > 2000); i++) {
            Words words = {"timeout", "-k", "5", std::to_string(kToolPatience)};
            for (const std::string& word : peers.tools.words(peer, texts[peer]))
                words.push_back(word);
            const Usage usage = Tool(words).wait();
            if (usage.status != 0) {
                time.problems[peer] = complaint(usage.err + "\n" + usage.out);
                break;
            }
            ms = std::fmin(ms, usage.wall_ms);
            mb = std::fmin(mb, usage.max_rss_mb);
        }
        time.figures[peer] = ms;
        resident.figures[peer] = mb;
    }
    peers.add(time);
    if (memory)
        peers.add(resident);
}

// ---- many probes

constexpr const char* kTracing = "/sys/kernel/tracing/";

/// Waits until the tracer traces and has opened no file for two seconds. A probe that is attached on its own has a file
/// descriptor, so the number of open files grows as long as the tracer attaches probes.
void wait_until_attached(const Tool& tool, double untraced)
{
    constexpr int kLooks = 20;
    if (!wait_until_traced(tool, untraced, SYS_getppid))
        return;
    std::size_t known = 0;
    for (int same = 0; tool.running() && same < kLooks; std::this_thread::sleep_for(std::chrono::milliseconds(100))) {
        const std::size_t now = open_files(tool.pid());
        same = now == known ? same + 1 : 0;
        known = now;
    }
}

/// Measures the time from ^C to the end of a tracer. Besides the measured probes, each tracer traces getppid: when
/// calls of getppid become slower, the tracer is ready. Reports the shortest of three times. A tracer that takes
/// seconds is run only once.
void measure_detach(Peers& peers, const PeerTexts& texts)
{
    PeerRow row{"  of it, from the end to the prompt", "ms", {}, {}};
    for (const Peer peer : peers.able(texts)) {
        double ms = absent;
        for (int i = 0; i < 3 && !(ms > 2000); i++) {
            const double untraced = ns_per_call();
            Tool tool(peers.tools.words(peer, texts[peer]), "/dev/null");
            wait_until_attached(tool, untraced);
            if (!tool.running()) {
                row.problems[peer] = complaint(tool.wait().err);
                break;
            }
            ms = std::fmin(ms, tool.interrupt().wall_ms);
        }
        row.figures[peer] = ms;
    }
    peers.add(row);
}

/// Measures attaching to all functions or system calls that match a shell pattern, and detaching from them.
void measure_set(Peers& peers, const std::string& what, const std::string& d, const std::string& bpftrace,
                 const std::string& ply, bool memory)
{
    const std::string counts = " { @ = count(); } ";
    const PeerTexts tracing = {"syscall::getppid:entry, " + d + counts,
                               "tracepoint:syscalls:sys_enter_getppid, " + bpftrace + counts,
                               "syscall::getppid:entry, " + d + counts, "", ""};
    PeerTexts ending = {d + counts, bpftrace + counts, d + counts, ply + " { @[\"n\"] = count(); } ", ""};
    for (const Peer peer : {kDtrace, kOracle, kPly})
        ending[peer] += "BEGIN { exit(0); }";
    ending[kBpftrace] += "BEGIN { exit(); }";
    measure_whole(peers, "attach to " + what + ", and end", ending, memory);
    measure_detach(peers, tracing);
}

std::vector<std::string> lines_of(const std::string& path)
{
    std::vector<std::string> lines;
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line.substr(0, line.find(' ')));
    return lines;
}

std::size_t matches(const std::vector<std::string>& names, const std::string& pattern)
{
    return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [&](const std::string& name) {
        return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    }));
}

/// Tries the patterns [a-a]*, [a-b]*, … [a-z]*. Returns the first one that matches at least `many` names, or the last
/// one if none does.
std::string pattern_of(const std::vector<std::string>& names, std::size_t many)
{
    std::string pattern = "[a-a]*";
    for (char last = 'a'; last <= 'z' && matches(names, pattern) < many; last++)
        pattern[3] = last;
    return pattern;
}

// Measures one, a hundred and all system calls and, if kernel functions can be probed, one, a hundred and ten thousand
// functions.
void measure_peer_attach(Peers& peers)
{
    std::vector<std::string> calls;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(kTracing) + "events/syscalls", ignored))
        if (const std::string name = entry.path().filename().string(); name.compare(0, 10, "sys_enter_") == 0)
            calls.push_back(name.substr(10));
    for (const std::string& pattern : {std::string("getppid"), pattern_of(calls, 100), std::string("*")})
        measure_set(peers, std::to_string(matches(calls, pattern)) + " system calls (" + pattern + ")",
                    "syscall::" + pattern + ":entry", "tracepoint:syscalls:sys_enter_" + pattern,
                    "tracepoint:syscalls/sys_enter_" + pattern, pattern == "*");
    const std::vector<std::string> functions = lines_of(std::string(kTracing) + "available_filter_functions");
    if (functions.empty())
        return;
    for (const std::string& pattern : {std::string("vfs_read"), std::string("vfs_*"), pattern_of(functions, 10'000)})
        measure_set(peers, std::to_string(matches(functions, pattern)) + " functions (" + pattern + ")",
                    "fbt::" + pattern + ":entry", "kprobe:" + pattern, "kprobe:" + pattern, false);
}

// ---- memory of a tracer, and records that it loses

double resident_mb(pid_t pid)
{
    std::ifstream stream("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(stream, line);)
        if (line.compare(0, 6, "VmRSS:") == 0)
            return std::strtod(line.c_str() + 6, nullptr) / 1024;
    return absent;
}

void measure_peer_memory(Peers& peers)
{
    const PeerTexts texts = {
        "syscall:::entry { @[execname] = count(); }", "tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }",
        "syscall:::entry { @[execname] = count(); }", "tracepoint:raw_syscalls/sys_enter { @[comm] = count(); }", ""};
    PeerRow resident{"counting system calls by program: resident", "MB", {}, {}}, maps{"  its maps", "MB", {}, {}};
    for (const Peer peer : peers.able(texts)) {
        const double untraced = ns_per_call();
        Tool tool(peers.tools.words(peer, texts[peer]), "/dev/null");
        if (wait_until_traced(tool, untraced, SYS_getppid)) {
            resident.figures[peer] = resident_mb(tool.pid());
            maps.figures[peer] = map_kb(tool.pid()) / 1024;
        }
        const Usage usage = tool.interrupt();
        if (!resident.figures[peer].there())
            resident.problems[peer] = complaint(usage.err);
    }
    peers.add(resident);
    peers.add(maps);
}

// Starts a process that makes a fixed number of calls as fast as it can. Records contain its pid, by which its calls
// are distinguished from earlier ones.
pid_t make_storm(long number)
{
    const pid_t child = fork();
    if (child == 0) {
        use_loop_cpu();
        make_calls(number, kStormRecords);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    return child;
}

double lost_percent(const std::string& path, pid_t storm)
{
    const std::string wanted = "r " + std::to_string(storm);
    std::ifstream stream(path);
    long there = 0;
    for (std::string line; std::getline(stream, line);)
        there += line == wanted;
    return 100.0 * static_cast<double>(kStormRecords - there) / static_cast<double>(kStormRecords);
}

void measure_peer_losses(Peers& peers)
{
    const std::string call = "sched_get_priority_max";
    const std::string d = "syscall::" + call + ":entry { printf(\"r %d\\n\", pid); }";
    const PeerTexts texts = {d, "tracepoint:syscalls:sys_enter_" + call + " { printf(\"r %d\\n\", pid); }", d,
                             "tracepoint:syscalls/sys_enter_" + call + " { printf(\"r %d\\n\", pid); }", ""};
    PeerRow row{"half a million records as fast as they come, lost", "%", {}, {}};
    for (const Peer peer : peers.able(texts)) {
        const double untraced = ns_per_call(150, 250, checked_call());
        const std::string path = "/tmp/dtrace-bench-storm." + std::to_string(getpid());
        Tool tool(peers.tools.words(peer, texts[peer]), path);
        const bool traced = wait_until_traced(tool, untraced, checked_call());
        const pid_t storm = traced ? make_storm(checked_call()) : -1;
        // Waits until the tracer has read all records: every tracer reads its buffers at least once per second.
        std::this_thread::sleep_for(std::chrono::seconds(traced ? 3 : 0));
        const Usage usage = tool.interrupt();
        const double lost = traced ? lost_percent(path, storm) : absent;
        row.figures[peer] = lost < 100 ? lost : absent;
        row.problems[peer] = lost < 100 ? "" : "no record came: " + complaint(usage.err);
        unlink(path.c_str());
    }
    peers.add(row);
}

// ---- the table

std::string peer_cell(const PeerRow& row, std::size_t peer, std::map<std::string, int>& notes)
{
    const Figure& figure = row.figures[peer];
    if (figure.there())
        return number(figure.value);
    if (row.problems[peer].empty())
        return "–";
    const std::string note = std::string(kPeerNames[peer]) + ": `" + row.problems[peer] + "`";
    return "[" + std::to_string(notes.emplace(note, static_cast<int>(notes.size()) + 1).first->second) + "]";
}

std::string peer_ratio(const PeerRow& row, std::size_t peer)
{
    const double ratio = row.figures[kDtrace].value / row.figures[peer].value;
    if (!std::isfinite(ratio) || row.unit == "%")
        return "–";
    return ratio > 1 ? "**" + number(ratio) + "**" : number(ratio);
}

std::string notes_of(const Peers& peers, const std::map<std::string, int>& notes)
{
    std::vector<std::string> sorted(notes.size());
    for (const auto& [note, place] : notes)
        sorted[static_cast<std::size_t>(place) - 1] = "- [" + std::to_string(place) + "] " + note + "\n";
    std::string text;
    for (const std::string& line : sorted)
        text += line;
    for (std::size_t peer = 0; peer < kPeers; peer++)
        if (!peers.tools.runs(static_cast<Peer>(peer)))
            text += std::string("- ") + kPeerNames[peer] + " does not begin here: `" +
                    peers.tools.problem(static_cast<Peer>(peer)) + "`\n";
    for (const std::string& problem : peers.tools.hidden())
        text += "- Oracle DTrace does not begin here as it comes, and ran without that file of its library: `" +
                problem + "`\n";
    return text;
}

std::string peers_in_markdown(const Peers& peers, const Facts& machine, double others)
{
    std::string text = busy_line(others);
    for (const auto& [name, value] : machine)
        if (name != "bpftrace" && name != "stap" && name != "perf")
            text += name + ": " + value + "; ";
    for (std::size_t peer = kBpftrace; peer < kPeers; peer++)
        text += std::string(kPeerNames[peer]) + ": " + peers.tools.version(static_cast<Peer>(peer)) + "; ";
    text += "CPUs that others took meanwhile: " + number(others) + ".\n\n| row | unit |";
    for (const char* name : kPeerNames)
        text += std::string(" ") + name + " |";
    text += " / bpftrace | / Oracle | / ply |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    std::map<std::string, int> notes;
    for (const PeerRow& row : peers.rows) {
        text += "| " + row.what.substr(row.what.find_first_not_of(' ')) + " | " + row.unit + " |";
        for (std::size_t peer = 0; peer < kPeers; peer++)
            text += " " + peer_cell(row, peer, notes) + " |";
        for (const std::size_t peer : {kBpftrace, kOracle, kPly})
            text += " " + peer_ratio(row, peer) + " |";
        text += "\n";
    }
    return text + "\n" + notes_of(peers, notes);
}

void measure_peers(Peers& peers)
{
    measure_peer_costs(peers);
    if (peers.want("startup"))
        measure_whole(peers, "begin and end, whole process", empty_programs(), true);
    if (peers.want("attach"))
        measure_peer_attach(peers);
    if (peers.want("memory"))
        measure_peer_memory(peers);
    // Removes the variable that enlarges bpftrace's buffers, because losses are measured with the default sizes.
    unsetenv("BPFTRACE_PERF_RB_PAGES");
    if (peers.want("lost"))
        measure_peer_losses(peers);
}

} // namespace

int run_peers(const std::vector<std::string>& arguments, const std::string& build)
{
    std::string markdown;
    int rounds = 2;
    std::vector<std::string> wanted;
    for (std::size_t i = 1; i < arguments.size(); i++) {
        const bool more = i + 1 < arguments.size();
        if (arguments[i] == "--rounds" && more)
            rounds = std::clamp(std::atoi(arguments[++i].c_str()), 1, 100);
        else if (arguments[i] == "--markdown" && more)
            markdown = arguments[++i];
        else
            wanted.push_back(arguments[i]);
    }
    const std::string problem = arguments.empty() ? "peers FOLDER [ROWS...]" : enter_peer_root(arguments[0]);
    if (!problem.empty()) {
        std::fprintf(stderr, "bench: %s\n", problem.c_str());
        return 1;
    }
    setenv("BPFTRACE_MAX_STRLEN", "200", 1);
    // enlarges bpftrace's buffers for the cost table, as elsewhere in the benchmark
    setenv("BPFTRACE_PERF_RB_PAGES", "16384", 1);
    const Others others;
    Peers peers{PeerTools(arguments[0], build + "/dtrace"), rounds, wanted, {}};
    measure_peers(peers);
    Facts machine = machine_facts(build + "/dtrace");
    machine.emplace_back("commit", commit_of(DTRACE_BENCH_COST));
    machine.emplace_back("command", command_of("./dev bench --peers FOLDER", {arguments.begin() + 1, arguments.end()}));
    const std::string text = peers_in_markdown(peers, machine, others.cpus());
    std::printf("\n%s", text.c_str());
    if (markdown.empty())
        return 0;
    const std::string with = with_part(text_of(markdown), "peers", text);
    return std::ofstream(markdown) << with ? 0 : 1;
}

} // namespace dt::bench
