// What a probe at the end of something knows of its beginning (AttachPlan::beginning).
#pragma once

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Adds the program that notes where something begins that the group's probes fire at the end of.
void add_beginning_program(ModuleLowering& module, const Group& group);

/// Looks up what was noted, and forgets it; goes to `leave` when nothing was. Returns the SpanWords.
std::vector<ir::Value> end_span(ClauseLowering& l, ir::BlockId leave);

} // namespace dt::lower
