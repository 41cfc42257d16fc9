// Encodes integers in the byte order of this machine, which the trace's metadata states. All fields are byte-aligned.
#include "libdtrace/output/ctf_event.hpp"

namespace dt::output {

void append_tsdl_string(std::string& out, std::string_view text)
{
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    out += '"';
}

void CtfEvent::number(std::string_view field, uint64_t value, unsigned size, bool is_signed)
{
    kind_.append(is_signed ? " int" : " uint").append(std::to_string(size * 8)).append("_t ").append(field).append(";");
    switch (size) {
    case 1:
        return append_integer(static_cast<uint8_t>(value));
    case 2:
        return append_integer(static_cast<uint16_t>(value));
    case 4:
        return append_integer(static_cast<uint32_t>(value));
    default:
        return append_integer(value);
    }
}

void CtfEvent::text(std::string_view field, std::string_view text)
{
    kind_.append(" string ").append(field).append(";");
    add_text(text);
}

/// Ends the text with a NUL.
void CtfEvent::add_text(std::string_view text)
{
    bytes_.append(text.substr(0, text.find('\0')));
    bytes_ += '\0';
}

void CtfEvent::bytes(std::string_view field, std::span<const uint8_t> bytes)
{
    begin_sequence(field, "uint8_t");
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    end_sequence(static_cast<uint32_t>(bytes.size()));
}

/// Names the length field like LTTng does, because readers ignore one leading underscore.
void CtfEvent::begin_sequence(std::string_view field, std::string_view element)
{
    const std::string length = "__" + std::string(field) + "_length";
    kind_.append(" uint32_t ").append(length).append("; ").append(element).append(" ").append(field);
    kind_.append("[").append(length).append("];");
    length_ = bytes_.size();
    append_integer(uint32_t{0});
}

} // namespace dt::output
