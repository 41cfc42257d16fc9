// What a probe at the end of something knows of its beginning (AttachPlan::beginning).
#pragma once

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Adds the program that notes where something begins that the group's probes fire at the end of.
void add_beginning_program(ModuleLowering& module, const Group& group);

/// What a program that gets both ends answers at the beginning when it does not want the end, too. At the end nobody
/// asks.
inline constexpr int64_t kNotAtReturn = 1;

/// In such a program: at the beginning notes it and is done, or goes to `leave`; at the end goes on. Returns the
/// SpanWords; times are not kept.
std::vector<ir::Value> either_end(Context& context, const Group& group, ir::BlockId leave);

/// Looks up what was noted, and forgets it; goes to `leave` when nothing was. Returns the SpanWords.
std::vector<ir::Value> end_span(ClauseLowering& l, ir::BlockId leave);

} // namespace dt::lower
