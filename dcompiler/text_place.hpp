// Converts an offset in a program text to line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dcompiler/diagnostics.hpp"

namespace dt {

/// The text line that contains an offset. Span::line may be that of a later token (the classic rule), so lines are
/// counted here.
struct TextPlace {
    std::string_view text;
    std::size_t column = 0; ///< counted from 0
    uint32_t line = 1;
};

TextPlace find_place(const Source& source, std::size_t offset);

/// Returns the name of the text in messages.
std::string file_name(const Span& at);

} // namespace dt
