// Metrics about the trace itself, which a page has in addition to its aggregations.
#pragma once

#include <string>
#include <string_view>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/totals.hpp"

namespace dt::output {

/// Returns the labels of all samples: those of -x labels and, in a service, the script's name. Labels reserved by
/// monitoring systems or used by dtrace_lost_total are left out.
std::string common_labels(const PrintOptions& options, std::string_view script = {});
/// Returns whether all samples may have this label. No key may use its name, because a sample has each label once.
bool is_common_label(const PrintOptions& options, std::string_view label);

/// Appends dtrace_lost_total for each countable cause, and dtrace_weight.
void append_totals(MetricPage& page, const Totals& totals, std::string_view common);

} // namespace dt::output
