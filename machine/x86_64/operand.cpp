// Parses operands in AT&T syntax: a constant, a register or part of a register, memory at an address from registers, or
// memory at a symbol.
#include <cctype>
#include <charconv>

#include "machine/x86_64/registers.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

/// A general register, identified by any of its names.
struct Register {
    uint32_t word = 0; ///< word of struct pt_regs that contains the register
    uint8_t size = 8;  ///< number of the register's bytes to which the name refers
    bool is_second_byte = false;
};

/// Parses the letter of one of the four registers a, b, c and d, as in %rax, %eax, %ax, %al and %ah.
std::optional<uint32_t> lettered(char letter)
{
    switch (letter) {
    case 'a':
        return Ax;
    case 'b':
        return Bx;
    case 'c':
        return Cx;
    case 'd':
        return Dx;
    default:
        return std::nullopt;
    }
}

/// Parses the registers with two letters: %rsi %esi %si %sil.
std::optional<uint32_t> pointing(std::string_view name)
{
    constexpr struct {
        std::string_view name;
        uint32_t word;
    } kPointing[] = {{"si", Si}, {"di", Di}, {"bp", Bp}, {"sp", Sp}, {"ip", Ip}};
    for (const auto& each : kPointing)
        if (each.name == name)
            return each.word;
    return std::nullopt;
}

/// Parses %r8 to %r15, with d, w or b for a part.
std::optional<Register> numbered(std::string_view name)
{
    constexpr uint32_t kWords[] = {R8, R9, R10, R11, R12, R13, R14, R15};
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

    /// Parses an operand. Fails unless the whole string is one operand.
    bool read(NoteOperand& operand)
    {
        if (take('$')) {
            operand.kind = NoteOperand::Kind::Constant;
            return read_number(operand.offset) && rest_.empty();
        }
        return (peek() == '%' ? read_register_operand(operand) : read_memory(operand)) && rest_.empty();
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

    /// Parses a decimal, octal or hexadecimal number of up to 64 bits, with an optional sign. Arithmetic wraps as in
    /// the assembler.
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

    bool read_register_operand(NoteOperand& operand)
    {
        const auto name = read_name();
        operand.kind = NoteOperand::Kind::Register;
        operand.word = name ? name->word : 0;
        operand.bytes = name ? name->size : 0;
        operand.is_second_byte = name && name->is_second_byte;
        return name.has_value();
    }

    static bool is_symbol(char c)
    {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '@';
    }

    /// Parses the displacement before the registers: "sym", "sym+8", "4+sym", "-8", or nothing.
    bool read_displacement(NoteOperand& operand)
    {
        while (!rest_.empty() && peek() != '(') {
            const std::string_view before = rest_;
            int64_t number = 0;
            if (read_number(number)) {
                operand.offset += number;
                continue;
            }
            rest_ = before;
            take('+');
            std::size_t length = 0;
            while (length < rest_.size() && is_symbol(rest_[length]))
                ++length;
            if (length == 0 || !operand.symbol.empty())
                return false;
            operand.symbol = rest_.substr(0, length);
            rest_.remove_prefix(length);
        }
        return true;
    }

    bool read_scaled(NoteOperand& operand)
    {
        const auto scaled = read_name();
        int64_t scale = 1;
        if (!scaled || scaled->size != 8 || (take(',') && !read_number(scale)) ||
            (scale != 1 && scale != 2 && scale != 4 && scale != 8))
            return false;
        operand.scaled = scaled->word;
        operand.scale = static_cast<uint8_t>(scale);
        return true;
    }

    bool read_memory(NoteOperand& operand)
    {
        operand.kind = NoteOperand::Kind::Memory;
        const std::string_view whole = rest_;
        if (!read_displacement(operand))
            return false;
        if (!take('('))
            // without registers, the operand is only a symbol or an absolute address, and must not be empty
            return !whole.empty();
        if (peek() == '%') {
            const auto base = read_name();
            if (!base || base->size != 8)
                return false;
            if (base->word == Ip)
                // in the assembler, a displacement before (%rip) is relative to the symbol
                return !operand.symbol.empty() && take(')');
            operand.word = base->word;
        }
        if (take(',') && !read_scaled(operand))
            return false;
        return take(')');
    }

    std::string_view rest_;
};

} // namespace

std::optional<NoteOperand> read_operand(std::string_view text)
{
    NoteOperand operand;
    return OperandReader(text).read(operand) ? std::optional(operand) : std::nullopt;
}

} // namespace dt::machine::x86_64
