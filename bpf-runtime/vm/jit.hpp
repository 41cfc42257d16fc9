// A program as machine code of the processor it runs on, or as threaded code where that cannot be (threaded.hpp).
//
// What does not depend on the processor is elsewhere: proof.hpp says which checks are needed, jit_support.hpp makes the
// ones that are not one compare, machine.hpp is the memory that both sides know. A processor adds one file that defines
// compile_native(): jit_x86_64.cpp is the one there is; elsewhere jit_none.cpp says so.
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
    uint32_t context = 0; ///< it must be given as many bytes of context
    bool root = false;    ///< the virtual machine may call it
    /// The same for a function that is nothing but arithmetic, proven accesses, readings and jumps ahead, or null: it
    /// can be called as it is, with the context, because it can neither fail nor loop. It executes `most` instructions
    /// at most, and does not count them.
    uint64_t (*direct)(const void* context, const void* operations) = nullptr;
    const void* operations = nullptr; ///< of threaded code; machine code needs none
    uint32_t most = 0;
};

struct CompiledCode {
    /// Changes from the host's calling convention to the program's and back: R1, R2 and the frame to run in; R0.
    using Enter = uint64_t (*)(Machine*, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end);

    ExecutableMemory memory;
    std::vector<Operation> operations; ///< instead: threaded code
    Enter enter = nullptr;
    std::map<uint32_t, CompiledFunction> functions; ///< by first instruction
};

/// Is there a compiler for this processor?
bool has_compiler();

/// What the code of a virtual machine refers to by address.
struct Surroundings {
    std::vector<uint64_t> sections; ///< the image's data sections
    const Environment* environment = nullptr;
    uint64_t stack_end = 0; ///< of the first frame
};

/// The proof has been run.
Result<std::unique_ptr<CompiledCode>> compile_native(const Image& image, Proof& proof, const Surroundings& around);

} // namespace dt::vm
