// What a page of metrics says of a trace beside its aggregations.
#pragma once

#include <string>
#include <string_view>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/totals.hpp"

namespace dt::output {

/// Those of -x labels, as all samples have them.
std::string common_labels(const PrintOptions& options);

/// dtrace_lost_total, for each cause that is counted here, and dtrace_weight.
void append_totals(MetricPage& page, const Totals& totals, std::string_view common);

} // namespace dt::output
