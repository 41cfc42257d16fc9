// What the statements of one function have in common, found once for all of them.
#pragma once

#include <set>
#include <span>

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

struct Planned {
    GroupStatement use;
    Needs needs;
};

/// Arguments of a system call to read where it is found out which kind of program calls.
std::set<uint32_t> shared_arguments(std::span<const Planned> planned);

/// Looks up what aggregations without keys are in: context.unkeyed. For the beginning of the function.
void share_unkeyed(Context& context, std::span<const Planned> planned);

} // namespace dt::lower
