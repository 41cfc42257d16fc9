// Comparison of two runs of one benchmark.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench agree FIRST SECOND [PERCENT], which compares two files of --json. Two figures agree if the larger one
/// exceeds the smaller one by at most PERCENT (default: 5). Prints each row with figures that disagree, the number of
/// rows whose ratios agree, and the number of rows whose figures all agree. If rows have several ratios, also prints
/// for each ratio the number of rows in which it agrees. Status 0: the ratios of 95 % of the common rows agree; 1: they
/// do not; 2: a file cannot be read, or the files have no common row.
int run_agree(const std::vector<std::string>& arguments);

/// Result of comparing the texts of two files: the printed text, and whether the ratios agree. If a figure was measured
/// in rounds, its median is compared. A figure that only one file contains is ignored.
struct Agreement {
    std::string text;
    /// rows: number of common rows. ratios: number of rows whose ratios agree. figures: number of rows whose figures
    /// all agree.
    std::size_t rows = 0, ratios = 0, figures = 0;
    bool agrees() const { return rows > 0 && 100 * ratios >= 95 * rows; }
};
Agreement agreement_of(const std::string& first, const std::string& second, double percent);

} // namespace dt::bench
