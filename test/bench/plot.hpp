// SVG line plots over time or over another quantity.
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
    double seconds = 0;      ///< duration from the first to the last value; 0 if the axis is not time
    std::vector<PlotLine> lines{};
    double first = 0, last = 0;
    std::string what{}; ///< label of the axis if it is not time; it ranges from `first` to `last`
};

void write_svg(const std::string& path, const Plot& plot);

} // namespace dt::bench
