// Which part of which clause the instructions of a function are of, by the places in the text that they have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "libdtrace/load/program_code.hpp"

namespace dt {

struct CodeOwner {
    enum class Kind : uint8_t {
        Clause,
        Program, ///< what is around the clauses: whether tracing is on, which probe fired
        Runtime, ///< functions that clauses call
    } kind = Kind::Runtime;
    uint32_t part = 0; ///< of a clause: what PartOf says
    bool operator==(const CodeOwner&) const = default;
};

/// The part that has a place; nothing: it is of no clause.
using PartOf = std::function<std::optional<uint32_t>(const CodeLine&)>;

/// How far it reaches is where the next one begins.
struct CodeRange {
    uint64_t address = 0;
    CodeOwner owner;
};

/// By address; the first begins with the function. `is_program`: it is the one that the kernel calls. What has no part
/// of its own (an expression that stands elsewhere) is of the part before it.
std::vector<CodeRange> code_ranges(const CodeFunction& code, bool is_program, const PartOf& part_of);

const CodeOwner& owner_at(std::span<const CodeRange> ranges, uint64_t address);

} // namespace dt
