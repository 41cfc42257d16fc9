// Places in a text as editors count them: lines and UTF-16 code units, both from 0.
#pragma once

#include <cstddef>
#include <string_view>

namespace dt::lsp {

struct Position {
    std::size_t line = 0, character = 0;
    bool operator==(const Position&) const = default;
};

/// `text`: UTF-8. A place behind the text is its end.
Position position_of(std::string_view text, std::size_t offset);

/// A character behind the end of its line is that end; a line behind the last is the end of the text.
std::size_t offset_of(std::string_view text, Position position);

} // namespace dt::lsp
