// Report of a benchmark: prints each row when it is measured, and writes all rows as JSON and Markdown at the end.
#pragma once

#include <string>
#include <vector>

#include "test/bench/machine.hpp"
#include "test/bench/table.hpp"

namespace dt::bench {

class Report {
public:
    explicit Report(Facts machine) : machine_(std::move(machine)), load_at_begin_(load()) {}

    /// Starts a set of rows with this name, such as "cost" for the cost table.
    void begin(const std::string& section);
    void add(const Row& row);
    void problem(const std::string& what, const std::string& problem);

    /// Writes all rows and the machine's description as one JSON object. Returns false if that fails.
    bool write_json(const std::string& path) const;
    /// Writes tables into sections of the file, between <!-- NAME begin --> and <!-- NAME end -->: "cost" for the cost
    /// table, "budgets" for all others. Sections without rows are unchanged; missing sections are appended.
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

/// Returns the document `text`, with the content of its section `name` replaced by `part`.
std::string with_part(const std::string& text, const std::string& name, const std::string& part);

} // namespace dt::bench
