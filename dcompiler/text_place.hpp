// Where an offset is in a program text, as a person counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dcompiler/diagnostics.hpp"

namespace dt {

/// The text line that holds an offset. Span::line may be that of a later token (the classic rule), so it is counted
/// here.
struct TextPlace {
    std::string_view text;
    std::size_t column = 0; ///< from 0
    uint32_t line = 1;
};

TextPlace find_place(const Source& source, std::size_t offset);

/// What a message calls the text that a place is in.
std::string file_name(const Span& at);

} // namespace dt
