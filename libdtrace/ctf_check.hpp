// Is a CTF container what it says it is? To be asked before libctf, which trusts what it reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dt {

/// Why the bytes are no sound container or archive of containers of format version 3; nothing when they are. Sound: every offset, length and
/// count stays inside, and no type contains itself. Cost: linear in the bytes.
std::optional<std::string> find_ctf_fault(std::string_view bytes);

} // namespace dt
