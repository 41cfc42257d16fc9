// Interface of the compilers, and the memory for machine code. A program becomes machine code of the host's processor,
// or threaded code (threaded.hpp) where machine code is impossible.
//
// Parts that do not depend on the processor: proof.hpp decides which checks are needed, jit.hpp performs checks
// that are longer than one comparison, and vm_state.hpp declares the memory that compiled code and the interpreter
// share. compile_native() is defined once for each processor: in jit_x86_64.cpp, or in jit_none.cpp for processors
// without a compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "engine/program/image.hpp"
#include "engine/program/vm_state.hpp"
#include "engine/vm/proof.hpp"
#include "engine/vm/threaded.hpp"

namespace dt::vm {

/// Memory for machine code. It is first writable and then executable, but never both.
class ExecutableMemory {
public:
    ExecutableMemory() = default;
    ExecutableMemory(ExecutableMemory&& other) noexcept
        : start_(std::exchange(other.start_, nullptr)), size_(other.size_)
    {
    }
    ExecutableMemory& operator=(ExecutableMemory&& other) noexcept
    {
        std::swap(start_, other.start_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~ExecutableMemory();

    /// Copies the code into executable memory. Fails with the system's error if the system forbids new executable
    /// memory.
    static Result<ExecutableMemory> hold(std::span<const uint8_t> code);

    const uint8_t* start() const { return start_; }

private:
    uint8_t* start_ = nullptr;
    std::size_t size_ = 0;
};

struct Environment;

struct CompiledFunction {
    const void* code = nullptr;
    uint32_t context = 0; ///< minimum size in bytes of the context that the caller passes
    bool root = false;    ///< whether no function of the program calls this one, so only the virtual machine calls it
    /// A variant of the function that is called without a stack frame and an instruction budget; null if it does not
    /// exist. It exists only for functions that consist of arithmetic, proven memory accesses, helpers that only read a
    /// value, and forward jumps, because these can neither fail nor loop. It executes at most `most` instructions and
    /// does not count them.
    uint64_t (*direct)(const void* context, const void* operations) = nullptr;
    const void* operations = nullptr; ///< threaded code: the function's first operation; machine code needs none
    uint32_t most = 0;
};

struct CompiledCode {
    /// Function that enters compiled code. It converts the host's calling convention to that of BPF (R1, R2, R10 as the
    /// end of a stack frame) and back. Returns R0.
    using Enter = uint64_t (*)(VmState*, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end);

    ExecutableMemory memory;
    std::vector<Operation> operations; ///< threaded code, if there is no machine code
    Enter enter = nullptr;
    std::map<uint32_t, CompiledFunction> functions; ///< the compiled functions; the keys are their first instructions
};

/// Returns whether there is a compiler for this processor.
bool has_compiler();

/// Addresses that compiled code contains as constants.
struct CompileContext {
    std::vector<uint64_t> sections; ///< addresses of the image's data sections
    const Environment* environment = nullptr;
    uint64_t stack_end = 0; ///< end of the first frame's stack
};

/// Compiles the program to machine code. Call it after proof.run() has succeeded. Fails if there is no compiler for
/// this processor or no executable memory.
Result<std::unique_ptr<CompiledCode>> compile_native(const Image& image, Proof& proof, const CompileContext& around);

// Functions that compiled code calls for work that is too long for inline code. They use the interpreter's own checks,
// so both executors give the same results.

struct HelperEntry;

struct JitSupport {
    /// Checks the memory access of the instruction at `pc`. Returns the host address to access, or null after a
    /// failure.
    static uint8_t* access(VmState* machine, uint64_t address, uint32_t pc) noexcept;
    /// Runs a helper with machine->arguments.
    static uint64_t helper(VmState* machine, const HelperEntry* helper, uint32_t pc) noexcept;
    /// Lets the interpreter report why the instruction at `pc` fails. The registers are stored in `machine`; bit n of
    /// `live` is set if Rn holds a value.
    static void refuse(VmState* machine, uint32_t pc, uint32_t live) noexcept;
    static void over_budget(VmState* machine, uint32_t pc) noexcept;
    /// Marks all stack bytes of the newest frame as unwritten.
    static void clear_frame(VmState* machine) noexcept;
};

} // namespace dt::vm
