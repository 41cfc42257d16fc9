// What is to be said when a table of those that grow with the world has reached its bound, and the output is worse by
// it (docs/decisions/32-bounds.md).
#pragma once

#include <vector>

#include "libdtrace/output/messages.hpp"

namespace dt {

class ControlGroups;
class Symbols;
class Unwinder;

/// `unwinder` and `cgroups` may be null.
std::vector<output::Note> bound_notes(const Symbols& symbols, const Unwinder* unwinder, const ControlGroups* cgroups);

} // namespace dt
