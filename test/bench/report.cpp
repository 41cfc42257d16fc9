// Writes the rows of a benchmark run as JSON and as tables in Markdown.
#include "test/bench/report.hpp"

#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

namespace dt::bench {

namespace {

constexpr const char* kCost = "cost";

nlohmann::json value_or_null(double value)
{
    return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
}

nlohmann::json json_of(const Figure& figure)
{
    if (!figure.spread())
        return value_or_null(figure.value);
    return {{"median", figure.value}, {"quartiles", {figure.low, figure.high}}, {"least", figure.least}};
}

std::string cell(const Figure& figure)
{
    if (!figure.there())
        return "–";
    if (!figure.spread())
        return number(figure.value);
    return number(figure.value) + " (" + number(figure.low) + "–" + number(figure.high) + ")";
}

// Returns two cells of a Markdown table: the result (median) and its minimum.
std::string cells(const Figure& figure)
{
    return cell(figure) + " | " + (figure.spread() ? number(figure.least) : "–");
}

// Returns a cell of a Markdown table with this text, in which bars are escaped.
std::string in_table(const std::string& text)
{
    std::string escaped;
    for (const char c : text.substr(text.find_first_not_of(" +")))
        escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return escaped;
}

} // namespace

void Report::begin(const std::string& section)
{
    section_ = section;
}

void Report::add(const Row& row)
{
    print_row(row);
    entries_.push_back({section_, row, {}});
}

void Report::problem(const std::string& what, const std::string& problem)
{
    print_problem(what, problem);
    Row row;
    row.what = what;
    entries_.push_back({section_, row, problem});
}

bool Report::write_json(const std::string& path) const
{
    nlohmann::json machine, rows = nlohmann::json::array();
    for (const auto& [name, value] : machine_)
        machine[name] = value;
    machine["load"] = {load_at_begin_, load()};
    machine["CPUs that others took"] = others_.cpus();
    for (const Entry& entry : entries_) {
        nlohmann::json row{{"rows", entry.section}, {"what", entry.row.what}};
        if (!entry.problem.empty()) {
            row["problem"] = entry.problem;
        } else {
            row.update({{"unit", entry.row.unit},
                        {"dtrace", json_of(entry.row.ours)},
                        {"by hand", json_of(entry.row.hand)},
                        {"bpftrace", json_of(entry.row.bpftrace)},
                        {"ratio to by hand", json_of(ratio_to_hand(entry.row))},
                        {"ratio to bpftrace", json_of(ratio_to_bpftrace(entry.row))},
                        {"by hand as promised", json_of(entry.row.promised)},
                        {"ratio to as promised", json_of(entry.row.of_promised)},
                        {"budget", entry.row.budget},
                        {"verdict", verdict(entry.row)},
                        {"note", entry.row.note}});
        }
        rows.push_back(row);
    }
    std::ofstream stream(path);
    stream << nlohmann::json{{"machine", machine}, {"rows", rows}}.dump(2, ' ', false,
                                                                        nlohmann::json::error_handler_t::replace)
           << '\n';
    return stream.flush().good();
}

std::string Report::machine_in_markdown() const
{
    std::string text;
    for (const auto& [name, value] : machine_)
        text += (text.empty() ? "" : "; ") + name + ": " + value;
    return busy_line(others_.cpus()) + text + "; load at begin and end: " + number(load_at_begin_) + ", " +
           number(load()) + "; CPUs that others took meanwhile: " + number(others_.cpus()) + ".\n\n";
}

std::string Report::promises_in_markdown() const
{
    std::string table;
    for (const Entry& entry : entries_) {
        const Row& row = entry.row;
        if (row.promised.there())
            table += "| " + row.what.substr(0, row.what.find(':')) + " | " + row.promises + " | " +
                     number(row.promised.value - row.hand.value) + " | " + cell(row.promised) + " | " +
                     cell(row.of_promised) + " |\n";
    }
    return table.empty()
               ? table
               : "\nBy hand with what D promises of these rows (`test/bench/cost`, built with `PROMISED`), in "
                 "the same rounds:\n\n| row | D promises | which costs | by hand, as promised | dtrace / that "
                 "|\n|---|---|---|---|---|\n" +
                     table;
}

std::string Report::cost_in_markdown() const
{
    std::string table;
    for (const Entry& entry : entries_) {
        if (entry.section != kCost)
            continue;
        const Row& row = entry.row;
        table += "| " + in_table(row.what) + " | ";
        table += entry.problem.empty() ? cells(row.ours) + " | " + cells(row.hand) + " | " + cells(row.bpftrace) +
                                             " | " + cell(ratio_to_hand(row)) + " | " + cell(ratio_to_bpftrace(row)) +
                                             " | " + verdict(row) + " |\n"
                                       : "could not be measured | | | | | | | | |\n";
    }
    if (table.empty())
        return {};
    return machine_in_markdown() +
           "ns a call over the untraced loop: median (quartiles) and least of the rounds; ratios: median (quartiles) "
           "of those of each round.\n\n" +
           "| row | dtrace | least | by hand | least | bpftrace | least | / by hand | / bpftrace | "
           "|\n|---|---|---|---|---|---|---|---|---|---|\n" +
           table + promises_in_markdown();
}

std::string Report::budgets_in_markdown() const
{
    std::string table;
    for (const Entry& entry : entries_) {
        if (entry.section == kCost)
            continue;
        const Row& row = entry.row;
        const std::string begin = "| " + entry.section + " | " + in_table(row.what) + " | ";
        if (!entry.problem.empty())
            table += begin + "could not be measured | | | | | | | |\n";
        else
            table += begin + row.unit + " | " + cell(row.ours) + " | " + cell(row.hand) + " | " + cell(row.bpftrace) +
                     " | " + cell(ratio_to_hand(row)) + " | " + cell(ratio_to_bpftrace(row)) + " | " + row.budget +
                     " | " + verdict(row) + " |\n";
    }
    if (table.empty())
        return {};
    return machine_in_markdown() +
           "| rows | what | unit | dtrace | by hand | bpftrace | / by hand | / bpftrace | budget | |\n" +
           "|---|---|---|---|---|---|---|---|---|---|\n" + table;
}

bool Report::write_markdown(const std::string& path) const
{
    std::ifstream before(path);
    std::string text(std::istreambuf_iterator<char>(before), {});
    if (const std::string cost = cost_in_markdown(); !cost.empty())
        text = with_part(text, kCost, cost);
    if (const std::string budgets = budgets_in_markdown(); !budgets.empty())
        text = with_part(text, "budgets", budgets);
    std::ofstream stream(path);
    stream << text;
    return stream.flush().good();
}

std::string with_part(const std::string& text, const std::string& name, const std::string& part)
{
    const std::string begin = "<!-- " + name + " begin -->\n", end = "<!-- " + name + " end -->";
    const auto from = text.find(begin), to = text.find(end);
    if (from == std::string::npos || to == std::string::npos || to < from)
        return text + (text.empty() ? "" : "\n") + begin + "\n" + part + "\n" + end + "\n";
    return text.substr(0, from + begin.size()) + "\n" + part + "\n" + text.substr(to);
}

} // namespace dt::bench
