// Syntactic context of the cursor: the first word of an entry, a part of a probe description, a name in a clause, a
// struct member, or a command's operand. It determines the kind of names for completion.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::shell {

enum class Operand : uint8_t { None, Probe, Type, Option, File, Topic, Number };

struct Context {
    enum class Kind : uint8_t { Nothing, FirstWord, Probe, Name, Member, Aggregation, Operand, Option };
    Kind kind = Kind::Nothing;
    std::string word;                ///< the word to complete, up to the cursor
    std::vector<std::string> before; ///< Probe: parts of the description before the word
    std::string expression;          ///< Member: expression whose member is typed
    std::string clause; ///< Member: the clause before the expression's statement, and the braces that close it
    std::string closing;
    Operand operand = Operand::None; ///< kind of the command's operand
};

/// `text` is the current entry up to the cursor.
Context context_of(std::string_view text);

} // namespace dt::shell
