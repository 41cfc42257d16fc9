// Completion in the shell and the language server. Candidates come from the probe catalogue, the tables of built-ins
// and options, and the program's types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/context.hpp"
#include "cmd/shell/workbench.hpp"

namespace dt::shell {

struct Candidate {
    std::string name;
    char behind = 0; ///< character to append after a unique candidate; 0: none

    bool operator==(const Candidate&) const = default;
};

struct Completion {
    std::string word; ///< the word to complete
    std::vector<Candidate> candidates;
    bool is_file = false; ///< the word is a file name, which the caller must complete
};

/// `text` is the current entry up to the cursor.
Completion complete(Workbench& workbench, std::string_view text);

} // namespace dt::shell
