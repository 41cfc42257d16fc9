// A reader of operands: a constant, a register or its low half, memory behind registers.
#include <algorithm>
#include <charconv>
#include <iterator>

#include "machine/arm64/arm64.hpp"
#include "machine/arm64/registers.hpp"

namespace dt::machine::arm64 {
namespace {

struct NamedRegister {
    uint32_t word = 0;
    uint8_t size = 8;
    bool is_zero = false; ///< xzr, wzr
};

/// "x0" to "x30", "w0" to "w30", "sp", "fp" and "lr".
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

/// Decimal or hexadecimal, with a sign and, where the assembler wants one, a '#'. Values of 64 bits either way.
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
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), magnitude, is_hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return static_cast<int64_t>(is_negative ? 0 - magnitude : magnitude);
}

/// What stands before the next comma, which goes as well.
std::string_view next_part(std::string_view& rest)
{
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    return part;
}

/// "x2", and behind it "lsl3": by how many bits it is shifted.
bool read_index(std::string_view name, std::string_view shift, NoteOperand& operand)
{
    constexpr std::string_view kShifts[] = {"", "lsl1", "lsl2", "lsl3"};
    const auto index = register_named(name);
    const auto bits = std::find(std::begin(kShifts), std::end(kShifts), shift) - std::begin(kShifts);
    if (!index || index->size != 8 || index->is_zero || bits == std::ssize(kShifts))
        return false;
    operand.scaled = index->word;
    operand.scale = static_cast<uint8_t>(1 << bits);
    return true;
}

/// "[x22]", "[x22,20]", "[x1,x2]", "[x1,x2,lsl3]".
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
    else if (!read_index(second, rest, operand))
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
