// Prints values without a format: for trace(), padded to the width of their type; for print(), member by member; and as
// plain text for table cells and for fields of machine-readable output.
#include "libdtrace/format/print.hpp"

#include <algorithm>
#include <cstring>

#include "libdtrace/format/printf.hpp"
#include "libdtrace/format/stack.hpp"

namespace dt::format {

namespace {

constexpr std::size_t kTextColumns = 33;
constexpr std::size_t kKeyColumns = 50;

bool is_integer_size(uint32_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

// Returns the width in columns to which trace() pads a value, without the leading blank: the length of the longest
// value of its type.
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
    // Strings in aggregation keys are stored without a final NUL.
    append_hexdump(out, std::span(bytes).first(bytes.size() - (env.options.rawbytes ? 0 : 1)));
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
    case Kind::Converted:
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
    case Kind::Cgroup: // the name of a control group is printed as text even if it is empty
    case Kind::Converted:
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

void append_expired_key(Text& out, const Environment& env, const Datum& datum)
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
    case Kind::Converted:
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

// Prints an object for print(): walks its type and prints member by member.

namespace {

constexpr std::size_t kIndent = 44;
constexpr unsigned kDeepestValue = 10;

bool all_zero(std::span<const uint8_t> bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

// Returns the type's name in D source, without "userland", for the cast before a value.
std::string cast_text(const Type* type)
{
    const Type* plain = type->resolve();
    if (plain->name.empty() && plain->kind == TypeKind::Struct && type == plain)
        return "struct";
    if (plain->name.empty() && plain->kind == TypeKind::Union && type == plain)
        return "union";
    return to_string(type);
}

// Prints one object. `depth` is the nesting level; lines are indented accordingly.
class Printer {
public:
    Printer(Text& out, std::span<const uint8_t> bytes, bool escape) : out_(out), bytes_(bytes), escape_(escape) {}

    // Prints a value of the object. `offset` is in bits from the start of the object; `bit_size` is 0 unless it is a
    // bit-field.
    void value(const Type* type, uint64_t offset, uint32_t bit_size, unsigned depth)
    {
        const Type* plain = type->resolve();
        const uint64_t end = (offset + (bit_size != 0 ? bit_size : plain->size * 8) + 7) / 8;
        const bool scalar = plain->is_scalar() || plain->kind == TypeKind::Float;
        if (scalar && end > bytes_.size())
            return ellipsis();
        switch (plain->kind) {
        case TypeKind::Struct:
        case TypeKind::Union:
            return record(type, offset, depth);
        case TypeKind::Array:
            return array(type, offset, depth);
        case TypeKind::Enum:
            return enumeration(type, offset, bit_size);
        case TypeKind::Pointer:
            cast(type);
            out_.append("0x");
            append_hex(out_, bits(offset, static_cast<uint32_t>(plain->size * 8)));
            return out_.append(",\n");
        case TypeKind::String:
            cast(type);
            out_.append('"');
            append_characters(text(offset));
            return out_.append("\",\n");
        case TypeKind::Float:
            cast(type);
            append_floating(out_, recorded(offset, plain->size));
            return out_.append(",\n");
        default:
            return integer(type, offset, bit_size);
        }
    }

    void indent(unsigned depth) { out_.fill(' ', kIndent + depth); }

private:
    void ellipsis() { out_.append("...\n"); }

    void cast(const Type* type)
    {
        out_.append('(');
        out_.append(cast_text(type));
        out_.append(')');
    }

    uint64_t bits(uint64_t offset, uint32_t count) const
    {
        uint64_t value = 0;
        for (uint32_t i = 0; i < count && i < 64; ++i) {
            const uint64_t at = offset + i;
            value |= uint64_t{(bytes_[at / 8] >> (at % 8)) & 1u} << i;
        }
        return value;
    }

    /// Returns the string at an offset, up to its NUL or to the end of the recorded bytes.
    std::string_view text(uint64_t offset) const
    {
        const auto recorded = bytes_.subspan(std::min<uint64_t>(offset / 8, bytes_.size()));
        const auto* first = reinterpret_cast<const char*>(recorded.data());
        return {first, ::strnlen(first, recorded.size())};
    }

    std::span<const uint8_t> recorded(uint64_t offset, uint64_t size) const
    {
        const uint64_t first = std::min<uint64_t>(offset / 8, bytes_.size());
        return bytes_.subspan(first, std::min<uint64_t>(size, bytes_.size() - first));
    }

    void record(const Type* type, uint64_t offset, unsigned depth)
    {
        const Type* plain = type->resolve();
        cast(type);
        out_.append(" {\n");
        if (depth >= kDeepestValue) {
            indent(depth + 1);
            ellipsis();
        } else {
            for (const Member& member : plain->members())
                if (!print_member(member, offset, depth + 1))
                    break;
        }
        indent(depth);
        out_.append(depth == 0 ? "}\n" : "},\n");
    }

    // Prints a member. Returns false if the remaining bytes of the object were not recorded.
    bool print_member(const Member& member, uint64_t record_offset, unsigned depth)
    {
        const uint64_t offset = record_offset + member.bit_offset;
        const uint64_t size = member.type->resolve()->size;
        const uint64_t size_bits = member.bit_size != 0 ? member.bit_size : size * 8;
        if (offset / 8 >= bytes_.size() && size_bits != 0) {
            indent(depth);
            ellipsis();
            return false;
        }
        const bool fits = (offset + size_bits + 7) / 8 <= bytes_.size();
        const bool is_zero = member.bit_size != 0 ? fits && bits(offset, member.bit_size) == 0
                                                  : fits && all_zero(recorded(offset, size));
        if (is_zero)
            return true;
        indent(depth);
        if (!member.name.empty()) {
            out_.append('.');
            out_.append(member.name);
            out_.append(" = ");
        }
        value(member.type, offset, member.bit_size, depth);
        return true;
    }

    void array(const Type* type, uint64_t offset, unsigned depth)
    {
        const Type* plain = type->resolve();
        const Type* element = plain->target;
        const uint64_t element_size = element->resolve()->size;
        cast(type);
        if (plain->count == 0)
            return out_.append(" [],\n");
        out_.append(" [\n");
        const bool is_text = element->resolve()->is_char;
        // index of the element after the last printed one; if the next line is for this element, it needs no "[index]"
        uint64_t next = 0;
        for (uint64_t i = 0; i < plain->count; ++i) {
            const uint64_t at = offset + i * element_size * 8;
            const auto bytes = recorded(at, element_size);
            if (bytes.size() < element_size || depth >= kDeepestValue) {
                indent(depth + 1);
                ellipsis();
                break;
            }
            if (is_text && bytes[0] == 0)
                break;
            if (!is_text && all_zero(bytes))
                continue;
            indent(depth + 1);
            if (i != next) { // elements before this one were skipped, so the line begins with the index
                out_.append('[');
                append_unsigned(out_, i);
                out_.append("] = ");
            }
            next = i + 1;
            value(element, at, 0, depth + 1);
        }
        indent(depth);
        out_.append("],\n");
    }

    void enumeration(const Type* type, uint64_t offset, uint32_t bit_size)
    {
        const Type* plain = type->resolve();
        const int64_t number = signed_value(plain, offset, bit_size);
        cast(type);
        for (const Enumerator& enumerator : plain->enumerators()) {
            if (enumerator.value == number) {
                out_.append(enumerator.name);
                return out_.append(",\n");
            }
        }
        append_signed(out_, number);
        out_.append(",\n");
    }

    int64_t signed_value(const Type* plain, uint64_t offset, uint32_t bit_size) const
    {
        const auto count = bit_size != 0 ? bit_size : static_cast<uint32_t>(std::min<uint64_t>(plain->size * 8, 64));
        uint64_t value = bits(offset, count);
        if (plain->is_signed && count < 64 && count > 0 && (value >> (count - 1)) & 1)
            value |= ~uint64_t{0} << count;
        return static_cast<int64_t>(value);
    }

    void integer(const Type* type, uint64_t offset, uint32_t bit_size)
    {
        const Type* plain = type->resolve();
        cast(type);
        const uint64_t count = bit_size != 0 ? bit_size : plain->size * 8;
        if (count > 64 || plain->kind != TypeKind::Integer) {
            out_.append("?(");
            append_unsigned(out_, count);
            return out_.append(" bit value),\n");
        }
        const int64_t number = signed_value(plain, offset, bit_size);
        if (plain->is_char && bit_size == 0) {
            append_character_literal(out_, static_cast<char>(number));
        } else if (plain->is_signed) {
            append_signed(out_, number);
        } else {
            append_unsigned(out_, static_cast<uint64_t>(number));
        }
        out_.append(",\n");
    }

    void append_characters(std::string_view text) { escape_ ? append_visible(out_, text) : out_.append(text); }

    Text& out_;
    std::span<const uint8_t> bytes_;
    bool escape_;
};

} // namespace

void append_printed(Text& out, std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes,
                    bool escape)
{
    if (pointer) {
        out.append("0x");
        append_hex(out, *pointer);
        out.append(" = *\n");
        if (!type)
            return;
        Printer printer(out, bytes, escape);
        printer.indent(0);
        return printer.value(type, 0, 0, 0);
    }
    if (!type)
        return;
    Text value;
    Printer(value, bytes, escape).value(type, 0, 0, 0);
    std::string_view text = value.view();
    const bool has_comma = text.ends_with(",\n"); // a value inside an object ends with a comma, which is removed here
    out.append(text.substr(0, text.size() - (has_comma ? 2 : 0)));
    if (has_comma)
        out.append('\n');
}

} // namespace dt::format

// Formats each kind of datum as plain text.

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
    case PlainKind::Converted:
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
