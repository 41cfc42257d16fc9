// Checks that the instruction counts in the tables of docs/filters.md match the current programs.
#include <cstdio>
#include <fstream>
#include <sstream>

#include <sys/utsname.h>

#include "test/bench/filters/attached.hpp"
#include "test/bench/filters/measure.hpp"
#include "test/bench/filters/report.hpp"

namespace dt::bench::filters {

namespace {

std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream stream(line);
    std::string cell;
    for (std::getline(stream, cell, '|'); std::getline(stream, cell, '|');) {
        const auto first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
    return cells;
}

const Shape* shape_called(const std::string& name)
{
    for (const Shape& shape : all_shapes())
        if (filter_name(shape) == name)
            return &shape;
    return nullptr;
}

std::string count_of(const Attached& attached)
{
    return attached.problem.empty() ? std::to_string(instructions(attached.ids)) : attached.problem;
}

/// Compares the instruction counts `c` and `d` in a row of docs/filters.md with the counts of the attached C and D
/// programs. Rows that differ only in their events have the same programs.
bool row_agrees(const std::string& dtrace, const Shape& shape, Then then, const std::string& c, const std::string& d)
{
    const bool lane = then == Then::Lane, record = then != Then::Count;
    const auto hand = attach_by_hand(shape.name + (record ? "_record" : "_count"), lane);
    const auto ours = attach_script(dtrace, script(shape, true, record), lane);
    if (count_of(*hand) == c && count_of(*ours) == d)
        return true;
    std::printf("%s, %s: the table has %s instructions of C and %s of D, today they are %s and %s\n",
                filter_name(shape).c_str(), name_of(then), c.c_str(), d.c_str(), count_of(*hand).c_str(),
                count_of(*ours).c_str());
    return false;
}

} // namespace

std::optional<bool> counts_agree(const std::string& dtrace, const std::string& text)
{
    constexpr std::size_t kColumns = 14;
    utsname kernel{};
    uname(&kernel);
    std::ifstream stream(text);
    const std::string same = "kernel: " + std::string(kernel.release) + " ", compiler = DTRACE_BENCH_BPF_COMPILER;
    bool is_of_this_machine = false, all_right = true;
    int rows = 0;
    for (std::string line; std::getline(stream, line);) {
        // a line that describes the machine on which the following tables were measured
        if (line.find("kernel: ") != std::string::npos)
            is_of_this_machine = line.find(same) != std::string::npos && line.find(compiler) != std::string::npos;
        const auto cells = cells_of(line);
        const Shape* shape = cells.size() >= kColumns ? shape_called(cells[0]) : nullptr;
        if (!is_of_this_machine || !shape || cells[1] != name_of(Bias::AllPass))
            continue;
        for (const Then then : {Then::Count, Then::PerfBuffer, Then::Lane})
            if (cells[2] == name_of(then)) {
                all_right &= row_agrees(dtrace, *shape, then, cells[kColumns - 2], cells[kColumns - 1]);
                rows++;
            }
    }
    if (rows == 0) {
        std::printf("left out: no table was made on Linux %s with %s\n", kernel.release, compiler.c_str());
        return std::nullopt;
    }
    std::printf("%d rows compared\n", rows);
    return all_right;
}

} // namespace dt::bench::filters
