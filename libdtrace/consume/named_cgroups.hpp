// Whether what a program prints needs the names of control groups, and of what is in them.
#pragma once

#include <optional>

#include "dcompiler/object/schema.hpp"

namespace dt::consume {

struct NamedCgroups {
    bool containers = false; ///< also what their runtimes call containers and pods
};

/// Nothing where no group is to be named.
std::optional<NamedCgroups> named_cgroups(const Schema& schema);

} // namespace dt::consume
