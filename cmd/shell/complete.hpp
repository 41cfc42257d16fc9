// Completion in the shell and the language server. Candidates come from the probe catalogue, the tables of built-ins
// and options, and the program's types.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

// Position of the cursor, which determines the names that can complete the word. The cursor is in one of these: the
// first word of an entry, a part of a probe description, a name in a clause, a member of a struct, or the operand of a
// command.

enum class Operand : uint8_t { None, Probe, Type, Option, File, Topic, Number };

struct Context {
    enum class Kind : uint8_t { Nothing, FirstWord, Probe, Name, Member, Aggregation, Operand, Option };
    Kind kind = Kind::Nothing;
    std::string word;                ///< the part of the word being completed that precedes the cursor
    std::vector<std::string> before; ///< for Probe: the parts of the probe description that precede the word
    std::string expression;          ///< for Member: the expression whose member is being typed
    /// for Member: the clause up to the statement that contains the expression, and the braces that close the clause
    std::string clause;
    std::string closing;
    Operand operand = Operand::None; ///< kind of names that the command takes as operand
};

/// `text` is what the user has typed of the current entry, up to the cursor.
Context context_of(std::string_view text);

struct Candidate {
    std::string name;
    char behind = 0; ///< character to append if there is only one candidate; 0: none, or several candidates

    bool operator==(const Candidate&) const = default;
};

struct Completion {
    std::string word; ///< the word to complete, which the caller replaces by a candidate
    std::vector<Candidate> candidates;
    bool is_file = false; ///< whether the word is a file name, which the caller must complete
};

/// `text` is what the user has typed of the current entry, up to the cursor.
Completion complete(Workbench& workbench, std::string_view text);

// Finds types of expressions by compiling the program with an additional statement. So completion and the command
// `type` know all that the compiler knows: probe arguments, variables, translators, kernel types.

/// The surroundings of an expression: the text before its statement, and the text that closes its clause.
struct ExpressionContext {
    std::string before = "BEGIN {";
    std::string after = "}";
};

/// Calls `use` with the type, which is valid during the call. Returns false if the expression has errors in that
/// context.
bool with_type(Workbench& workbench, const ExpressionContext& place, const std::string& expression,
               const std::function<void(const Type*)>& use);

/// Returns the names of a struct's members, also of its anonymous structs. For a pointer, returns the members of the
/// struct to which it points.
std::vector<std::string> member_names(const Type* type);

/// Returns a type's definition with one member or enumerator per line.
std::string describe(const Type* type);

/// Calls `use` with a type. `name` is the name of a type ("struct file", "file", "psinfo_t") or an expression. Returns
/// false if it is neither.
bool with_named_type(Workbench& workbench, const std::string& name, const std::function<void(const Type*)>& use);

} // namespace dt::shell
