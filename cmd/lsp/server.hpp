// Transport and text positions of the Language Server Protocol (LSP 3.17, Base Protocol). A message consists of header
// lines that end in CR LF, an empty line, and JSON of Content-Length bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dt::lsp {

class Channel {
public:
    enum class Kind : uint8_t { Message, End, Malformed };
    struct Incoming {
        Kind kind = Kind::End;
        std::string text; ///< for a valid message: its JSON text; for Malformed: the error in the header
    };

    /// maximum size of a message in bytes; a longer message ends the connection
    static constexpr std::size_t kMaxBytes = 16 << 20;

    /// The channel does not close the descriptors.
    Channel(int in, int out) : in_(in), out_(out) {}

    /// Blocks until a message arrives.
    Incoming read();
    /// Returns whether more input is pending. If so, the present request may already be outdated.
    bool has_more() const;
    /// Writes a message. Returns false if the editor no longer reads.
    bool write(std::string_view json);

private:
    bool fill();

    const int in_, out_;
    std::string buffered_;
};

/// Text positions in the editor's units: lines and UTF-16 code units, both from 0.
struct Position {
    std::size_t line = 0, character = 0;
    bool operator==(const Position&) const = default;
};

/// Converts an offset in UTF-8 text to a position (line and column). An offset beyond the end counts as the end.
Position position_of(std::string_view text, std::size_t offset);

/// Converts a position (line and column) to an offset. A column beyond the end of its line counts as the end of the
/// line; a line beyond the last one counts as the end of the text.
std::size_t offset_of(std::string_view text, Position position);

} // namespace dt::lsp
