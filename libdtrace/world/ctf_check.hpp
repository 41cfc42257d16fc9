// Is a CTF container what it says it is? To be asked before libctf, which trusts what it reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt {

struct CtfContainer {
    std::string name;       ///< ".ctf" where there is but one
    std::string_view bytes; ///< not yet looked at
};

/// The containers of an archive, or the one that the bytes are. Fails when the table of an archive leads out of it,
/// or has a name twice.
Result<std::vector<CtfContainer>> split_ctf(std::string_view bytes);

/// Why the bytes are no sound container of format version 3; nothing when they are. Sound: every offset, length and
/// count stays inside, and no type contains itself. Cost: linear in the bytes.
std::optional<std::string> find_ctf_fault(std::string_view container);

} // namespace dt
