// A reader of AT&T operands, as far as a compiler puts one where a probe's note asks for "any operand": a constant, a register or part of one,
// memory behind registers, memory at a symbol.
#include "libdtrace/usdt/operands.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "dcompiler/arch.hpp"

namespace dt::usdt {
namespace {

/// A general register by any of its names.
struct Register {
    uint32_t word = 0; ///< of pt_regs
    uint8_t size = 8;  ///< bytes of it that the name means
    bool is_second_byte = false;
};

/// The four old registers with a letter: %rax %eax %ax %al %ah.
std::optional<uint32_t> lettered(char letter)
{
    switch (letter) {
    case 'a':
        return arch::Ax;
    case 'b':
        return arch::Bx;
    case 'c':
        return arch::Cx;
    case 'd':
        return arch::Dx;
    default:
        return std::nullopt;
    }
}

/// Those with two letters: %rsi %esi %si %sil.
std::optional<uint32_t> pointing(std::string_view name)
{
    constexpr struct {
        std::string_view name;
        uint32_t word;
    } kPointing[] = {{"si", arch::Si}, {"di", arch::Di}, {"bp", arch::Bp}, {"sp", arch::Sp}, {"ip", arch::Ip}};
    for (const auto& each : kPointing)
        if (each.name == name)
            return each.word;
    return std::nullopt;
}

/// %r8 to %r15, with d, w or b behind it for a part.
std::optional<Register> numbered(std::string_view name)
{
    constexpr uint32_t kWords[] = {arch::R8, arch::R9, arch::R10, arch::R11, arch::R12, arch::R13, arch::R14, arch::R15};
    unsigned number = 0;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    const std::string_view rest(end, static_cast<std::size_t>(name.data() + name.size() - end));
    if (error != std::errc{} || number < 8 || number > 15 || rest.size() > 1)
        return std::nullopt;
    const std::size_t part = rest.empty() ? 0 : std::string_view("dwb").find(rest[0]);
    if (part == std::string_view::npos)
        return std::nullopt;
    return Register{kWords[number - 8], rest.empty() ? uint8_t{8} : static_cast<uint8_t>(4 >> part)};
}

std::optional<Register> read_register(std::string_view name)
{
    if (name.size() >= 2 && name[0] == 'r' && std::isdigit(static_cast<unsigned char>(name[1])))
        return numbered(name);
    const bool whole = name.size() == 3 && (name[0] == 'r' || name[0] == 'e');
    const uint8_t size = whole ? (name[0] == 'r' ? 8 : 4) : 2;
    const std::string_view base = whole ? name.substr(1) : name;
    if (base.size() == 2 && base[1] == 'x' && lettered(base[0]))
        return Register{*lettered(base[0]), size};
    if (base.size() == 2 && !whole && (base[1] == 'l' || base[1] == 'h') && lettered(base[0]))
        return Register{*lettered(base[0]), 1, base[1] == 'h'};
    if (base.size() == 2 && pointing(base))
        return Register{*pointing(base), size};
    if (name.size() == 3 && name[2] == 'l' && pointing(name.substr(0, 2)))
        return Register{*pointing(name.substr(0, 2)), 1};
    return std::nullopt;
}

class OperandReader {
public:
    explicit OperandReader(std::string_view text) : rest_(text) {}

    /// The whole text or nothing.
    bool read(NoteArgument& argument)
    {
        if (take('$'))
            return read_constant(argument);
        if (peek() == '%')
            return read_register_operand(argument);
        return read_memory(argument) && rest_.empty();
    }

private:
    char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
    bool take(char c)
    {
        if (peek() != c)
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    /// Decimal, octal or hexadecimal, with a sign; values of 64 bits either way. Unsigned calculation wraps as the assembler's does.
    bool read_number(int64_t& value)
    {
        const bool negative = take('-') || (take('+') && take('-'));
        int base = 10;
        if (rest_.starts_with("0x") || rest_.starts_with("0X")) {
            base = 16;
            rest_.remove_prefix(2);
        } else if (rest_.size() > 1 && rest_[0] == '0' && std::isdigit(static_cast<unsigned char>(rest_[1]))) {
            base = 8;
        }
        uint64_t magnitude = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), magnitude, base);
        if (error != std::errc{})
            return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
        return true;
    }

    bool read_constant(NoteArgument& argument)
    {
        Location& where = argument.where;
        where.kind = Location::Kind::Constant;
        if (!read_number(where.offset) || !rest_.empty())
            return false;
        const unsigned unused = 64 - 8 * where.size;
        const uint64_t shifted = static_cast<uint64_t>(where.offset) << unused;
        where.offset = where.is_signed ? static_cast<int64_t>(shifted) >> unused : static_cast<int64_t>(shifted >> unused);
        return true;
    }

    std::optional<Register> read_name()
    {
        if (!take('%'))
            return std::nullopt;
        std::size_t length = 0;
        while (length < rest_.size() && std::isalnum(static_cast<unsigned char>(rest_[length])))
            ++length;
        const auto found = read_register(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return found;
    }

    bool read_register_operand(NoteArgument& argument)
    {
        const auto name = read_name();
        if (!name || !rest_.empty())
            return false;
        Location& where = argument.where;
        where.kind = Location::Kind::Register;
        where.index = name->word;
        if (!name->is_second_byte) {
            where.size = std::min(where.size, name->size);
            return true;
        }
        const Location whole{.kind = Location::Kind::Register, .index = name->word, .size = 2};
        const bool is_signed = where.is_signed;
        where = {.kind = Location::Kind::Shift, .offset = 8, .size = 1, .is_signed = is_signed, .of = {whole}};
        return true;
    }

    static bool is_symbol(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '@'; }

    /// "sym", "sym+8", "4+sym", "-8", nothing: what stands in front of the registers.
    bool read_displacement(NoteArgument& argument)
    {
        while (!rest_.empty() && peek() != '(') {
            const std::string_view before = rest_;
            int64_t number = 0;
            if (read_number(number)) {
                argument.where.offset += number;
                continue;
            }
            rest_ = before;
            take('+');
            std::size_t length = 0;
            while (length < rest_.size() && is_symbol(rest_[length]))
                ++length;
            if (length == 0 || !argument.symbol.empty())
                return false;
            argument.symbol = rest_.substr(0, length);
            rest_.remove_prefix(length);
        }
        return true;
    }

    bool read_scaled(Location& where)
    {
        const auto scaled = read_name();
        int64_t scale = 1;
        if (!scaled || scaled->size != 8 || (take(',') && !read_number(scale)) || (scale != 1 && scale != 2 && scale != 4 && scale != 8))
            return false;
        where.scaled = scaled->word;
        where.scale = static_cast<uint8_t>(scale);
        return true;
    }

    bool read_memory(NoteArgument& argument)
    {
        Location& where = argument.where;
        where.kind = Location::Kind::UserMemory;
        where.index = Location::kNoRegister;
        const std::string_view whole = rest_;
        if (!read_displacement(argument))
            return false;
        if (!take('('))
            return !whole.empty(); // a symbol or an address alone
        if (peek() == '%') {
            const auto base = read_name();
            if (!base || base->size != 8)
                return false;
            if (base->word == arch::Ip)
                return !argument.symbol.empty() && take(')'); // the assembler counts from the symbol, whatever stands in front
            where.index = base->word;
        }
        if (take(',') && !read_scaled(where))
            return false;
        return take(')');
    }

    std::string_view rest_;
};

/// "-4", "8", "4f": bytes and whether there is a sign. False: something else.
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

NoteArgument read_operand(std::string_view text)
{
    NoteArgument argument;
    const std::size_t at = text.find('@');
    bool is_float = false;
    const bool sized = at != std::string_view::npos && read_size(text.substr(0, at), argument.where, is_float);
    argument.type = std::string(argument.where.is_signed ? "" : "u") + "int" + std::to_string(argument.where.size * 8) + "_t";
    const std::string_view operand = at == std::string_view::npos ? text : text.substr(at + 1);
    if (!sized || !OperandReader(operand).read(argument)) {
        argument.symbol.clear();
        argument.where = {};
        argument.unreadable = is_float && operand.starts_with('%') ? "a floating-point number in " + std::string(operand.substr(1)) +
                                                                         ", which the kernel does not hand to probes: a debugger reads it"
                                                                   : "the operand " + std::string(text) + " is not understood";
    }
    return argument;
}

/// Where the operand that begins the text ends: at a space outside of parentheses. (gcc writes "8@8(%rax, %rdx)" without one, clang with.)
std::size_t end_of_operand(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] == ' ' && depth <= 0)
            return i;
    }
    return text.size();
}

} // namespace

std::vector<NoteArgument> read_operands(std::string_view text)
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
        found.push_back(read_operand(operand));
        text.remove_prefix(end);
    }
    return found;
}

} // namespace dt::usdt
