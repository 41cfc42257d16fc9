// The runtime's BPF objects, embedded in the binary: packagers cannot strip them and nothing has to be found at run time.
#pragma once

#include <span>

#include "dcompiler/object/emit.hpp"

namespace dt
{

std::span<const RuntimeObject> embedded_runtime();

} // namespace dt
