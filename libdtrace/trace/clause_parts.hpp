// What clauses consist of for a person who asks what each part of them costs: the description, the predicate, and each
// statement.
//
// Compiled code has the file, line and column of an expression. A one-liner is one line and a statement may be several,
// so an instruction belongs to the part whose expressions have its place.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "dcompiler/sema/program.hpp"
#include "libdtrace/load/program_code.hpp"

namespace dt {

struct ClausePart {
    uint32_t clause = 0; ///< index into ClauseParts::clauses()
    std::string file;
    uint32_t line = 0;
    std::string text; ///< its first line
};

/// Statements that differ in their descriptions only.
struct WholeClause {
    std::vector<uint32_t> statements;
    std::string name; ///< the descriptions as they were given
};

class ClauseParts {
public:
    explicit ClauseParts(const std::deque<Statement>& statements);

    const std::vector<WholeClause>& clauses() const { return clauses_; }
    /// In the order of the text.
    const std::vector<ClausePart>& parts() const { return parts_; }
    /// The index of the part that has this place; nothing: it is of no clause, or of an expression that stands
    /// elsewhere.
    std::optional<uint32_t> find(const CodeLine& place) const;

private:
    using Place = std::tuple<std::string, std::string, uint32_t, uint32_t>; // file, text of the line, line, column

    void add(const Statement& statement);
    void add(const std::vector<TStmt*>& statements);
    uint32_t add_part(const std::vector<Span>& places, const std::string& given = {});
    void add_place(const Span& at, uint32_t part);
    uint32_t line_of(const Span& at);

    std::vector<WholeClause> clauses_;
    std::vector<ClausePart> parts_;
    std::map<Place, uint32_t> by_place_;
    struct {
        const Source* source = nullptr;
        uint32_t offset = 0, line = 1;
    } counted_; ///< up to where lines are counted
};

} // namespace dt
