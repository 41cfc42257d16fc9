// Transfer of variable locations from the process that parses an untrusted file to the tracer.
#pragma once

#include "base/packed_bytes.hpp"
#include "dcompiler/interface/plan.hpp"

namespace dt {

void serialize_location(const VariableLocation& location, PackedWriter& out);
/// Reads a location. Marks the data as invalid if the location contains anything that serialize_location() never writes
/// for a variable of a process, such as a word outside of the saved registers.
VariableLocation read_location(PackedReader& in);

} // namespace dt
