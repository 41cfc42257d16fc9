// Density plots as SVG: time per event for each implementation of a filter, on a logarithmic axis.
#pragma once

#include <string>
#include <vector>

namespace dt::bench::filters {

struct Series {
    std::string name;
    /// one sample, in ns per event, for each window: a short sequence of events that is timed as a whole
    std::vector<double> ns;
    std::vector<double> rounds; ///< result of each round (report.hpp); NaN if a round has none
};

/// Part of a plot with its own axes: the densities of several filter implementations for the same events.
struct Panel {
    std::string title;
    std::vector<Series> series;
};

struct Plot {
    std::string file, title; ///< name of the SVG file without folder and extension
    std::vector<Panel> panels;
};

/// Returns a self-contained SVG with one diagram per panel, some kilobytes each. Text and axes follow the reader's
/// light or dark color scheme. A series has the same name and color in all panels; the names come from the first panel.
std::string svg(const Plot& plot);

/// Returns the quantile of the samples at the fraction `part` (0 to 1); NaN if there are no samples.
double quantile(std::vector<double> samples, double part);

} // namespace dt::bench::filters
