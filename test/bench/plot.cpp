#include "test/bench/plot.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace dt::bench {

namespace {

constexpr int kWidth = 900, kHeight = 360, kMargin = 60, kGrid = 4;
constexpr const char* kColours[] = {"#1f5fa8", "#c0504d", "#4f8f3a", "#8064a2", "#d98c2b", "#2c9aa8"};

std::string axis_number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

} // namespace

void write_svg(const std::string& path, const Plot& plot)
{
    double most = 0;
    for (const PlotLine& line : plot.lines)
        for (const double value : line.values)
            most = std::max(most, value);
    most = most > 0 ? most * 1.1 : 1;
    std::ofstream file(path);
    file << "<svg xmlns='http://www.w3.org/2000/svg' width='" << kWidth << "' height='" << kHeight
         << "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n";
    const auto y_of = [&](double value) { return kHeight - kMargin - value / most * (kHeight - 2 * kMargin); };
    for (int i = 0; i <= kGrid; ++i) {
        const double value = most * i / kGrid;
        file << "<path d='M" << kMargin << ' ' << y_of(value) << 'H' << kWidth - kMargin
             << "' stroke='#ccc'/><text x='4' y='" << y_of(value) + 4 << "'>" << axis_number(value) << ' ' << plot.unit
             << "</text>\n";
    }
    for (std::size_t i = 0; i < plot.lines.size(); ++i) {
        const PlotLine& line = plot.lines[i];
        const char* const colour = kColours[i % std::size(kColours)];
        file << "<polyline fill='none' stroke='" << colour << "' stroke-width='1.5' points='";
        const double step =
            (kWidth - 2.0 * kMargin) / static_cast<double>(std::max<std::size_t>(line.values.size(), 2) - 1);
        for (std::size_t at = 0; at < line.values.size(); ++at)
            file << kMargin + static_cast<double>(at) * step << ',' << y_of(line.values[at]) << ' ';
        file << "'/>\n<text x='" << kMargin + 130 * static_cast<int>(i) << "' y='20' fill='" << colour << "'>"
             << line.name << "</text>\n";
    }
    file << "<text x='" << kMargin << "' y='" << kHeight - 16 << "'>" << plot.title;
    if (plot.what.empty())
        file << ", over " << axis_number(plot.seconds) << " seconds";
    else
        file << ", from " << axis_number(plot.first) << " to " << axis_number(plot.last) << ' ' << plot.what;
    file << "</text>\n</svg>\n";
}

} // namespace dt::bench
