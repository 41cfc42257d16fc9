// Density plots as SVG: how long an event took, by evaluator, on a logarithmic axis.
#pragma once

#include <string>
#include <vector>

namespace dt::bench::filters {

struct Series {
    std::string name;
    std::vector<double> ns;     ///< a sample a window of events
    std::vector<double> rounds; ///< of each round of windows its figure (report.hpp); NaN where there is none
};

/// One coordinate system: the densities of several evaluators on the same events.
struct Panel {
    std::string title;
    std::vector<Series> series;
};

struct Plot {
    std::string file, title; ///< the file's name without folder and ending
    std::vector<Panel> panels;
};

/// Self-contained, some kilobytes a panel; text and axes follow the reader's light or dark scheme. A panel's series are
/// told apart by the first panel's names: each has the same colour throughout.
std::string svg(const Plot& plot);

/// The value below which `part` of the samples are; NaN when there are none.
double quantile(std::vector<double> samples, double part);

} // namespace dt::bench::filters
