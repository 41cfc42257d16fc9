// Parses operands: a constant, a register or its low half, or memory at an address from registers.
#include <charconv>
#include <iterator>

#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {
namespace {

struct NamedRegister {
    uint32_t word = 0;
    uint8_t size = 8;
    bool is_zero = false; ///< whether the operand is the zero register: xzr, wzr
};

/// Parses "x0" to "x30", "w0" to "w30", "sp", "fp" and "lr".
std::optional<NamedRegister> register_named(std::string_view name)
{
    constexpr struct {
        std::string_view name;
        NamedRegister means;
    } kNamed[] = {{"sp", {Sp}},     {"fp", {X29}},         {"lr", {X30}},
                  {"wsp", {Sp, 4}}, {"xzr", {0, 8, true}}, {"wzr", {0, 4, true}}};
    for (const auto& each : kNamed)
        if (each.name == name)
            return each.means;
    if (name.size() < 2 || (name[0] != 'x' && name[0] != 'w'))
        return std::nullopt;
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size() || number > X30)
        return std::nullopt;
    return NamedRegister{number, name[0] == 'x' ? uint8_t{8} : uint8_t{4}};
}

/// Parses a decimal, octal or hexadecimal number of up to 64 bits, with an optional sign and '#'.
std::optional<int64_t> number_in(std::string_view text)
{
    if (text.starts_with('#'))
        text.remove_prefix(1);
    const bool is_negative = text.starts_with('-');
    if (is_negative)
        text.remove_prefix(1);
    const bool is_hexadecimal = text.starts_with("0x");
    if (is_hexadecimal)
        text.remove_prefix(2);
    uint64_t magnitude = 0;
    const int base = is_hexadecimal ? 16 : text.size() > 1 && text[0] == '0' ? 8 : 10;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return static_cast<int64_t>(is_negative ? 0 - magnitude : magnitude);
}

/// Removes the text before the next comma, and the comma, from `rest`, and returns the text.
std::string_view next_part(std::string_view& rest)
{
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    return part;
}

/// Parses an index register "x2" or "w2", and its extension and shift: "lsl3", "sxtw2", "uxtw#2".
bool read_index(std::string_view name, std::string_view change, NoteOperand& operand)
{
    const auto index = register_named(name);
    if (!index || index->is_zero)
        return false;
    const std::string_view how = change.substr(0, change.find_first_of("#0123456789"));
    const bool is_half = index->size == 4;
    if (is_half ? how != "sxtw" && how != "uxtw" : how != "lsl" && how != "sxtx" && !change.empty())
        return false;
    const auto bits = change.size() == how.size() ? std::optional<int64_t>(0) : number_in(change.substr(how.size()));
    if (!bits || *bits < 0 || *bits > 3)
        return false;
    operand.scaled = index->word;
    operand.scale = static_cast<uint8_t>(1 << *bits);
    operand.scaled_bytes = index->size;
    operand.is_scaled_signed = how == "sxtw";
    return true;
}

/// Parses ":lo12:name" or ":lo12:name+8". The base register contains the address of the symbol's page, so register and
/// operand together give the symbol's address.
bool read_low_half(std::string_view text, NoteOperand& operand)
{
    if (text.starts_with('#'))
        text.remove_prefix(1);
    constexpr std::string_view kLow = ":lo12:";
    if (!text.starts_with(kLow))
        return false;
    text.remove_prefix(kLow.size());
    if (const std::size_t sign = text.find_first_of("+-"); sign != std::string_view::npos) {
        const auto offset = number_in(text.substr(sign + (text[sign] == '+')));
        if (!offset)
            return false;
        operand.offset = *offset;
        text = text.substr(0, sign);
    }
    operand.word = NoteOperand::kNoRegister;
    operand.symbol = text;
    return !text.empty();
}

/// Parses "[x22]", "[x22,20]", "[x1,x2]", "[x1,x2,lsl3]", "[x1,w2,sxtw2]" or "[x0,#:lo12:name]".
std::optional<NoteOperand> memory_in(std::string_view text)
{
    if (!text.ends_with(']'))
        return std::nullopt;
    std::string_view rest = text.substr(1, text.size() - 2);
    NoteOperand operand{.kind = NoteOperand::Kind::Memory};
    const auto base = register_named(next_part(rest));
    if (!base || base->size != 8 || base->is_zero)
        return std::nullopt;
    operand.word = base->word;
    if (rest.empty())
        return operand;
    const std::string_view second = next_part(rest);
    if (const auto offset = number_in(second); offset && rest.empty())
        operand.offset = *offset;
    else if (!(rest.empty() && read_low_half(second, operand)) && !read_index(second, rest, operand))
        return std::nullopt;
    return operand;
}

} // namespace

std::optional<NoteOperand> read_operand(std::string_view text)
{
    if (text.starts_with('['))
        return memory_in(text);
    if (const auto constant = number_in(text))
        return NoteOperand{.kind = NoteOperand::Kind::Constant, .offset = *constant};
    const auto named = register_named(text);
    if (!named)
        return std::nullopt;
    if (named->is_zero)
        return NoteOperand{.kind = NoteOperand::Kind::Constant, .offset = 0};
    return NoteOperand{.kind = NoteOperand::Kind::Register, .word = named->word, .bytes = named->size};
}

} // namespace dt::machine::arm64
