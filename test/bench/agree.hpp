// Comparison of two runs of one benchmark.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench agree FIRST SECOND [PERCENT], which compares two result files that bench --json wrote. Two measured
/// values agree if the larger one exceeds the smaller one by at most PERCENT (default: 5). Prints the rows with values
/// that disagree, the number of rows whose ratios agree, and the number of rows whose values all agree. If rows have
/// several ratios, also prints for each ratio the number of rows in which it agrees. Status 0: the ratios of 95 % of
/// the common rows agree; 1: they do not; 2: a file cannot be read, or the files have no common row.
int run_agree(const std::vector<std::string>& arguments);

/// Result of comparing the texts of two files: the report to print, and whether the ratios agree. For a value that was
/// measured in several rounds, the medians of the rounds are compared. A value that only one file contains is ignored.
struct Agreement {
    std::string text;
    /// rows: number of rows in both files. ratios: number of rows whose ratios agree. figures: number of rows whose
    /// measured values all agree.
    std::size_t rows = 0, ratios = 0, figures = 0;
    bool agrees() const { return rows > 0 && 100 * ratios >= 95 * rows; }
};
Agreement agreement_of(const std::string& first, const std::string& second, double percent);

} // namespace dt::bench
