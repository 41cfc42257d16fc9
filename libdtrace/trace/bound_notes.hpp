// Notes about internal tables that reached their size limit and made the output worse (docs/decisions/32-bounds.md).
#pragma once

#include <vector>

#include "libdtrace/output/messages.hpp"

namespace dt {

class ControlGroups;
class Symbols;
class Unwinder;

/// Returns the notes at the end of a trace. `unwinder` and `cgroups` may be null.
std::vector<output::Note> bound_notes(const Symbols& symbols, const Unwinder* unwinder, const ControlGroups* cgroups);

} // namespace dt
