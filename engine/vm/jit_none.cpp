// Replaces the compiler on processors that have none: compile_native() fails, so threaded code is used.
#include "engine/vm/jit.hpp"

namespace dt::vm {

bool has_compiler()
{
    return false;
}

Result<std::unique_ptr<CompiledCode>> compile_native(const Image&, Proof&, const CompileContext&)
{
    return Error{"there is no compiler for this processor"};
}

} // namespace dt::vm
