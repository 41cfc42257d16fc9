// Compiles generated programs, either on the machine where they run or in advance on another machine: compiling on an
// emulated machine takes ten times as long.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "dcompiler/object/packed.hpp"
#include "machine/machine.hpp"
#include "test/verify/differential/program.hpp"

namespace dt::differential {

/// Compiles a program for this machine, with fixed kernel data (the frozen World) and at this level of the optimizer.
/// On failure returns the compiler's first error.
Result<Object> compile(const Program& program, uint64_t level);

/// Writes compiled objects to a file. They must be read in the order of writing.
class ObjectWriter {
public:
    /// Compiles for the machine `machine`; if `for_oldest` is true, for the oldest supported kernel. If the file cannot
    /// be written, add() fails.
    ObjectWriter(const std::string& path, const machine::Machine& machine, bool for_oldest)
        : file_(path, std::ios::binary), machine_(machine), for_oldest_(for_oldest)
    {
    }
    /// Compiles a program at this level of the optimizer and writes it.
    Result<void> add(const Program& program, uint64_t level);

private:
    std::ofstream file_;
    const machine::Machine& machine_;
    bool for_oldest_;
};

class ObjectReader {
public:
    explicit ObjectReader(const std::string& path) : file_(path, std::ios::binary) {}
    /// Reads the next object from the file. It must be the object of this program at this optimizer level. The object
    /// is valid until the next call.
    Result<const Object*> next(const Program& program, uint64_t level);

private:
    std::ifstream file_;
    std::unique_ptr<PackedProgram> last_;
};

} // namespace dt::differential
