// An event of the Common Trace Format 1.8 under way: its bytes, and what they are, in the format's own language (TSDL).
//
// A reader must know of each event which fields of which types it has, and what is recorded only its record says: a
// clause records under if, bytes are text or are not. So an event describes itself, and those that are described alike
// are of one class.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace dt::output {

/// Text in quotation marks, as TSDL has it.
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
    /// What follows is the event's context, if it has one, and behind it its fields.
    void begin_context() { kind_.append("\tcontext := struct {"); }
    void end_context() { kind_.append(" };\n"); }
    void begin_fields() { kind_.append("\tfields := struct {"); }

    /// `size`: 1, 2, 4 or 8 bytes, which the value's low ones are.
    void number(std::string_view field, uint64_t value, unsigned size, bool is_signed);
    void text(std::string_view field, std::string_view text);
    void bytes(std::string_view field, std::span<const uint8_t> bytes);

    /// Elements follow, by add_text() or add_number() of each member in turn. The number of them is told by
    /// end_sequence().
    void begin_sequence(std::string_view field, std::string_view element);
    void add_text(std::string_view text);
    void add_number(int64_t value) { append_integer(value); }
    void end_sequence(uint32_t elements) { std::memcpy(bytes_.data() + length_, &elements, sizeof elements); }

    /// Behind the fields: name, context and fields, as they stand in a class.
    const std::string& kind() const { return kind_; }
    const std::string& encoded() const { return bytes_; }

private:
    template <typename Integer> void append_integer(Integer value)
    {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }

    std::string kind_, bytes_;
    std::size_t length_ = 0; ///< where the number of elements of the sequence stands
};

} // namespace dt::output
