// Compares two JSON results of a benchmark. Each row is an object: some members identify the row, others are measured
// values. The name of a measured value shows whether it is a ratio.
#include "test/bench/agree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include <nlohmann/json.hpp>

#include "test/bench/table.hpp"

namespace dt::bench {

namespace {

constexpr double kUsualPercent = 5;

using Figures = std::map<std::string, double>;

struct OfRows {
    std::size_t rows = 0, near = 0;
};

double value_of(const nlohmann::json& json)
{
    if (json.is_object() && json.contains("median"))
        return value_of(json["median"]);
    return json.is_number() ? json.get<double>() : absent;
}

std::string text_at(const nlohmann::json& row, const char* name)
{
    return row.contains(name) && row[name].is_string() ? row[name].get<std::string>() + ": " : std::string();
}

std::map<std::string, Figures> rows_of(const std::string& text)
{
    std::map<std::string, Figures> rows;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array())
        return rows;
    for (const auto& row : json["rows"]) {
        if (!row.is_object())
            continue;
        Figures figures;
        for (const auto& [name, figure] : row.items())
            if (const double value = value_of(figure); std::isfinite(value))
                figures[name] = value;
        if (!figures.empty())
            rows[text_at(row, "rows") + text_at(row, "what")] = figures;
    }
    return rows;
}

bool is_ratio(const std::string& name)
{
    return name.compare(0, 5, "ratio") == 0;
}

bool are_near(double one, double other, double percent)
{
    const double low = std::min(std::fabs(one), std::fabs(other)), high = std::max(std::fabs(one), std::fabs(other));
    return std::signbit(one) == std::signbit(other) && high <= low * (1 + percent / 100);
}

std::string difference(const std::string& name, double one, double other)
{
    char text[64];
    std::snprintf(text, sizeof text, " (%+.1f %%)", 100 * (other / one - 1));
    return "; " + name + " " + number(one) + ", " + number(other) + text;
}

std::string contents(const std::string& path)
{
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

} // namespace

Agreement agreement_of(const std::string& first, const std::string& second, double percent)
{
    Agreement agreement;
    const auto before = rows_of(first), after = rows_of(second);
    std::string differences;
    std::map<std::string, OfRows> alone;
    for (const auto& [what, figures] : before) {
        const auto again = after.find(what);
        if (again == after.end())
            continue;
        bool ratios = true, all = true;
        std::string apart;
        for (const auto& [name, value] : figures) {
            const auto other = again->second.find(name);
            if (other == again->second.end())
                continue;
            const bool near = are_near(value, other->second, percent);
            if (is_ratio(name)) {
                ++alone[name].rows;
                alone[name].near += near;
            }
            if (near)
                continue;
            all = false;
            ratios &= !is_ratio(name);
            apart += difference(name, value, other->second);
        }
        agreement.rows++;
        agreement.ratios += ratios;
        agreement.figures += all;
        if (!apart.empty())
            differences += (ratios ? "        " : "RATIO   ") + what + apart.substr(2) + "\n";
    }
    agreement.text = differences + "rows in both: " + std::to_string(agreement.rows) + "; ratios within " +
                     number(percent) + " %: " + std::to_string(agreement.ratios) +
                     "; all figures too: " + std::to_string(agreement.figures) +
                     "; 95 of 100 rows agree: " + (agreement.agrees() ? "yes" : "NO") + "\n";
    if (alone.size() > 1)
        for (const auto& [name, of] : alone)
            agreement.text +=
                name + " alone: " + std::to_string(of.near) + " of " + std::to_string(of.rows) + " rows\n";
    return agreement;
}

int run_agree(const std::vector<std::string>& arguments)
{
    if (arguments.size() != 2 && arguments.size() != 3) {
        std::fprintf(stderr, "usage: bench agree FIRST SECOND [PERCENT]\n");
        return 2;
    }
    const double percent = arguments.size() == 3 ? std::strtod(arguments[2].c_str(), nullptr) : kUsualPercent;
    const Agreement agreement = agreement_of(contents(arguments[0]), contents(arguments[1]), percent);
    std::printf("%s", agreement.text.c_str());
    return agreement.rows == 0 ? 2 : agreement.agrees() ? 0 : 1;
}

} // namespace dt::bench
