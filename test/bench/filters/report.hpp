// Tables and plots of the filter experiments.
#pragma once

#include <string>
#include <vector>

#include "test/bench/filters/measure.hpp"
#include "test/bench/machine.hpp"

namespace dt::bench::filters {

struct Measured {
    std::vector<KernelExperiment> kernel;
    std::vector<Experiment> user;
    LttngFigures lttng;
    Facts machine;
    double others = 0; ///< mean number of CPUs that other processes used during the measurement
};

/// Returns all tables and links to the plots, in Markdown. `folder` is the path of the plots relative to the text.
std::string markdown(const Measured& all, const std::string& folder);

std::vector<Plot> plots(const Measured& all);

/// Returns all measured values as rows of the JSON format that bench --json writes, for comparison by bench agree.
std::string json(const Measured& all);

/// Returns only the comparison with LTTng. Used if LTTng is not installed but is in a separate folder.
std::string markdown_of_lttng(const Measured& all);

// ---- helpers

inline constexpr const char *kCompiled = "compiled C", *kMachine = "eBPF, compiled",
                            *kInterpreted = "eBPF, interpreted", *kChecked = "eBPF, checked",
                            *kBytecode = "stack bytecode", *kNoFilter = "no filter";

std::string number(double value, const char* format = "%.1f");
std::string ratio(double of, double to);
std::string filter_name(const Shape& shape);
const char* name_of(Then then);
/// Returns one number for the samples of a round: the lower quartile, because noise on a shared machine only adds time.
double figure_of(const std::vector<double>& ns);
/// Adds the samples of one round to a series.
void end_round(Series& series, const std::vector<double>& samples);
/// Returns the median of a series over all rounds.
double figure_of(const Series& series);
/// Returns the result of the implementation with this name, or NaN if there is none.
double figure_of(const std::vector<Series>& series, const std::string& name);
/// Returns the median of the ratios of all rounds. Both times of a ratio are from the same round: a slow round affects
/// both, and code placement differs between rounds.
double ratio_of(const Series& of, const Series& to);
double ratio_of(const std::vector<Series>& series, const std::string& of, const std::string& to);
/// Returns the tables that compare LTTng with this project's filters, or the reason why they could not be measured.
std::string lttng_tables(const Measured& all);
std::vector<Plot> lttng_plots(const Measured& all);

} // namespace dt::bench::filters
