// Values that the statements of a function share and that are computed once.
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

/// Returns the arguments of a system call to read after the kind of program is known.
std::set<uint32_t> shared_arguments(std::span<const Planned> planned);

/// Looks up the elements of aggregations without keys, and stores them in context.unkeyed. Must be called at the
/// beginning of the function.
void share_unkeyed(Context& context, std::span<const Planned> planned);

} // namespace dt::lower
