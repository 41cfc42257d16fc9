// What a page of metrics says of a trace beside its aggregations.
#pragma once

#include <string>
#include <string_view>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/totals.hpp"

namespace dt::output {

/// Those of -x labels, and in a service the script's name, as all samples have them. Labels that systems of metrics, or
/// dtrace_lost_total, have for themselves are left out.
std::string common_labels(const PrintOptions& options, std::string_view script = {});
/// Whether all samples may have it: then no key is called so, for a sample has a label once.
bool is_common_label(const PrintOptions& options, std::string_view label);

/// dtrace_lost_total, for each cause that is counted here, and dtrace_weight.
void append_totals(MetricPage& page, const Totals& totals, std::string_view common);

} // namespace dt::output
