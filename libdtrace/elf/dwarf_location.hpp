// Compiles DWARF location expressions to locations that a probe can read. An expression is evaluated at compile time as
// far as possible: the result contains only registers, memory and arithmetic that depend on the running process.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dcompiler/interface/plan.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "machine/machine.hpp"

namespace dt {

/// Properties of an ELF file that location expressions refer to: the tables of call frames, and the position of
/// thread-local variables.
class FrameTables {
public:
    /// `path` is the program file. `debug` is its debug information, which may be in another file and must outlive this
    /// object.
    FrameTables(const std::string& path, Dwarf* debug);
    ~FrameTables();
    FrameTables(const FrameTables&) = delete;
    FrameTables& operator=(const FrameTables&) = delete;

    /// Returns the call frame at a link-time address, or null if no table contains it.
    std::unique_ptr<Dwarf_Frame, void (*)(void*)> frame(uint64_t address) const;
    bool is_narrow() const { return is_narrow_; } ///< whether the file contains the code of a 32-bit program
    /// Returns the distance from the thread pointer to the program's thread-local variables, or nothing if it is known
    /// only at run time, as in shared libraries.
    std::optional<int64_t> thread_locals(const machine::Machine& machine) const;

private:
    ElfFile elf_;
    Dwarf_CFI* unwind_ = nullptr; ///< table of .eh_frame
    Dwarf_CFI* debug_ = nullptr;  ///< table of .debug_frame, owned by the debug information
    bool is_narrow_ = false;
};

/// A code position for which location expressions are compiled.
struct CodePosition {
    const machine::Machine& machine;
    const FrameTables& frames;
    Dwarf_Die function; ///< the function (DW_TAG_subprogram) whose code contains the address
    uint64_t address;   ///< link-time address of the instruction
    /// If not null, the position is a call of another function, and registers have their values at this call. The
    /// pointer refers to the position in the called function, where the probe fires.
    const CodePosition* callee = nullptr;
};

struct CompiledLocation {
    VariableLocation location;
    std::string refusal;  ///< reason why a probe cannot read the variable; empty if it can
    bool is_lost = false; ///< whether the variable has no value there at all, because it was optimized away
};

/// Returns the location of a variable or parameter when the instruction at the position is about to be executed.
/// `size` is the size of the variable in bytes, or 0 if it is unknown.
CompiledLocation compile_location(const CodePosition& position, Dwarf_Die variable, uint64_t size);

} // namespace dt
