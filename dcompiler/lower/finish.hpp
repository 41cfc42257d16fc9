// What is left when all programs are lowered: the rest of the schema, and maps that the consumer expects.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

void finish_schema(ModuleLowering& module);

} // namespace dt::lower
