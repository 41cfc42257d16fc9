// Comparison of two runs of one benchmark.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench agree FIRST SECOND [PERCENT], which compares two files of --json. Figures agree if the larger exceeds the
/// smaller by at most PERCENT (5). Prints for how many rows the ratios, and all figures, agree, and which do not. If
/// rows have several ratios, also prints for how many rows each ratio agrees. Status 0: the ratios of 95 % of the
/// common rows agree; 1: they do not; 2: a file cannot be read, or no row is common.
int run_agree(const std::vector<std::string>& arguments);

/// Result of comparing the texts of two files: the printed text, and whether the ratios agree. A figure measured in
/// rounds counts with its median; a figure in only one file is ignored.
struct Agreement {
    std::string text;
    /// Numbers of: common rows; rows whose ratios agree; rows whose figures all agree.
    std::size_t rows = 0, ratios = 0, figures = 0;
    bool agrees() const { return rows > 0 && 100 * ratios >= 95 * rows; }
};
Agreement agreement_of(const std::string& first, const std::string& second, double percent);

} // namespace dt::bench
