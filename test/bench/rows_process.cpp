// Rows for whole dtrace processes: start-up, time to the first event and to the end of a one-liner, compile time,
// memory.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "test/bench/loop.hpp"
#include "test/bench/report.hpp"
#include "test/bench/rows.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

const char* const by_execname = "syscall:::entry { @[execname] = count(); }";

struct Least {
    double wall_ms = absent, rss_mb = absent;
    std::string problem;
};

// Returns the shortest time of several runs of a command; each run must end with status 0.
Least whole_process(const std::vector<std::string>& words, int repetitions)
{
    Least least;
    for (int i = 0; i < repetitions; i++) {
        auto usage = Tool(words).wait();
        if (usage.status != 0) {
            least.problem = "status " + std::to_string(usage.status) + " " + usage.err;
            return least;
        }
        least.wall_ms = i == 0 ? usage.wall_ms : std::min(least.wall_ms, usage.wall_ms);
        least.rss_mb = i == 0 ? usage.max_rss_mb : std::min(least.rss_mb, usage.max_rss_mb);
    }
    return least;
}

struct Edges {
    double first_ms = absent, stop_ms = absent;
};

// Measures two times: from the start of dtrace to its first event, and from ^C to its end. The first event is the
// smallest timestamp that the script recorded.
Edges edges(const Bench& bench)
{
    Edges best;
    const std::string script = std::string(by_execname) + "syscall:::entry { @first = min(timestamp); }"
                                                          "END { printa(\"first %@d\\n\", @first); trunc(@first); }";
    for (int i = 0; i < 5; i++) {
        Tool tool({bench.dtrace, "-qn", script});
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        long long started = tool.started_ns();
        auto usage = tool.interrupt();
        auto at = usage.out.find("first ");
        if (at == std::string::npos)
            continue;
        double first_ms = static_cast<double>(std::strtoll(usage.out.c_str() + at + 6, nullptr, 10) - started) / 1e6;
        best.first_ms = std::isnan(best.first_ms) ? first_ms : std::min(best.first_ms, first_ms);
        best.stop_ms = std::isnan(best.stop_ms) ? usage.wall_ms : std::min(best.stop_ms, usage.wall_ms);
    }
    return best;
}

std::string script_with_clauses(int clauses)
{
    char path[] = "/tmp/dtrace-bench-clauses.XXXXXX";
    int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
    std::ofstream stream(path);
    for (int i = 0; i < clauses; i++)
        stream << "syscall:::entry /arg0 == " << i << "/ { x" << i % 50 << " = arg1 + " << i << "; @[probefunc, " << i
               << "] = count(); }\n";
    return path;
}

std::string script_with_text(const std::string& text)
{
    char path[] = "/tmp/dtrace-bench-text.XXXXXX";
    if (const int fd = mkstemp(path); fd >= 0)
        close(fd);
    std::ofstream(path) << text;
    return path;
}

// Measures machine-generated scripts: each is compiled, loaded and run.
void measure_large_scripts(const Bench& bench)
{
    std::string variables, aggregations, names;
    for (int i = 0; i < 50'000; ++i) {
        variables += "x" + std::to_string(i) + " = " + std::to_string(i) + ";\n";
        aggregations += "@a" + std::to_string(i) + " = count();\n";
    }
    for (int i = 0; i < 100'000; ++i)
        names += "N" + std::to_string(i) + ",\n";
    const std::pair<const char*, std::string> scripts[] = {
        {"50,000 statements in a clause, each of its own variable, run", "BEGIN { " + variables + "exit(0); }"},
        {"50,000 statements in a clause, each of its own aggregation, run", "BEGIN { " + aggregations + "exit(0); }"},
        {"an enum of 100,000 names, run", "enum e { " + names + "LAST };\nBEGIN { exit(N7 - N7); }"},
    };
    for (const auto& [what, text] : scripts) {
        const auto path = script_with_text(text);
        const auto ours = whole_process({bench.dtrace, "-qs", path}, 3);
        unlink(path.c_str());
        if (!ours.problem.empty())
            bench.report.problem(what, ours.problem.substr(0, 200));
        else
            bench.report.add({what, "ms", ours.wall_ms, absent, absent, "<= 2000 ms", 2000, absent, absent, false, ""});
    }
}

// Writes a script that has this number of clauses on one probe and exits in BEGIN. Returns its path. `body` is the text
// of each clause; its two placeholders get numbers, of which the first is below 50.
std::string script_of(int clauses, const char* body)
{
    char path[] = "/tmp/dtrace-bench-load.XXXXXX";
    if (const int fd = mkstemp(path); fd >= 0)
        close(fd);
    std::ofstream stream(path);
    for (int i = 0; i < clauses; i++) {
        char clause[160];
        std::snprintf(clause, sizeof clause, body, i % 50, i);
        stream << "syscall::getppid:entry " << clause << '\n';
    }
    stream << "BEGIN { exit(0); }\n";
    return path;
}

/// Writes a script with a clause for each of the first `count` kernel functions, by exact name, and returns its path.
std::string script_with_names(const Bench& bench, std::size_t count)
{
    const std::string listed = Tool({bench.dtrace, "-ln", "fbt:vmlinux::entry"}).wait().out;
    char path[] = "/tmp/dtrace-bench-names.XXXXXX";
    if (const int fd = mkstemp(path); fd >= 0)
        close(fd);
    std::istringstream lines(listed);
    std::ofstream stream(path);
    std::string id, provider, module, function, name;
    for (std::getline(lines, id); count > 0 && lines >> id >> provider >> module >> function >> name; --count)
        stream << "fbt:vmlinux:" << function << ":entry { }\n";
    return path;
}

} // namespace

void measure_catalogue(const Bench& bench)
{
    const auto nothing = whole_process({bench.dtrace, "-ln", "BEGIN"}, 10);
    const auto one = whole_process({bench.dtrace, "-ln", "fbt::vfs_read:entry"}, 10);
    if (!one.problem.empty())
        return bench.report.problem("the catalogue of functions", one.problem);
    bench.report.add({"dtrace -ln fbt::vfs_read:entry, whole process", "ms", one.wall_ms, absent, absent, "<= 30 ms",
                      30, absent, absent, false, ""});
    const auto path = script_with_names(bench, 1000);
    const auto names = whole_process({bench.dtrace, "-ls", path}, 5);
    unlink(path.c_str());
    bench.report.add({"1,000 exact names, over one", "ms", names.wall_ms - one.wall_ms, absent, absent, "<= 50 ms", 50,
                      absent, absent, false, ""});
    const auto all = whole_process({bench.dtrace, "-ln", "fbt:::"}, 5);
    const auto few = whole_process({bench.dtrace, "-ln", "fbt::vfs_re*d:entry"}, 10);
    bench.report.add({"a pattern over all functions that few match", "ms", few.wall_ms, absent, absent, "<= 100 ms",
                      100, absent, absent, false, ""});
    bench.report.add({"a pattern over all functions, listed", "ms", all.wall_ms, absent, absent, "<= 1000 ms", 1000,
                      absent, absent, false, ""});
    bench.report.add({"  its memory, over that of -ln BEGIN", "MB", all.rss_mb - nothing.rss_mb, absent, absent,
                      "<= 40 MB", 40, absent, absent, false, ""});
}

void measure_startup(const Bench& bench)
{
    auto ours = whole_process({bench.dtrace, "-qn", "BEGIN { exit(0); }"}, 15);
    if (!ours.problem.empty())
        return bench.report.problem("BEGIN { exit(0); }", ours.problem);
    Least other;
    if (bench.bpftrace)
        other = whole_process({"bpftrace", "-e", "BEGIN { exit(); }"}, 5);
    bench.report.add({"BEGIN { exit(0); }, whole process", "ms", ours.wall_ms, absent, other.wall_ms,
                      "<= 40 ms, <= 0.2 x bpftrace", 40, absent, 0.2, false, ""});
    bench.report.add(
        {"  its memory, resident", "MB", ours.rss_mb, absent, other.rss_mb, "<= 25 MB", 25, absent, absent, false, ""});
}

void measure_oneliner(const Bench& bench)
{
    auto ours = edges(bench);
    bench.report.add({std::string(by_execname) + ", first event", "ms", ours.first_ms, absent, absent, "<= 100 ms", 100,
                      absent, absent, false, ""});
    bench.report.add(
        {"  ^C to prompt", "ms", ours.stop_ms, absent, absent, "<= 100 ms", 100, absent, absent, false, ""});
}

void measure_compile(const Bench& bench)
{
    double one_ms = absent;
    for (int clauses : {1, 100, 1000}) {
        auto path = script_with_clauses(clauses);
        auto ours = whole_process({bench.dtrace, "-e", "-s", path}, clauses == 1000 ? 3 : 7);
        unlink(path.c_str());
        auto what = "compile a script of " + std::to_string(clauses) + " clauses (-e)";
        if (!ours.problem.empty()) {
            bench.report.problem(what, ours.problem.substr(0, 200));
            continue;
        }
        if (clauses == 1)
            one_ms = ours.wall_ms;
        char note[64] = "";
        if (clauses > 1)
            std::snprintf(note, sizeof(note), "%.2f ms more for each clause", (ours.wall_ms - one_ms) / (clauses - 1));
        bool bounded = clauses == 1000;
        bench.report.add({what, "ms", ours.wall_ms, absent, absent, bounded ? "<= 1000 ms, linear" : "",
                          bounded ? 1000 : absent, absent, absent, false, note});
    }
    measure_large_scripts(bench);
}

// Measures a whole run of dtrace that ends in BEGIN: compile, verify, attach, detach.
void measure_load(const Bench& bench)
{
    const struct {
        int clauses;
        const char* body;
        const char* what;
        double limit;
    } scripts[] = {
        {1, "{ x%d = arg1; @[probefunc, %d] = count(); }", "of its own variable and key", absent},
        {100, "{ x%d = arg1; @[probefunc, %d] = count(); }", "of its own variable and key", absent},
        {1000, "{ x%d = arg1; @[probefunc, %d] = count(); }", "of its own variable and key", 2000},
        {600, "{ self->s%d = strjoin(execname, \"%d\"); }", "with strings", 2000},
    };
    for (const auto& [clauses, body, what, limit] : scripts) {
        const auto path = script_of(clauses, body);
        const auto ours = whole_process({bench.dtrace, "-qs", path}, 3);
        unlink(path.c_str());
        const auto name = std::to_string(clauses) + " clauses on one probe, each " + what + ", run";
        if (!ours.problem.empty())
            bench.report.problem(name, ours.problem.substr(0, 200));
        else
            bench.report.add({name, "ms", ours.wall_ms, absent, absent, std::isnan(limit) ? "" : "<= 2000 ms", limit,
                              absent, absent, false, ""});
    }
}

void measure_memory(const Bench& bench)
{
    Tool tool({bench.dtrace, "-qn", by_execname});
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    double mb = map_kb(tool.pid()) / 1024;
    tool.interrupt();
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    bench.report.add({"maps while tracing @[execname]", "MB", mb, absent, absent, "<= 8 MB on 2 CPUs",
                      4.0 * static_cast<double>(std::max(2L, cpus)), absent, absent, false, ""});
}

} // namespace dt::bench
