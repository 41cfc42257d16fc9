// What is being typed at the end of a text: the first word of an entry, a part of a probe description, a name in a
// clause, a member of a struct, or a command's operand. Completion looks for names of that kind.
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
    std::string word;                ///< what is to be completed, from its beginning to the cursor
    std::vector<std::string> before; ///< Probe: the parts of the description before the word
    std::string expression;          ///< Member: whose member it is
    std::string
        clause; ///< Member: the clause as far as the statement with the expression, and what closes it, each at its end
    std::string closing;
    Operand operand = Operand::None; ///< of a command
};

/// `text`: what was typed of the entry, up to the cursor.
Context context_of(std::string_view text);

} // namespace dt::shell
