// Attributes the instructions of a function to parts of clauses, by their source locations.
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
        Program, ///< code around the clauses: checks whether tracing is active, selects the probe
        Runtime, ///< functions that clauses call
    } kind = Kind::Runtime;
    uint32_t part = 0; ///< for clauses: index of the part, from PartOf
    bool operator==(const CodeOwner&) const = default;
};

/// Returns the part that has a source location, or nothing if it belongs to no clause.
using PartOf = std::function<std::optional<uint32_t>(const CodeLine&)>;

/// A range of code that extends to the start of the next one.
struct CodeRange {
    uint64_t address = 0;
    CodeOwner owner;
};

/// Returns the ranges of a function by address; the first one starts with the function. `is_program` marks the function
/// that the kernel calls. Code without a part (an expression defined elsewhere) belongs to the preceding part.
std::vector<CodeRange> code_ranges(const CodeFunction& code, bool is_program, const PartOf& part_of);

const CodeOwner& owner_at(std::span<const CodeRange> ranges, uint64_t address);

} // namespace dt
