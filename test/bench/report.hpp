// The report: rows are printed as they come, and kept to be written as JSON and Markdown at the end.
#pragma once

#include <string>
#include <vector>

#include "test/bench/machine.hpp"
#include "test/bench/table.hpp"

namespace dt::bench {

class Report {
public:
    explicit Report(Facts machine) : machine_(std::move(machine)), load_at_begin_(load()) {}

    /// Rows that follow belong to this set of rows.
    void begin(const std::string& section);
    void add(const Row& row);
    void problem(const std::string& what, const std::string& problem);

    /// All of it as one object; false when it cannot be written.
    bool write_json(const std::string& path) const;
    /// Tables in parts of the file, between <!-- NAME begin --> and <!-- NAME end -->: "cost" for the cost table,
    /// "budgets" for all else. A part that has no rows is left as it is; one that the file lacks is added to its end.
    bool write_markdown(const std::string& path) const;

private:
    struct Entry {
        std::string section;
        Row row;
        std::string problem;
    };
    std::string machine_in_markdown() const;
    std::string cost_in_markdown() const;
    std::string promises_in_markdown() const;
    std::string budgets_in_markdown() const;

    Facts machine_;
    double load_at_begin_;
    Others others_;
    std::string section_;
    std::vector<Entry> entries_;
};

/// The text with what is between the marks of that name replaced.
std::string with_part(const std::string& text, const std::string& name, const std::string& part);

} // namespace dt::bench
