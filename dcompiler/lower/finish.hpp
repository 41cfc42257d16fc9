// Completes the schema and the maps that the consumer expects, after all programs are lowered.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

void finish_schema(ModuleLowering& module);

} // namespace dt::lower
