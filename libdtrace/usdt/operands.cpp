// Parses operands of notes. Sizes and signs have one syntax; machine/operand.hpp parses the rest in the machine's
// assembler syntax.
#include "libdtrace/usdt/operands.hpp"

#include <algorithm>
#include <cctype>

namespace dt::usdt {
namespace {

using machine::NoteOperand;

/// Converts a value to the size and sign of the argument.
int64_t narrowed(int64_t value, const Location& as)
{
    const unsigned unused = 64 - 8 * as.size;
    const uint64_t shifted = static_cast<uint64_t>(value) << unused;
    return as.is_signed ? static_cast<int64_t>(shifted) >> unused : static_cast<int64_t>(shifted >> unused);
}

/// Sets the location of an operand, which has the size and sign of `where`.
void place(const NoteOperand& operand, Location& where)
{
    switch (operand.kind) {
    case NoteOperand::Kind::Constant:
        where.kind = Location::Kind::Constant;
        where.offset = narrowed(operand.offset, where);
        return;
    case NoteOperand::Kind::Register: {
        if (!operand.is_second_byte) {
            where.kind = Location::Kind::Register;
            where.index = operand.word;
            where.size = std::min(where.size, operand.bytes);
            return;
        }
        const Location whole{.kind = Location::Kind::Register, .index = operand.word, .size = 2};
        where = {.kind = Location::Kind::Shift, .offset = 8, .size = 1, .is_signed = where.is_signed, .of = {whole}};
        return;
    }
    case NoteOperand::Kind::Memory:
        where.kind = Location::Kind::UserMemory;
        where.index = operand.word == NoteOperand::kNoRegister ? Location::kNoRegister : operand.word;
        where.offset = operand.offset;
        where.scale = operand.scale;
        if (operand.scale == 0 || operand.scaled_bytes == 8)
            where.scaled = operand.scaled;
        else
            where.of = {{.kind = Location::Kind::Register,
                         .index = operand.scaled,
                         .size = operand.scaled_bytes,
                         .is_signed = operand.is_scaled_signed}};
    }
}

/// Parses "-4", "8" or "4f": sign, bytes, and f for floating-point. Returns false for other texts.
bool read_size(std::string_view text, Location& where, bool& is_float)
{
    where.is_signed = text.starts_with('-');
    if (where.is_signed)
        text.remove_prefix(1);
    is_float = text.ends_with('f');
    if (is_float)
        text.remove_suffix(1);
    if (text != "1" && text != "2" && text != "4" && text != "8")
        return false;
    where.size = static_cast<uint8_t>(text[0] - '0');
    return true;
}

NoteArgument read_operand(const machine::Machine& machine, std::string_view text)
{
    NoteArgument argument;
    const std::size_t at = text.find('@');
    bool is_float = false;
    const bool sized = at != std::string_view::npos && read_size(text.substr(0, at), argument.where, is_float);
    argument.type =
        std::string(argument.where.is_signed ? "" : "u") + "int" + std::to_string(argument.where.size * 8) + "_t";
    const std::string_view operand = at == std::string_view::npos ? text : text.substr(at + 1);
    const auto read = sized ? machine.read_operand(operand) : std::nullopt;
    if (read) {
        place(*read, argument.where);
        argument.symbol = read->symbol;
    } else {
        argument.where = {};
        const bool is_register = operand.starts_with('%') || (!operand.empty() && std::isalpha(operand.front()));
        argument.unreadable = is_float && is_register
                                  ? "a floating-point number in " + std::string(operand.substr(operand[0] == '%')) +
                                        ", which the kernel does not hand to probes: a debugger reads it"
                                  : "the operand " + std::string(text) + " is not understood";
    }
    return argument;
}

/// Returns the end of the first operand: a space outside of parentheses and brackets. Compilers may or may not write
/// spaces within these.
std::size_t end_of_operand(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
        if (text[i] == ' ' && depth <= 0)
            return i;
    }
    return text.size();
}

} // namespace

std::vector<NoteArgument> read_operands(std::string_view text, const machine::Machine& machine)
{
    std::vector<NoteArgument> found;
    while (!text.empty() && found.size() < kMostArguments) {
        if (text.front() == ' ') {
            text.remove_prefix(1);
            continue;
        }
        const std::size_t end = end_of_operand(text);
        std::string operand;
        for (const char c : text.substr(0, end))
            if (c != ' ')
                operand += c;
        found.push_back(read_operand(machine, operand));
        text.remove_prefix(end);
    }
    return found;
}

} // namespace dt::usdt
