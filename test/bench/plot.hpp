// A plot for a page: lines over time or a number, as SVG.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

struct PlotLine {
    std::string name;
    std::vector<double> values; ///< at equal distances
};

struct Plot {
    std::string title, unit; ///< of the values
    double seconds = 0;      ///< from the first to the last value; 0: they are not by time
    std::vector<PlotLine> lines{};
    double first = 0, last = 0;
    std::string what{}; ///< they are by then: from the first to the last of them
};

void write_svg(const std::string& path, const Plot& plot);

} // namespace dt::bench
