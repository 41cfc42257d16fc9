// Line plots as SVG, over time or over another quantity.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

struct PlotLine {
    std::string name;
    std::vector<double> values; ///< values of the line, at equal distances on the horizontal axis
};

struct Plot {
    std::string title, unit; ///< unit of the values
    /// time from the first to the last value in seconds; 0 if the horizontal axis does not show time
    double seconds = 0;
    std::vector<PlotLine> lines{};
    double first = 0, last = 0;
    /// label of the horizontal axis if it does not show time; the axis ranges from `first` to `last`
    std::string what{};
};

void write_svg(const std::string& path, const Plot& plot);

} // namespace dt::bench
