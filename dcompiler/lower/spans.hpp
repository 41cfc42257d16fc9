// Data that a probe at the end of an activity has about the beginning (AttachPlan::beginning).
#pragma once

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Adds the program that records the beginning of activities at whose end the group's probes fire.
void add_beginning_program(ModuleLowering& module, const Group& group);

/// Return value, at the beginning, of a program called at both ends that does not want the end. It is ignored at the
/// end.
inline constexpr int64_t kNotAtReturn = 1;

/// Handles both ends in one program. At the beginning it records the datum and returns, or goes to `leave`; at the end
/// it continues. Yields the SpanWords; this kind of program keeps no times.
std::vector<ir::Value> either_end(Context& context, const Group& group, ir::BlockId leave);

/// Looks up and removes the record of the beginning. Goes to `leave` if there is none. Yields the SpanWords.
std::vector<ir::Value> end_span(ClauseLowering& l, ir::BlockId leave);

} // namespace dt::lower
