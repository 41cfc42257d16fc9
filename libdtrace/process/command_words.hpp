// Splits a command line into words with a shell's quotes and backslashes, and no other shell syntax.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt {

struct CommandWords {
    std::vector<std::string> words;
    std::string
        shell_only; ///< first unquoted word or character that only a shell interprets (| > && * $ …); empty if none
};

/// Splits at white space. '…' is literal; in "…" a backslash escapes $ ` " and \, elsewhere any character. Fails if a
/// quote is not closed.
Result<CommandWords> command_words(std::string_view text);

} // namespace dt
