// Checks that the D program and the C program of each row of the cost table count the same number of firings.
#include "test/bench/check.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <sys/syscall.h>
#include <unistd.h>

#include "test/bench/cost_row.hpp"
#include "test/bench/hand.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr unsigned long long kCalls = 3000;
constexpr const char* kCheckedCall = "sched_get_priority_max";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

// Replaces the traced system call in the text of a program: both its name and its number.
std::string at_checked_call(const std::string& text)
{
    return replaced(replaced(text, "getppid", kCheckedCall), "== 110", "== " + std::to_string(checked_call()));
}

// Returns the number at the end of a line of output. In a line of a bpftrace histogram, this is the number before the
// bar. Returns 0 if there is no number.
unsigned long long shown_at_end(std::string line)
{
    if (!line.empty() && line.back() == '|')
        line.resize(line.find('|'));
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    const auto begin = line.find_last_not_of("0123456789");
    const bool alone = begin == std::string::npos || line[begin] == ' ';
    return alone ? std::strtoull(line.c_str() + (begin == std::string::npos ? 0 : begin + 1), nullptr, 10) : 0;
}

unsigned long long total_of(const std::string& output, const std::string& total)
{
    unsigned long long sum = 0, lines_shown = 0;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        lines_shown += !line.empty() && line.compare(0, 9, "Attaching") != 0;
        sum += shown_at_end(line);
    }
    return total == "sum" ? sum : lines_shown;
}

unsigned long long by_hand(const Bench& bench, const CostRow& row, const std::string& object, std::string& problem)
{
    Hand hand(HandObject{object});
    problem = hand.problem();
    if (!problem.empty())
        return 0;
    if (Tool({bench.self, "--loop", std::to_string(checked_call()), std::to_string(kCalls)}).wait().status != 0)
        problem = "the loop failed";
    hand.detach();
    return row.total == "sum" ? hand.sum() : row.total == "elements" ? hand.elements() : hand.records();
}

unsigned long long by_tool(const std::vector<std::string>& words, const CostRow& row, std::string& problem)
{
    const Usage usage = Tool(words).wait();
    problem = usage.status == 0 ? std::string() : usage.err;
    return total_of(usage.out, row.total);
}

bool agrees(const CostRow& row, const char* who, unsigned long long total, const std::string& problem)
{
    const unsigned long long wanted = row.total == "elements" ? 1 : row.each * kCalls;
    if (problem.empty() && total == wanted)
        return true;
    std::printf("%s, %s: %llu instead of %llu %s\n", row.name.c_str(), who, total, wanted, problem.c_str());
    return false;
}

} // namespace

long checked_call()
{
    return SYS_sched_get_priority_max;
}

int check_cost_rows(const Bench& bench, bool peers)
{
    if (const std::string problem = Hand("empty").problem(); !problem.empty()) {
        std::printf("skipped: %s\n", problem.c_str());
        return 77;
    }
    // Names the program by its path in /proc, because -c splits its argument at blanks, and the real path may contain
    // blanks.
    const std::string program = "/proc/" + std::to_string(getpid()) + "/exe --loop " + std::to_string(checked_call()) +
                                " " + std::to_string(kCalls);
    bool all = true;
    std::size_t rows = 0;
    for (const CostRow& row : cost_rows()) {
        std::string problem;
        const auto hand = by_hand(bench, row, row.object_for_check, problem);
        all &= agrees(row, "by hand", hand, problem);
        if (!row.promises.empty()) {
            const auto promised = by_hand(bench, row, row.promised_for_check, problem);
            all &= agrees(row, "by hand as promised", promised, problem);
        }
        const auto ours =
            by_tool({bench.dtrace, "-qn", at_checked_call(row.script + row.check), "-c", program}, row, problem);
        all &= agrees(row, "dtrace", ours, problem);
        if (peers && bench.bpftrace) {
            const auto theirs = by_tool({"bpftrace", "-e", at_checked_call(row.bpftrace), "-c", program}, row, problem);
            all &= agrees(row, "bpftrace", theirs, problem);
        }
        rows++;
    }
    std::printf("%zu rows of the cost table checked over %llu calls\n", rows, kCalls);
    return all ? 0 : 1;
}

} // namespace dt::bench
