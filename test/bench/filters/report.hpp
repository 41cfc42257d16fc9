// The tables and plots of the filter experiments.
#pragma once

#include <string>
#include <vector>

#include "test/bench/filters/measure.hpp"
#include "test/bench/machine.hpp"

namespace dt::bench::filters {

/// Both tables and the links to the plots, in Markdown. `folder`: of the plots, as seen from the text.
std::string markdown(const Facts& machine, const std::vector<KernelExperiment>& kernel,
                     const std::vector<Experiment>& user, const std::string& folder);

std::vector<Plot> plots(const std::vector<KernelExperiment>& kernel, const std::vector<Experiment>& user);

} // namespace dt::bench::filters
