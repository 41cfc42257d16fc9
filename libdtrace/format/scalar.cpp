// Pads values to the width of their type, independent of the value.
#include "libdtrace/format/scalar.hpp"

#include <algorithm>
#include <span>

#include "libdtrace/format/hexdump.hpp"
#include "libdtrace/format/stack.hpp"

namespace dt::format {

namespace {

constexpr std::size_t kTextColumns = 33;
constexpr std::size_t kKeyColumns = 50;

bool is_integer_size(uint32_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

// Returns the columns after the leading blank: the length of the type's longest value.
unsigned traced_columns(const Datum& datum)
{
    switch (datum.size) {
    case 1:
        return 3;
    case 2:
        return 5;
    case 4:
        return 10;
    default:
        return datum.kind == Datum::Kind::Signed ? 19 : 20;
    }
}

std::span<const uint8_t> bytes_of(const Datum& datum, const uint8_t* data)
{
    return {data + datum.offset, datum.size};
}

void append_number(Text& out, const Datum& datum, const uint8_t* data, unsigned columns)
{
    const int64_t value = load_integer(datum, data);
    if (datum.kind == Datum::Kind::Signed)
        append_signed(out, value, columns);
    else
        append_unsigned(out, static_cast<uint64_t>(value), columns);
}

void append_traced_integer(Text& out, const Environment& env, const Datum& datum, const uint8_t* data)
{
    if (env.options.quiet)
        return append_number(out, datum, data, 0);
    out.append(' ');
    append_number(out, datum, data, traced_columns(datum));
}

void append_traced_text(Text& out, const Environment& env, std::string_view text)
{
    text = shown(env, text);
    if (env.options.quiet) {
        out.append(text);
        return;
    }
    out.append("  ");
    append_left(out, text, kTextColumns);
}

void append_address(Text& out, const Environment& env, std::string_view text)
{
    out.append("  ");
    append_left(out, shown(env, text), kKeyColumns);
}

unsigned columns_of_key(const Datum& integer)
{
    return integer.size == 8 ? 16 : integer.size == 4 ? 8 : integer.size == 2 ? 5 : 3;
}

void append_key_bytes(Text& out, const Environment& env, const Datum& datum, const uint8_t* key)
{
    if (datum.kind == Datum::Kind::Bytes) {
        const auto bytes = bytes_of(datum, key);
        if (env.options.rawbytes || !looks_like_text(bytes))
            append_hexdump(out, bytes);
        else
            append_address(out, env, load_text(bytes.data(), datum.size));
        return;
    }
    const std::string_view text = load_characters(env, datum, key);
    const auto* first = reinterpret_cast<const uint8_t*>(text.data());
    if (!env.options.rawbytes && (looks_like_text({first, text.size()}) || (env.escape && !text.empty())))
        return append_address(out, env, text);
    const std::vector<uint8_t> bytes = raw_bytes(env, datum, key);
    append_hexdump(out,
                   std::span(bytes).first(bytes.size() - (env.options.rawbytes ? 0 : 1))); // keys lack the final NUL
}

} // namespace

std::vector<uint8_t> raw_bytes(const Environment& env, const Datum& datum, const uint8_t* data)
{
    if (!is_text(datum)) {
        const auto bytes = bytes_of(datum, data);
        return {bytes.begin(), bytes.end()};
    }
    const std::string_view text = load_characters(env, datum, data);
    std::vector<uint8_t> bytes(text.begin(), text.end());
    bytes.resize(std::max<std::size_t>(env.strsize, text.size()) + 1);
    return bytes;
}

void append_traced(Text& out, const Environment& env, const Datum& datum, const uint8_t* data)
{
    using Kind = Datum::Kind;
    const bool is_integer = datum.kind == Kind::Signed || datum.kind == Kind::Unsigned;
    if (env.options.rawbytes || datum.kind == Kind::Bytes || (is_integer && !is_integer_size(datum.size))) {
        append_hexdump(out, raw_bytes(env, datum, data));
        return;
    }
    switch (datum.kind) {
    case Kind::Text:
    case Kind::Name:
    case Kind::Cgroup:
        return append_traced_text(out, env, load_characters(env, datum, data));
    case Kind::Stack:
    case Kind::UserStack:
        return append_stack(out, env, datum, data, env.options.stackindent);
    case Kind::Symbol:
    case Kind::UserSymbol:
        return append_address(out, env, symbol_text(env, datum, data));
    default:
        return append_traced_integer(out, env, datum, data);
    }
}

void append_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key)
{
    using Kind = Datum::Kind;
    switch (datum.kind) {
    case Kind::Text:
    case Kind::Name:
    case Kind::Bytes:
        return append_key_bytes(out, env, datum, key);
    case Kind::Cgroup: // always shown as text, and often empty
        return append_address(out, env, load_characters(env, datum, key));
    case Kind::Stack:
    case Kind::UserStack:
        return append_stack(out, env, datum, key, env.options.stackindent);
    case Kind::Symbol:
    case Kind::UserSymbol:
        return append_address(out, env, symbol_text(env, datum, key));
    default:
        break;
    }
    if (!is_integer_size(datum.size))
        return append_hexdump(out, bytes_of(datum, key));
    out.append(' ');
    append_number(out, datum, key, columns_of_key(datum));
}

void append_gone_key(Text& out, const Environment& env, const Datum& datum)
{
    if (datum.kind == Datum::Kind::Stack || datum.kind == Datum::Kind::UserStack) {
        out.append('\n');
        out.fill(' ', env.options.stackindent);
        return out.append(std::string(kGoneKey) + "\n");
    }
    const bool is_integer = datum.kind == Datum::Kind::Signed || datum.kind == Datum::Kind::Unsigned;
    if (!is_integer || !is_integer_size(datum.size))
        return append_address(out, env, kGoneKey);
    out.append(' ');
    append_right(out, kGoneKey, columns_of_key(datum));
}

void append_bare_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key)
{
    using Kind = Datum::Kind;
    switch (datum.kind) {
    case Kind::Text:
    case Kind::Name:
    case Kind::Cgroup:
    case Kind::Bytes:
        return out.append(shown(env, load_characters(env, datum, key)));
    case Kind::Stack:
    case Kind::UserStack:
        return append_stack(out, env, datum, key, env.options.stackindent);
    case Kind::Symbol:
    case Kind::UserSymbol:
        return out.append(shown(env, symbol_text(env, datum, key)));
    default:
        return append_number(out, datum, key, 0);
    }
}

} // namespace dt::format
