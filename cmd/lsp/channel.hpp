// Messages of the Language Server Protocol: a head of lines that end in CR LF, of which Content-Length counts, an empty
// line, and as many bytes of JSON (LSP 3.17, Base Protocol).
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
        std::string text; ///< JSON; Malformed: what is wrong with the head
    };

    static constexpr std::size_t kMostBytes = 16 << 20; ///< of a message: a longer one ends the connection

    /// Descriptors stay the caller's.
    Channel(int in, int out) : in_(in), out_(out) {}

    /// Waits for a message.
    Incoming read();
    /// More has come already: what a message asks for may be out of date.
    bool has_more() const;
    /// False: nobody reads any more.
    bool write(std::string_view json);

private:
    bool fill();

    const int in_, out_;
    std::string buffered_;
};

} // namespace dt::lsp
