// Transport of the Language Server Protocol (LSP 3.17, Base Protocol): header lines that end in CR LF, an empty line,
// and JSON of Content-Length bytes.
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
        std::string text; ///< JSON text, or the error in the header if Malformed
    };

    static constexpr std::size_t kMostBytes = 16 << 20; ///< limit of a message; a longer one ends the connection

    /// The caller keeps the descriptors.
    Channel(int in, int out) : in_(in), out_(out) {}

    /// Blocks until a message arrives.
    Incoming read();
    /// Returns whether more input is pending, so that a current request may be outdated.
    bool has_more() const;
    /// Returns false if the reader has gone.
    bool write(std::string_view json);

private:
    bool fill();

    const int in_, out_;
    std::string buffered_;
};

} // namespace dt::lsp
