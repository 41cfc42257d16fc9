// Attributes each instruction of a function to a part of a clause, by the instruction's source location. The second
// half of the file divides clauses into the parts whose cost is reported.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/annotate/program_code.hpp"

namespace dt {

struct CodeOwner {
    enum class Kind : uint8_t {
        Clause,
        Program, ///< code outside of the clauses, which checks whether tracing is active and selects the probe
        Runtime, ///< code of functions that clauses call, such as runtime functions
    } kind = Kind::Runtime;
    uint32_t part = 0; ///< if the kind is Clause: index of the part, as PartOf returns it
    bool operator==(const CodeOwner&) const = default;
};

/// Returns the part that contains a source location, or nothing if the location belongs to no clause.
using PartOf = std::function<std::optional<uint32_t>(const CodeLine&)>;

/// A range of code. It ends where the next range starts.
struct CodeRange {
    uint64_t address = 0;
    CodeOwner owner;
};

/// Divides a function's code into ranges that each belong to one part of a clause, sorted by address. The first range
/// starts with the function. `is_program` is true for the function that the kernel calls. Code that belongs to no part,
/// for example an expression from another file, is counted for the preceding part.
std::vector<CodeRange> code_ranges(const CodeFunction& code, bool is_program, const PartOf& part_of);

const CodeOwner& owner_at(std::span<const CodeRange> ranges, uint64_t address);

// Divides clauses into the parts whose cost is shown to the user: the probe descriptions, the predicate, and each
// statement.
//
// Compiled code records the file, line and column of expressions. A line can contain a whole program, and a statement
// can span several lines, so a line number does not identify a part. Therefore an instruction is attributed to the part
// that contains an expression with its location.

struct ClausePart {
    uint32_t clause = 0; ///< index of the clause in ClauseParts::clauses()
    std::string file;
    uint32_t line = 0;
    std::string text; ///< text of the part, up to the end of its first line
};

/// A clause of the source text, with the ids of its statements. The statements differ only in their probe descriptions.
struct SourceClause {
    std::vector<uint32_t> statements;
    std::string name; ///< the clause's probe descriptions, as written in the program
};

class ClauseParts {
public:
    explicit ClauseParts(const std::deque<Statement>& statements);

    const std::vector<SourceClause>& clauses() const { return clauses_; }
    /// Returns the parts of all clauses (predicates and statements) in the order of the source text.
    const std::vector<ClausePart>& parts() const { return parts_; }
    /// Returns the index of the part that contains this location. Returns nothing if the location belongs to no clause,
    /// or to an expression that is defined outside of clauses.
    std::optional<uint32_t> find(const CodeLine& place) const;

private:
    // A source location: file, text of the line, line number, column.
    using LinePosition = std::tuple<std::string, std::string, uint32_t, uint32_t>;

    void add(const Statement& statement);
    void add(const std::vector<TStmt*>& statements);
    uint32_t add_part(const std::vector<Span>& places, const std::string& given = {});
    void add_place(const Span& at, uint32_t part);
    uint32_t line_of(const Span& at);

    std::vector<SourceClause> clauses_;
    std::vector<ClausePart> parts_;
    std::map<LinePosition, uint32_t> by_place_;
    struct {
        const Source* source = nullptr;
        uint32_t offset = 0, line = 1;
    } counted_; ///< offset of a position in the text `source`, and the line number of this position
};

} // namespace dt
