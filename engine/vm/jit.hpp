// Interface of the compilers: a program as machine code of the host's processor, or as threaded code (threaded.hpp)
// where machine code is impossible.
//
// Parts that do not depend on the processor: proof.hpp decides which checks are needed, jit_support.hpp performs checks
// that are longer than one comparison, and machine.hpp is the memory used by both sides. compile_native() is defined
// once for each processor: in jit_x86_64.cpp, or in jit_none.cpp for processors without a compiler.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "bpf-runtime/vm/executable_memory.hpp"
#include "bpf-runtime/vm/image.hpp"
#include "bpf-runtime/vm/machine.hpp"
#include "bpf-runtime/vm/proof.hpp"
#include "bpf-runtime/vm/threaded.hpp"

namespace dt::vm {

struct Environment;

struct CompiledFunction {
    const void* code = nullptr;
    uint32_t context = 0; ///< bytes of context that the caller must provide
    bool root = false;    ///< the virtual machine may call it
    /// A variant of the function for calls without frame and budget, or null. It exists if the function consists only
    /// of arithmetic, proven accesses, readings and forward jumps, and so can neither fail nor loop. It executes at
    /// most `most` instructions and does not count them.
    uint64_t (*direct)(const void* context, const void* operations) = nullptr;
    const void* operations = nullptr; ///< for threaded code; machine code needs none
    uint32_t most = 0;
};

struct CompiledCode {
    /// Converts from the host's calling convention to the program's (R1, R2, and the frame to run in) and back. Returns
    /// R0.
    using Enter = uint64_t (*)(Machine*, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end);

    ExecutableMemory memory;
    std::vector<Operation> operations; ///< threaded code, if there is no machine code
    Enter enter = nullptr;
    std::map<uint32_t, CompiledFunction> functions; ///< by first instruction
};

/// Returns whether there is a compiler for this processor.
bool has_compiler();

/// Addresses that compiled code contains as constants.
struct Surroundings {
    std::vector<uint64_t> sections; ///< the image's data sections
    const Environment* environment = nullptr;
    uint64_t stack_end = 0; ///< of the first frame
};

/// Compiles the program to machine code; proof.run() must have succeeded. Fails if that is impossible here.
Result<std::unique_ptr<CompiledCode>> compile_native(const Image& image, Proof& proof, const Surroundings& around);

} // namespace dt::vm
