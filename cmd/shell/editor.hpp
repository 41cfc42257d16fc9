// A text changed in the user's editor.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt::shell {

/// Runs $VISUAL, $EDITOR or vi on a file with the text, and waits for its end. The result is what the file holds then.
/// The error is complete.
Result<std::string> edit_text(const std::string& text);

} // namespace dt::shell
