// Determines whether a program prints names of control groups or containers.
#pragma once

#include <optional>

#include "dcompiler/object/schema.hpp"

namespace dt::consume {

struct NamedCgroups {
    bool containers = false; ///< also needs container and pod names from the container runtimes
};

/// Returns nothing if the program names no control groups.
std::optional<NamedCgroups> named_cgroups(const Schema& schema);

} // namespace dt::consume
