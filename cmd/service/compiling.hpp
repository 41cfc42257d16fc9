// Scripts are compiled by a child of the service, which hands over what the kernel is to load.
//
// To compile takes ten times the memory of what comes out of it: types of the kernel, its symbols, trees, code. Pieces
// of that lie between what stays, and each reload leaves some. In a child it goes with the child; and a fault of the
// compiler costs one script its start, and the others nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dcompiler/object/packed.hpp"
#include "libdtrace/elf/confined_reader.hpp"
#include "libdtrace/elf/foreign_files.hpp"

namespace dt::service {

struct Surroundings; // member.hpp

/// What became of a text.
struct Compiled {
    enum class What : uint8_t {
        Packed,
        Refused,
        NotHere
    } what = What::NotHere; ///< NotHere: only the service itself can
    std::string text;       ///< Packed: the program (dcompiler/object/packed.hpp); Refused: the whole error
    std::vector<ForeignFiles::Refused> unread;
};

class CompilerProcess {
public:
    /// It is the service as it is when the first text comes: one more question finds what those before it found. Takes
    /// as long as compiling does, and a minute at most.
    Compiled compile(const Surroundings& around, const TypedProgram& typed);
    /// Nothing more is to be compiled for long, or what it knows of the machine has become wrong.
    void end() { process_.reset(); }

private:
    std::unique_ptr<ConfinedReader> process_;
};

/// Why it could not be compiled; empty: it does not say. `added`: whether its text was good.
std::string error_of(Trace& trace, bool added, const Result<void>& compiled);

} // namespace dt::service
