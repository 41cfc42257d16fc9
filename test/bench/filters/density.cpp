// Draws the distributions of measured times per event as kernel density estimates (SVG).
#include "test/bench/filters/density.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace dt::bench::filters {

namespace {

constexpr double kWidth = 720, kLeft = 20, kRight = 20, kTop = 62, kPanel = 96, kGap = 26, kBottom = 40;
constexpr int kPoints = 300; // number of points at which a curve is computed
constexpr const char* kColours[] = {"#8a8f98", "#2f9e44", "#1c7ed6", "#e8590c", "#ae3ec9", "#d6336c"};

// Logarithmic axis (base 10).
struct Axis {
    double from, to;
    double x(double log) const { return kLeft + (log - from) / (to - from) * (kWidth - kLeft - kRight); }
};

__attribute__((format(printf, 1, 2))) std::string format(const char* text, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, text);
    std::vsnprintf(line, sizeof line, text, arguments);
    va_end(arguments);
    return line;
}

// Returns the logarithms of the samples. Leaves out the rare long samples during which another task used the processor,
// because they would take most of the axis.
std::vector<double> logs_of(const Series& series)
{
    std::vector<double> logs;
    const double most = quantile(series.ns, 0.97);
    for (const double ns : series.ns)
        if (ns > 0 && ns <= most)
            logs.push_back(std::log10(ns));
    return logs;
}

Axis axis_of(const Plot& plot)
{
    Axis axis{HUGE_VAL, -HUGE_VAL};
    for (const Panel& panel : plot.panels)
        for (const Series& series : panel.series)
            for (const double log : logs_of(series)) {
                axis.from = std::min(axis.from, log);
                axis.to = std::max(axis.to, log);
            }
    if (axis.from > axis.to)
        return {0, 1};
    return {axis.from - 0.08, axis.to + 0.08};
}

// Returns the bandwidth by Silverman's rule, with a lower limit at the visible resolution.
double bandwidth(const std::vector<double>& logs, const Axis& axis)
{
    double mean = 0, square = 0;
    for (const double log : logs)
        mean += log / static_cast<double>(logs.size());
    for (const double log : logs)
        square += (log - mean) * (log - mean) / static_cast<double>(logs.size());
    return std::max(1.06 * std::sqrt(square) * std::pow(static_cast<double>(logs.size()), -0.2),
                    1.5 * (axis.to - axis.from) / kPoints);
}

// Returns the visible points of a density curve as a closed area. All curves are scaled to the same height, because
// only their position and width matter.
std::string curve(const std::vector<double>& logs, const Axis& axis, double ground, const char* colour)
{
    const double width = bandwidth(logs, axis);
    std::vector<double> heights(kPoints + 1);
    for (int i = 0; i <= kPoints; i++)
        for (const double log : logs) {
            const double distance = (axis.from + (axis.to - axis.from) * i / kPoints - log) / width;
            heights[static_cast<std::size_t>(i)] += std::exp(-distance * distance / 2);
        }
    const double highest = *std::max_element(heights.begin(), heights.end());
    std::string path;
    double last = 0;
    for (int i = 0; i <= kPoints; i++) {
        const double part = heights[static_cast<std::size_t>(i)] / highest;
        if (part < 0.004)
            continue;
        last = kLeft + (kWidth - kLeft - kRight) * i / kPoints;
        path += path.empty() ? format("M%.0f %.0f", last, ground) : "";
        path += format("L%.1f %.1f", last, ground - part * (kPanel - 14));
    }
    path += format("L%.0f %.0fZ", last, ground);
    return format("<path fill='%s' stroke='%s' d='", colour, colour) + path + "'/>\n";
}

std::string ticks(const Axis& axis, double top, double bottom)
{
    std::string out;
    for (int decade = static_cast<int>(std::floor(axis.from)); decade <= axis.to; decade++)
        for (const int digit : {1, 2, 5}) {
            const double value = digit * std::pow(10, decade), log = std::log10(value);
            if (log < axis.from || log > axis.to)
                continue;
            const double x = axis.x(log);
            out += format("<line class='g' x1='%.1f' x2='%.1f' y1='%.0f' y2='%.0f'/>", x, x, top, bottom);
            out += format("<text x='%.1f' y='%.0f' text-anchor='middle'>%g</text>\n", x, bottom + 14, value);
        }
    return out;
}

constexpr char kStyle[] =
    "<style>text{font:12px sans-serif;fill:#333}.t{font-size:15px;font-weight:bold}.g{stroke:#ccc}.a{stroke:#888}"
    "path{fill-opacity:.25;stroke-width:1.5}.b{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.g{stroke:#444}.b{fill:#16181c}}</style>\n";

std::string legend(const Plot& plot)
{
    std::string out;
    double x = kLeft;
    for (std::size_t i = 0; !plot.panels.empty() && i < plot.panels[0].series.size(); i++) {
        const std::string& name = plot.panels[0].series[i].name;
        out += format("<rect x='%.0f' y='34' width='10' height='10' fill='%s'/><text x='%.0f' y='43'>%s</text>\n", x,
                      kColours[i % std::size(kColours)], x + 14, name.c_str());
        x += 28 + 7.0 * static_cast<double>(name.size());
    }
    return out;
}

} // namespace

double quantile(std::vector<double> samples, double part)
{
    if (samples.empty())
        return NAN;
    const auto at = samples.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(samples.size() - 1));
    std::nth_element(samples.begin(), at, samples.end());
    return *at;
}

std::string svg(const Plot& plot)
{
    const double bottom = kTop + static_cast<double>(plot.panels.size()) * (kPanel + kGap), height = bottom + kBottom;
    const Axis axis = axis_of(plot);
    std::string out =
        format("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' role='img'>\n", kWidth, height) +
        "<title>" + plot.title + "</title>\n" + kStyle;
    out += format("<rect class='b' width='%.0f' height='%.0f'/>", kWidth, height);
    out += format("<text class='t' x='%.0f' y='20'>", kLeft) + plot.title + "</text>\n" + legend(plot);
    out += ticks(axis, kTop, bottom);
    double ground = kTop;
    for (const Panel& panel : plot.panels) {
        ground += kPanel + kGap;
        out +=
            format("<line class='a' x1='%.0f' x2='%.0f' y1='%.0f' y2='%.0f'/>", kLeft, kWidth - kRight, ground, ground);
        out += format("<text x='%.0f' y='%.0f'>", kLeft, ground - kPanel - 4) + panel.title + "</text>\n";
        for (std::size_t i = 0; i < panel.series.size(); i++)
            if (const auto logs = logs_of(panel.series[i]); !logs.empty())
                out += curve(logs, axis, ground, kColours[i % std::size(kColours)]);
    }
    return out + format("<text x='%.0f' y='%.0f' text-anchor='end'>ns an event</text>\n</svg>\n", kWidth - kRight,
                        height - 6);
}

} // namespace dt::bench::filters
