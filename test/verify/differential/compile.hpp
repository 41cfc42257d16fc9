// The object of a generated program: compiled where it runs, or on another machine before, where that takes a tenth of
// the time that an emulated one needs for it.
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

/// Compiles a program for this machine, against a frozen world, at this level of the optimizer. The error is the
/// compiler's first.
Result<Object> compile(const Program& program, uint64_t level);

/// Objects in a file, in the order in which they are asked for.
class ObjectWriter {
public:
    /// Of programs for `machine`. A file that cannot be written fails in add().
    ObjectWriter(const std::string& path, const machine::Machine& machine)
        : file_(path, std::ios::binary), machine_(machine)
    {
    }
    /// Compiles a program at this level of the optimizer and writes it.
    Result<void> add(const Program& program, uint64_t level);

private:
    std::ofstream file_;
    const machine::Machine& machine_;
};

class ObjectReader {
public:
    explicit ObjectReader(const std::string& path) : file_(path, std::ios::binary) {}
    /// The next object, which must be that program's at that level. Until the next call.
    Result<const Object*> next(const Program& program, uint64_t level);

private:
    std::ifstream file_;
    std::unique_ptr<PackedProgram> last_;
};

} // namespace dt::differential
