// Reads the rows of the cost table from the scripts and programs in the folder cost/.
#include "test/bench/cost_row.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace dt::bench {

namespace {

std::string read_file(const std::filesystem::path& path)
{
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

void read_heading(CostRow& row)
{
    std::istringstream lines(row.script);
    for (std::string line; std::getline(lines, line) && line != " */";) {
        const auto colon = line.find(':');
        if (line.compare(0, 3, " * ") != 0 || colon == std::string::npos)
            continue;
        const std::string key = line.substr(3, colon - 3), value = trimmed(line.substr(colon + 1));
        if (key == "what")
            row.what = value;
        else if (key == "total")
            row.total = value;
        else if (key == "each")
            row.each = std::strtoull(value.c_str(), nullptr, 10);
        else if (key == "check")
            row.check = value;
        else if (key == "promises")
            row.promises = value;
    }
}

} // namespace

std::vector<CostRow> cost_rows()
{
    std::vector<CostRow> rows;
    const std::string objects = DTRACE_BENCH_COST_OBJECTS;
    for (const auto& entry : std::filesystem::directory_iterator(DTRACE_BENCH_COST)) {
        if (entry.path().extension() != ".d")
            continue;
        CostRow row;
        row.name = entry.path().stem().string();
        row.script_path = entry.path().string();
        row.bpftrace_path = std::filesystem::path(entry.path()).replace_extension(".bt").string();
        row.script = read_file(row.script_path);
        row.bpftrace = read_file(row.bpftrace_path);
        row.object = objects + "/" + row.name + ".o";
        row.object_for_check = objects + "/" + row.name + "_check.o";
        row.promised = objects + "/" + row.name + "_promised.o";
        row.promised_for_check = objects + "/" + row.name + "_promised_check.o";
        read_heading(row);
        rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [](const CostRow& a, const CostRow& b) { return a.name < b.name; });
    return rows;
}

std::string in_one_line(const CostRow& row)
{
    std::string text;
    std::istringstream lines(row.script.substr(row.script.find("*/\n") + 3));
    for (std::string line; std::getline(lines, line);)
        if (line.compare(0, 1, "#") != 0)
            text += (text.empty() ? "" : " ") + line;
    return text;
}

} // namespace dt::bench
