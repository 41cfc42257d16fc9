// Walks the type and prints member by member.
#include "libdtrace/format/print.hpp"

#include <algorithm>
#include <cstring>

#include "libdtrace/format/escape.hpp"
#include "libdtrace/format/floating.hpp"

namespace dt::format {

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

// Printer of one object. `depth` is the nesting level and the additional indentation.
class Printer {
public:
    Printer(Text& out, std::span<const uint8_t> bytes, bool escape) : out_(out), bytes_(bytes), escape_(escape) {}

    // Prints a value. `offset` is in bits from the start of the object; `bit_size` is 0 unless it is a bit-field.
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

    /// Returns the string up to its NUL, or as much as was recorded.
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

    // Returns false if the rest of the object was not recorded.
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
        uint64_t next = 0; // index that a line without one would have
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
            if (i != next) { // elements before it were left out
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
    const bool has_comma = text.ends_with(",\n"); // only members of an object end with a comma
    out.append(text.substr(0, text.size() - (has_comma ? 2 : 0)));
    if (has_comma)
        out.append('\n');
}

} // namespace dt::format
