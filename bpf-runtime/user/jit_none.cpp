// A processor without a compiler: the interpreter serves.
#include "bpf-runtime/user/jit.hpp"

namespace dt::user {

bool has_compiler()
{
    return false;
}

Result<std::unique_ptr<CompiledCode>> compile_native(const Image&, Proof&, const Surroundings&)
{
    return Error{"there is no compiler for this processor"};
}

} // namespace dt::user
