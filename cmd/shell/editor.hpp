// Editing of text in the user's editor.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt::shell {

/// Runs $VISUAL, $EDITOR or vi on a file with the text and waits for it. Returns the new content. The error message is
/// complete.
Result<std::string> edit_text(const std::string& text);

} // namespace dt::shell
