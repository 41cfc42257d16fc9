// The tables and plots of the filter experiments.
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
    double others = 0; ///< CPUs that other processes took meanwhile
};

/// All tables and the links to the plots, in Markdown. `folder`: of the plots, as seen from the text.
std::string markdown(const Measured& all, const std::string& folder);

std::vector<Plot> plots(const Measured& all);

/// The figures for programs: rows as bench --json has them, for bench agree.
std::string json(const Measured& all);

/// Only what is beside LTTng: for one that is not the machine's.
std::string markdown_of_lttng(const Measured& all);

// ---- parts

inline constexpr const char *kCompiled = "compiled C", *kMachine = "eBPF, compiled",
                            *kInterpreted = "eBPF, interpreted", *kChecked = "eBPF, checked",
                            *kBytecode = "stack bytecode", *kNoFilter = "no filter";

std::string number(double value, const char* format = "%.1f");
std::string ratio(double of, double to);
std::string filter_name(const Shape& shape);
const char* name_of(Then then);
/// Of the samples of a round: the lower quartile, as noise of a shared machine only adds.
double figure_of(const std::vector<double>& ns);
/// Adds a round's samples.
void end_round(Series& series, const std::vector<double>& samples);
/// The middle one of its rounds' figures.
double figure_of(const Series& series);
/// Of an evaluator; NaN when there is none of that name.
double figure_of(const std::vector<Series>& series, const std::string& name);
/// The middle one of what rounds say: what makes a round slow does so on both sides, and where code lies is another
/// matter in each.
double ratio_of(const Series& of, const Series& to);
double ratio_of(const std::vector<Series>& series, const std::string& of, const std::string& to);
/// The tables with LTTng beside the rest, or why there are none.
std::string lttng_tables(const Measured& all);
std::vector<Plot> lttng_plots(const Measured& all);

} // namespace dt::bench::filters
