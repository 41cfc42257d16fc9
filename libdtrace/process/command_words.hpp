// The words of a command line, as a shell would take them: quotes and backslashes, and nothing else of a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt {

struct CommandWords {
    std::vector<std::string> words;
    std::string shell_only; ///< the first word or character, outside quotes, that means more to a shell (| > && * $ …);
                            ///< empty: there is none
};

/// White space separates; '…' is taken as it is, in "…" a backslash escapes $ ` " and \, elsewhere anything. Error: a
/// quote that is not closed.
Result<CommandWords> command_words(std::string_view text);

} // namespace dt
