// Formats each kind of datum as plain text.
#include "libdtrace/output/plain_text.hpp"

#include "libdtrace/format/hexdump.hpp"
#include "libdtrace/format/stack.hpp"

namespace dt::output {

namespace {

using format::Text;
using PlainKind = Datum::Kind;

void append_frames_plain(Text& out, const format::Environment& env, const Datum& datum, const uint8_t* data)
{
    bool is_first = true;
    format::for_each_frame(env, datum, data, Datum::Address::Exact, [&](std::string_view frame) {
        if (!is_first)
            out.append('\n');
        is_first = false;
        out.append(frame);
    });
}

bool is_plain_number(const Datum& datum)
{
    const bool has_size = datum.size == 1 || datum.size == 2 || datum.size == 4 || datum.size == 8;
    return has_size && (datum.kind == PlainKind::Signed || datum.kind == PlainKind::Unsigned);
}

} // namespace

void append_plain_bytes(Text& out, std::span<const uint8_t> bytes)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    for (const uint8_t byte : bytes) {
        out.append(kDigits[byte >> 4]);
        out.append(kDigits[byte & 15]);
    }
}

void append_plain(Text& out, const format::Environment& env, const Datum& datum, const uint8_t* data)
{
    switch (datum.kind) {
    case PlainKind::Text:
    case PlainKind::Name:
    case PlainKind::Cgroup:
        return out.append(format::load_characters(env, datum, data));
    case PlainKind::Stack:
    case PlainKind::UserStack:
        return append_frames_plain(out, env, datum, data);
    case PlainKind::Symbol:
    case PlainKind::UserSymbol:
        return out.append(format::symbol_text(env, datum, data));
    case PlainKind::Signed:
    case PlainKind::Unsigned:
    case PlainKind::Bytes:
        break;
    }
    if (is_plain_number(datum)) {
        const int64_t number = format::load_integer(datum, data);
        return datum.kind == PlainKind::Signed ? format::append_signed(out, number)
                                               : format::append_unsigned(out, static_cast<uint64_t>(number));
    }
    const std::span<const uint8_t> bytes(data + datum.offset, datum.size);
    if (format::looks_like_text(bytes))
        return out.append(format::load_text(bytes.data(), datum.size));
    append_plain_bytes(out, bytes);
}

} // namespace dt::output
