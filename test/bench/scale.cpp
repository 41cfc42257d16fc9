// bench scale [--svg FOLDER]: measures how large D programs may become.
//
// Measures programs with 200 to 1,000 clauses on one probe, and other kinds of large programs. Prints the time until
// each program traces, and how many instructions the kernel's verifier processes (its limit is a million). Each clause
// contains a different number, so that no two clauses share code.
#include "test/bench/scale.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "test/bench/plot.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr int kStep = 200, kMax = 1000, kRuns = 3;

struct Body {
    const char *name, *text;
};

constexpr Body kBodies[] = {
    {"count", "@ = count();"},
    {"quantize", "@[execname] = quantize(arg2);"},
    {"self", "self->at[arg0] = timestamp; self->n++;"},
    {"printf", "printf(\"%d %s %s\", pid, execname, copyinstr(arg1));"},
    {"psargs", "trace(curpsinfo->pr_psargs);"},
    {"cwd", "trace(cwd);"},
    {"fds", "trace(fds[arg0].fi_pathname);"},
    {"stacks", "@[ustack(), stack()] = count();"},
};

struct Size {
    double ms = 0;         ///< time of the whole dtrace process in ms: the minimum of several runs
    double verified = 0;   ///< number of instructions that the verifier processed, over all BPF programs of the script
    std::string refusal{}; ///< error message; empty if the program could be traced
};

/// Returns how many instructions the verifier processed for all programs of a process (from fdinfo, Linux 5.16). Counts
/// a program once even if the process has several descriptors of it.
double verified_by(pid_t pid)
{
    std::map<unsigned, double> by_program;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fdinfo", ignored)) {
        std::ifstream info(entry.path());
        double verified = 0;
        unsigned program = 0;
        for (std::string name; info >> name;)
            if (name == "verified_insns:")
                info >> verified;
            else if (name == "prog_id:")
                info >> program;
        if (verified > 0)
            by_program[program] = verified;
    }
    double sum = 0;
    for (const auto& [program, verified] : by_program)
        sum += verified;
    return sum;
}

Size measure_program(const std::string& dtrace, const std::string& program)
{
    const std::string path = std::filesystem::temp_directory_path() / ("scale." + std::to_string(getpid()) + ".d");
    std::ofstream(path) << program << "BEGIN { exit(0); }\n";
    Size size;
    for (int run = 0; run < kRuns; ++run) {
        const Usage usage = Tool({dtrace, "-qs", path}).wait();
        size.ms = run == 0 ? usage.wall_ms : std::min(size.ms, usage.wall_ms);
        if (usage.status != 0)
            size.refusal = usage.err.substr(0, usage.err.find('\n'));
    }
    if (size.refusal.empty()) {
        std::ofstream(path) << program << "BEGIN { printf(\"ready\\n\"); }\n";
        Tool tool({dtrace, "-qs", path}, path + ".out");
        if (wait_until_ready(tool, path + ".out"))
            size.verified = verified_by(tool.pid());
        tool.interrupt();
        std::filesystem::remove(path + ".out");
    }
    std::filesystem::remove(path);
    return size;
}

std::string clauses(int count, const std::string& body)
{
    std::string program;
    for (int i = 0; i < count; ++i)
        program += "syscall::openat:entry /pid == " + std::to_string(100000 + i) + "/ { " + body + " }\n";
    return program;
}

/// Returns a script with 1,000 clauses of several statements, each on a line of its own.
std::string long_script()
{
    std::string program;
    for (int i = 0; i < 1000; ++i) {
        program += "syscall::openat:entry\n/pid == " + std::to_string(100000 + i) + "/\n{\n";
        for (int j = 0; j < 3; ++j)
            program += "\tself->a" + std::to_string(j) + " = arg0 + " + std::to_string(i) + ";\n\t@b" +
                       std::to_string(j) + "[execname] = sum(arg2);\n";
        program += "}\n";
    }
    return program;
}

/// Returns a script with one clause for each of the first `count` probes that dtrace -l lists.
std::string many_probes(const std::string& dtrace, int count)
{
    std::string program;
    const std::string list = Tool({dtrace, "-ln", "syscall:::"}).wait().out;
    int made = 0;
    for (std::size_t at = 0; made < count && (at = list.find(" vmlinux ", at)) != std::string::npos; ++at, ++made) {
        char function[64] = "", name[16] = "";
        std::sscanf(list.c_str() + at, " vmlinux %63s %15s", function, name);
        program += std::string("syscall::") + function + ":" + name + " /pid == " + std::to_string(100000 + made) +
                   "/ { @[execname] = count(); printf(\"%s %d\", probefunc, pid); }\n";
    }
    return program;
}

bool print_size(const char* name, int number, const Size& size)
{
    if (size.refusal.empty())
        std::printf("%-34s %6d %9.0f ms %11.0f\n", name, number, size.ms, size.verified);
    else
        std::printf("%-34s %6d   refused: %s\n", name, number, size.refusal.c_str());
    std::fflush(stdout);
    return size.refusal.empty();
}

} // namespace

int run_scale(const std::vector<std::string>& words, const std::string& build)
{
    const std::string dtrace = build + "/dtrace", folder = words.size() == 2 && words[0] == "--svg" ? words[1] : "";
    if (!words.empty() && folder.empty()) {
        std::fprintf(stderr, "usage: bench scale [--svg FOLDER]\n");
        return 2;
    }
    Plot times{.title = "until it traces, by clauses", .unit = "ms", .first = kStep, .last = kMax, .what = "clauses"};
    Plot followed{.title = "instructions that the verifier follows, by clauses",
                  .unit = "",
                  .first = kStep,
                  .last = kMax,
                  .what = "clauses"};
    bool all_load = true;
    std::printf("%-34s %6s %12s %11s\n", "a clause", "of them", "", "verified");
    for (const Body& body : kBodies) {
        PlotLine time{body.name, {}}, instructions{body.name, {}};
        for (int count = kStep; count <= kMax; count += kStep) {
            const Size size = measure_program(dtrace, clauses(count, body.text));
            time.values.push_back(size.ms);
            instructions.values.push_back(size.verified);
            if (count == kMax)
                all_load &= print_size(body.text, count, size);
        }
        times.lines.push_back(std::move(time));
        followed.lines.push_back(std::move(instructions));
    }
    all_load &= print_size("a script of 10,000 lines", 1000, measure_program(dtrace, long_script()));
    all_load &= print_size("a clause each for 500 probes", 500, measure_program(dtrace, many_probes(dtrace, 500)));
    if (!folder.empty()) {
        write_svg(folder + "/scale-time.svg", times);
        write_svg(folder + "/scale-verified.svg", followed);
    }
    return all_load ? 0 : 1;
}

} // namespace dt::bench
