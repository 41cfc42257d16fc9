// Whether two runs of one bench say the same.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// bench agree FIRST SECOND [PERCENT]: two files of --json, and how far apart figures may be (5). Says of how many rows
/// the ratios, and of how many all figures, are that near to each other, and which are not; near is that the larger is
/// at most so much above the smaller. Where there are several ratios, of how many rows each alone is near. Status 0:
/// the ratios of 95 % of the rows that both have are; 1: they are not; 2: a file cannot be read, or they have no row in
/// common.
int run_agree(const std::vector<std::string>& arguments);

/// The same of the text of two files: what is printed, and whether the ratios agree. Of a figure of rounds the median
/// counts. A figure that only one of them has is none.
struct Agreement {
    std::string text;
    std::size_t rows = 0, ratios = 0, figures = 0; ///< in common; whose ratios are near; whose figures are, too
    bool agrees() const { return rows > 0 && 100 * ratios >= 95 * rows; }
};
Agreement agreement_of(const std::string& first, const std::string& second, double percent);

} // namespace dt::bench
