// Text positions in the editor's units: lines and UTF-16 code units, both from 0.
#pragma once

#include <cstddef>
#include <string_view>

namespace dt::lsp {

struct Position {
    std::size_t line = 0, character = 0;
    bool operator==(const Position&) const = default;
};

/// Converts an offset in UTF-8 text. Offsets beyond the end are treated as the end.
Position position_of(std::string_view text, std::size_t offset);

/// Converts a position to an offset. Positions beyond the end of a line are its end; lines beyond the last are the end
/// of the text.
std::size_t offset_of(std::string_view text, Position position);

} // namespace dt::lsp
