// Validation of CTF containers. libctf trusts its input, so this check must precede it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt {

struct CtfContainer {
    std::string name;       ///< ".ctf" if there is only one
    std::string_view bytes; ///< not validated
};

/// Returns the containers of an archive, or the bytes as a single container. Fails if the archive's table points
/// outside of it or repeats a name.
Result<std::vector<CtfContainer>> split_ctf(std::string_view bytes);

/// Returns the reason why the bytes are not a valid container of format version 3, or nothing if they are valid. In a
/// valid container every offset, length and count stays inside, and no type contains itself. Takes linear time.
std::optional<std::string> find_ctf_fault(std::string_view container);

} // namespace dt
