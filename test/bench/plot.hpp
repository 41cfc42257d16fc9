// A plot for a page: lines over time, as SVG.
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
    double seconds = 0;      ///< from the first to the last value
    std::vector<PlotLine> lines;
};

void write_svg(const std::string& path, const Plot& plot);

} // namespace dt::bench
