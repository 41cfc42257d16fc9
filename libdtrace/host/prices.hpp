// What the kernel takes for a firing before the program begins and after it ends: the trap of a probe, the call of a
// tracepoint, the way back. No program can time that itself.
//
// It is measured with probes of our own on a child of our own, once for each kind of hook and boot, and kept: what the
// child's calls take with a trace, less what they take without, less what the program says it took. Both take turns
// several times: how much that differs is kept with it. A price that differed much is measured again by those who ask
// for it next. Beside a thread that is busy on the same core both are some tenths dearer, so there is a second price
// for that (docs/decisions/81-prices-follow-the-core.md).
#pragma once

#include <map>
#include <set>

#include "dcompiler/plan.hpp"
#include "libdtrace/output/costs.hpp"

namespace dt {

/// Ns a firing, of those kinds that a trace has, as far as they can be measured here, and of those that this kernel has
/// in their place. `governed`: with -x maxcost, under which each firing also pays for being counted. Takes some tenths
/// of a second for each that was not measured since the machine booted. `soon`: what was measured at all is taken as it
/// is, and after four tenths of a second a round of one child for each has to do; who asks without it measures that
/// properly. The calling process forks.
std::map<HookKind, output::OutsidePrice> outside_prices(std::set<HookKind> kinds, bool governed = false,
                                                        bool soon = false);

} // namespace dt
