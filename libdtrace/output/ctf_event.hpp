// Builder of one event of the Common Trace Format 1.8: its bytes, and their description in the format's own language
// (TSDL).
//
// CTF needs the fields and types of every event class, but only a record itself shows them: a clause may record inside
// if, and bytes may be text or binary. So each event carries its own description, and events with equal descriptions
// share a class.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace dt::output {

/// Appends the text as a quoted TSDL string.
void append_tsdl_string(std::string& out, std::string_view text);

class CtfEvent {
public:
    void begin(std::string_view name)
    {
        kind_.clear();
        append_tsdl_string(kind_, name);
        kind_.append(";\n");
        bytes_.clear();
    }
    /// The calls that follow add the event's context, if it has one, and then its fields.
    void begin_context() { kind_.append("\tcontext := struct {"); }
    void end_context() { kind_.append(" };\n"); }
    void begin_fields() { kind_.append("\tfields := struct {"); }

    /// Appends the low `size` bytes of the value; `size` is 1, 2, 4 or 8.
    void number(std::string_view field, uint64_t value, unsigned size, bool is_signed);
    void text(std::string_view field, std::string_view text);
    void bytes(std::string_view field, std::span<const uint8_t> bytes);

    /// Begins a sequence. The caller adds each member of each element with add_text() or add_number(), and passes the
    /// number of elements to end_sequence().
    void begin_sequence(std::string_view field, std::string_view element);
    void add_text(std::string_view text);
    void add_number(int64_t value) { append_integer(value); }
    void end_sequence(uint32_t elements) { std::memcpy(bytes_.data() + length_, &elements, sizeof elements); }

    /// Returns the TSDL description after all fields were added: name, context and fields of the event class.
    const std::string& kind() const { return kind_; }
    const std::string& encoded() const { return bytes_; }

private:
    template <typename Integer> void append_integer(Integer value)
    {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }

    std::string kind_, bytes_;
    std::size_t length_ = 0; ///< offset of the current sequence's length in `bytes_`
};

} // namespace dt::output
