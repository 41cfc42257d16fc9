// What may stand where something is being typed: from the catalogue of probes, the tables of built-ins and options, and
// the types of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/context.hpp"
#include "cmd/shell/workbench.hpp"

namespace dt::shell {

struct Candidate {
    std::string name;
    char behind = 0; ///< what follows it when it is the only one; 0: nothing

    bool operator==(const Candidate&) const = default;
};

struct Completion {
    std::string word; ///< what they complete
    std::vector<Candidate> candidates;
    bool is_file = false; ///< names of files, which are somebody else's to find
};

/// `text`: what was typed of the entry, up to the cursor.
Completion complete(Workbench& workbench, std::string_view text);

} // namespace dt::shell
