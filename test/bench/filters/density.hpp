// Density plots as SVG: time per event by evaluator, on a logarithmic axis.
#pragma once

#include <string>
#include <vector>

namespace dt::bench::filters {

struct Series {
    std::string name;
    std::vector<double> ns;     ///< one sample for each window of events
    std::vector<double> rounds; ///< the figure that each round reports (report.hpp); NaN if a round has no figure
};

/// Coordinate system with the densities of several evaluators for the same events.
struct Panel {
    std::string title;
    std::vector<Series> series;
};

struct Plot {
    std::string file, title; ///< name of the SVG file without folder and extension
    std::vector<Panel> panels;
};

/// Returns a self-contained SVG of some kilobytes per panel; text and axes follow the reader's light or dark scheme. A
/// series has the same name and colour in all panels; the names come from the first panel.
std::string svg(const Plot& plot);

/// Returns the quantile `part` of the samples; NaN if there are none.
double quantile(std::vector<double> samples, double part);

} // namespace dt::bench::filters
