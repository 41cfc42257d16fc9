#include "machine/x86_64/decode.hpp"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {

namespace {

constexpr std::size_t kLongest = 15; // maximum length of an instruction in bytes

/// Kinds of the bytes that follow each one-byte opcode, one letter per opcode, sixteen opcodes per line:
///   .  nothing            m  ModRM              b  a byte            B  ModRM, a byte
///   z  16 or 32 bits      Z  ModRM, z           v  16 to 64 bits     w  16 bits
///   e  16 bits, a byte    o  an address         j  8-bit distance    J  32-bit distance (16 in 32-bit code with 66)
///   t  ModRM; a byte if the group is 0 or 1     T  ModRM; z if the group is 0 or 1
///   x  no instruction, or a prefix, which was read before
/// Letters of opcodes that only 32-bit code has: n like ., N like m, D like B, q like b, p: a segment and an address.
constexpr const char* kOneByte[16] = {
    "mmmmbznnmmmmbznx", "mmmmbznnmmmmbznn", "mmmmbzxnmmmmbzxn", "mmmmbzxnmmmmbzxn",
    "nnnnnnnnnnnnnnnn", "................", "nnNmxxxxzZbB....", "jjjjjjjjjjjjjjjj",
    "BZDBmmmmmmmmmmmm", "..........p.....", "oooo....bz......", "bbbbbbbbvvvvvvvv",
    "BBw.NNBZe.w..bn.", "mmmmqqn.mmmmmmmm", "jjjjbbbbJJpj....", "x.xx..tT......mm",
};
constexpr const char* kTwoBytes[16] = {
    "mmmmx.....x.xm.B", "mmmmmmmmmmmmmmmm", "mmmmxxxxmmmmmmmm", "......x.xxxxxxxx",
    "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "BBBBmmm.mmxxmmmm",
    "JJJJJJJJJJJJJJJJ", "mmmmmmmmmmmmmmmm", "...mBmmm...mBmmm", "mmmmmmmmmmBmmmmm",
    "mmBmBBBm........", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm",
};

/// Set of opcodes that are valid instructions: one word per sixteen opcodes, with one bit per opcode.
using Known = uint16_t[16];
constexpr Known kBytes38 = {0x0fff, 0x70b1, 0x0f3f, 0xffbf, 0x0003, 0,      0, 0,
                            0x0007, 0,      0,      0,      0xbf00, 0xf900, 0, 0x1f63};
constexpr Known kBytes3a = {0xff00, 0x00f0, 0x0007, 0, 0x0017, 0, 0x000f, 0, 0, 0, 0, 0, 0xd000, 0x8000, 0, 0x0001};
constexpr Known kVex[3] = {
    {0, 0x01ff, 0xff00, 0, 0x0ffe, 0xffff, 0xffff, 0xf0ff, 0, 0x030f, 0x4000, 0, 0x0074, 0xffff, 0xffff, 0x7fff},
    {0xffff, 0x77c8, 0xff3f, 0xffff, 0x0ae3, 0x570f, 0x1000, 0x0304, 0x5000, 0xffcf, 0xffc0, 0xfff3, 0xb800, 0xfc0c,
     0xffff, 0x00ec},
    {0xff77, 0x23f0, 0x0007, 0x030f, 0x1f57, 0xf000, 0xff0f, 0xff00, 0, 0, 0, 0, 0xc000, 0xc000, 0, 0x0001}};
constexpr Known kEvex[6] = {
    {0, 0x00ff, 0xff00, 0, 0, 0xfff2, 0xffff, 0xcf7f, 0, 0, 0, 0, 0x0074, 0xff7e, 0xffff, 0x7f7e},
    {0x3811, 0xff7f, 0x3fff, 0xffff, 0xf0fd, 0x0f3f, 0x017c, 0xffef, 0xaf08, 0xffcf, 0xffcf, 0xfff0, 0xbdd0, 0xf000, 0,
     0},
    {0x8f3b, 0xeff0, 0x00ef, 0xcf00, 0x001c, 0x00f3, 0x00c0, 0x000f, 0, 0, 0, 0, 0xc004, 0, 0, 0},
    {},
    {0, 0x2003, 0xf400, 0, 0, 0xff02, 0x4000, 0x7f00, 0, 0, 0, 0, 0, 0, 0, 0},
    {0, 0x0008, 0x3000, 0, 0xf00c, 0x00c0, 0, 0, 0, 0xffc0, 0xffc0, 0xffc0, 0, 0x00c0, 0, 0}};

/// Valid forms of the floating-point opcodes d8 to df. `registers` has one bit for each ModRM value from c0 on.
/// `groups` has one bit for each ModRM.reg with a memory operand.
struct KnownFloat {
    uint64_t registers;
    uint8_t groups;
};
constexpr KnownFloat kFloat[8] = {
    {~0ULL, 0xff}, {0xffff7f33ff01ffff, 0xfd}, {0x00000200ffffffff, 0xff}, {0x00ffff1fffffffff, 0xaf},
    {~0ULL, 0xff}, {0x0000ffffffffffff, 0xdf}, {0xffffffff02ffffff, 0xff}, {0x00ffff01ffffffff, 0xff}};

bool is_known(const Known& known, uint8_t opcode)
{
    return (known[opcode >> 4] >> (opcode & 15) & 1) != 0;
}

/// Returns whether a vector form of a two-byte opcode has an immediate byte after ModRM.
bool has_vector_byte(uint8_t opcode)
{
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
}

class Decoder {
public:
    Decoder(std::span<const uint8_t> bytes, bool is_narrow)
        : bytes_(bytes.first(std::min(bytes.size(), kLongest))), is_narrow_(is_narrow)
    {
    }

    std::optional<Decoded> decode()
    {
        read_prefixes();
        read_opcode();
        if (is_bad_ || (made_.has_lock && !may_lock()))
            return std::nullopt;
        made_.size = static_cast<uint8_t>(at_);
        return made_;
    }

private:
    // --- bytes ---

    uint8_t byte() { return static_cast<uint8_t>(number(1)); }

    /// Returns the next `size` bytes as a signed number.
    int64_t number(std::size_t size)
    {
        if (bytes_.size() - at_ < size) {
            is_bad_ = true;
            at_ = bytes_.size();
            return 0;
        }
        uint64_t read = 0;
        std::memcpy(&read, &bytes_[at_], size);
        at_ += size;
        const std::size_t above = 64 - 8 * size;
        return static_cast<int64_t>(read << above) >> above;
    }

    uint8_t next() const { return at_ < bytes_.size() ? bytes_[at_] : 0; }

    void immediate(std::size_t size)
    {
        made_.immediate = number(size);
        made_.has_immediate = true;
    }

    std::size_t word_size() const { return made_.has_small_operand && !made_.is_wide ? 2 : 4; }
    std::size_t address_size() const { return (is_narrow_ ? 4 : 8) / (has_small_address_ ? 2 : 1); }

    // --- prefixes ---

    bool read_prefix(uint8_t value)
    {
        switch (value) {
        case 0x3e:
            made_.has_notrack = true;
            [[fallthrough]];
        case 0x26:
        case 0x2e:
        case 0x36:
            made_.has_segment = true;
            return true;
        case 0x64:
        case 0x65:
            return true;
        case 0x66:
            made_.has_small_operand = true;
            return true;
        case 0x67:
            has_small_address_ = true;
            return true;
        case 0xf0:
            made_.has_lock = true;
            return true;
        case 0xf2:
            made_.has_repeat_not = true;
            return true;
        case 0xf3:
            made_.has_repeat = true;
            return true;
        default:
            return false;
        }
    }

    /// A REX prefix is ignored if another prefix follows it.
    void read_prefixes()
    {
        uint8_t rex = 0;
        for (; at_ < bytes_.size(); ++at_) {
            if (!is_narrow_ && (bytes_[at_] & 0xf0) == 0x40)
                rex = bytes_[at_];
            else if (read_prefix(bytes_[at_]))
                rex = 0;
            else
                break;
        }
        if (rex == 0)
            return;
        made_.has_rex = true;
        made_.is_wide = (rex & 8) != 0;
        set_extensions((rex & 4) != 0, (rex & 2) != 0, (rex & 1) != 0);
    }

    void set_extensions(bool reg, bool index, bool base)
    {
        reg_ = reg ? 8 : 0;
        index_ = index ? 8 : 0;
        base_ = base ? 8 : 0;
        made_.extends_short_opcode = base;
    }

    // --- opcodes ---

    void read_opcode()
    {
        const uint8_t first = byte();
        // In 32-bit code, byte 62, c4 or c5 begins a vector prefix only if the next byte is at least 0xc0; otherwise it
        // is another instruction.
        const bool may_be_vector = !is_narrow_ || next() >= 0xc0;
        if (first == 0x0f)
            read_two_bytes();
        else if ((first == 0xc4 || first == 0xc5) && may_be_vector)
            read_vex(first == 0xc4);
        else if (first == 0x62 && may_be_vector)
            read_evex();
        else if (first == 0x8f && (next() & 0x18) != 0)
            read_xop();
        else {
            made_.opcode = first;
            read_behind(kOneByte[first >> 4][first & 15]);
            is_bad_ |= is_no_one_byte();
        }
    }

    void read_two_bytes()
    {
        made_.map = OpcodeMap::TwoBytes;
        made_.opcode = byte();
        if (made_.opcode == 0x38 || made_.opcode == 0x3a) {
            const bool has_byte = made_.opcode == 0x3a;
            made_.map = has_byte ? OpcodeMap::Bytes3a : OpcodeMap::Bytes38;
            made_.opcode = byte();
            is_bad_ |= !is_known(has_byte ? kBytes3a : kBytes38, made_.opcode);
            read_behind(has_byte ? 'B' : 'm');
            return;
        }
        read_behind(kTwoBytes[made_.opcode >> 4][made_.opcode & 15]);
        if (made_.opcode == 0x78 && (made_.has_small_operand || made_.has_repeat_not))
            immediate(2); // instructions extrq, insertq
        is_bad_ |= (made_.is_two_bytes(0xb8) && !made_.has_repeat) || (made_.is_two_bytes(0xba) && made_.group() < 4);
    }

    /// Returns whether a legacy prefix precedes a vector prefix, which is invalid.
    bool has_prefix_of_old() const
    {
        return made_.has_rex || made_.has_lock || made_.has_small_operand || made_.has_repeat || made_.has_repeat_not;
    }

    void read_vex(bool is_long)
    {
        is_bad_ |= has_prefix_of_old();
        made_.map = OpcodeMap::Vector;
        const uint8_t extensions = byte();
        const uint8_t map = is_long ? extensions & 0x1f : 1;
        if (is_long)
            byte();
        made_.opcode = byte();
        made_.vector_map = map;
        is_bad_ |= map < 1 || map > 3 || !is_known(kVex[map - 1], made_.opcode);
        if (is_bad_ || (map == 1 && made_.opcode == 0x77)) // instruction vzeroupper
            return;
        read_behind(map == 3 || (map == 1 && has_vector_byte(made_.opcode)) ? 'B' : 'm');
    }

    void read_evex()
    {
        is_bad_ |= has_prefix_of_old();
        made_.map = OpcodeMap::Vector;
        const uint8_t extensions = byte(), fixed = byte();
        byte();
        made_.opcode = byte();
        const uint8_t map = extensions & 7;
        made_.vector_map = map;
        is_bad_ |=
            (extensions & 8) != 0 || (fixed & 4) == 0 || map < 1 || map > 6 || !is_known(kEvex[map - 1], made_.opcode);
        if (!is_bad_)
            read_behind(map == 3 || (map == 1 && has_vector_byte(made_.opcode)) ? 'B' : 'm');
    }

    void read_xop()
    {
        is_bad_ |= has_prefix_of_old();
        made_.map = OpcodeMap::Vector;
        const uint8_t map = byte() & 0x1f;
        byte();
        made_.opcode = byte();
        is_bad_ |= map > 10;
        read_behind(map == 8 ? 'B' : 'm');
        if (map == 10)
            immediate(4);
    }

    // --- bytes after the opcode ---

    void read_behind(char form)
    {
        constexpr char kNarrow[] = "nNDqp", kOtherwise[] = ".mBbp";
        if (const char* const narrow = std::strchr(kNarrow, form))
            form = is_narrow_ ? kOtherwise[narrow - kNarrow] : 'x';
        if (std::strchr("mBZtT", form))
            read_modrm();
        switch (form) {
        case 'x':
            is_bad_ = true;
            return;
        case 'e':
            number(2);
            return immediate(1);
        case 'w':
            return immediate(2);
        case 'v':
            return immediate(made_.is_wide ? 8 : word_size());
        case 'o':
            made_.displacement = number(address_size());
            return;
        case 'p':
            number(2);
            return immediate(word_size());
        case 't':
        case 'T':
            if (made_.group() < 2)
                immediate(form == 't' ? 1 : word_size());
            return;
        case 'j':
        case 'J':
            made_.is_relative = true;
            return immediate(form == 'j' ? 1 : is_narrow_ ? word_size() : 4);
        default:
            if (std::strchr("bB", form))
                immediate(1);
            else if (std::strchr("zZ", form))
                immediate(word_size());
        }
    }

    void read_modrm()
    {
        const uint8_t modrm = byte(), mode = modrm >> 6;
        made_.has_modrm = true;
        made_.modrm = modrm;
        made_.reg = (modrm >> 3 & 7) | reg_;
        made_.rm = (modrm & 7) | base_;
        // The instruction mov with control and debug registers never accesses memory, whatever ModRM.mod is.
        made_.is_memory = mode != 3 && !made_.is_two_bytes(0x20, 3);
        if (!made_.is_memory)
            return;
        if (is_narrow_ && has_small_address_) {
            const bool is_alone = mode == 0 && (modrm & 7) == 6;
            made_.displacement = is_alone || mode != 0 ? number(mode == 1 ? 1 : 2) : 0;
            return;
        }
        bool is_alone = mode == 0 && (modrm & 7) == 5;
        if ((modrm & 7) == kRsp) {
            const uint8_t sib = byte(), index = (sib >> 3 & 7) | index_;
            is_alone = mode == 0 && (sib & 7) == 5;
            made_.base = is_alone ? kNoRegister : (sib & 7) | base_;
            made_.index = index == kRsp ? kNoRegister : index;
        } else {
            made_.base = !is_alone ? made_.rm : is_narrow_ ? kNoRegister : kInstructionPointer;
        }
        if (mode != 0 || is_alone)
            made_.displacement = number(mode == 1 ? 1 : 4);
    }

    /// Returns whether a one-byte opcode is invalid with this ModRM: the opcode group has no instruction for ModRM.reg,
    /// or an operand must not be a register.
    bool is_no_one_byte()
    {
        if ((made_.opcode & 0xf8) == 0xd8) {
            const KnownFloat& known = kFloat[made_.opcode & 7];
            const uint64_t set = made_.is_memory ? known.groups : known.registers;
            return (set >> (made_.is_memory ? made_.group() : made_.modrm & 0x3f) & 1) == 0;
        }
        switch (made_.opcode) {
        case 0x8c:
            return made_.group() > 5;
        case 0x8d:
            return !made_.is_memory;
        case 0x8e:
            return made_.group() > 5 || made_.group() == 1;
        case 0x8f:
            return made_.group() != 0;
        case 0xc6:
            return made_.group() != 0 && made_.modrm != 0xf8;
        case 0xc7:
            made_.is_relative = made_.modrm == 0xf8; // instruction xbegin
            return made_.group() != 0 && made_.modrm != 0xf8;
        case 0xfe:
            return made_.group() > 1;
        case 0xff:
            return made_.group() == 7 || (!made_.is_memory && (made_.group() == 3 || made_.group() == 5));
        default:
            return false;
        }
    }

    /// Returns whether prefix lock is allowed. It is allowed only for some instructions, and only if they write memory.
    bool may_lock() const
    {
        if (!made_.is_memory)
            return false;
        const uint8_t code = made_.opcode, group = made_.group();
        if (made_.map == OpcodeMap::TwoBytes)
            return code == 0xab || code == 0xb3 || code == 0xbb || (code == 0xba && group >= 5) ||
                   (code >= 0xb0 && code <= 0xb1) || (code >= 0xc0 && code <= 0xc1) || (code == 0xc7 && group == 1);
        if (made_.map != OpcodeMap::OneByte)
            return false;
        return (code < 0x38 && (code & 7) < 2) || (code >= 0x80 && code <= 0x83 && group != 7) ||
               (code >= 0x86 && code <= 0x87) || (code >= 0xf6 && code <= 0xf7 && (group == 2 || group == 3)) ||
               (code >= 0xfe && group < 2);
    }

    const std::span<const uint8_t> bytes_;
    const bool is_narrow_;
    Decoded made_;
    std::size_t at_ = 0;
    /// the highest bit of a register number, from a REX prefix: 8 if REX extends the field, else 0
    uint8_t reg_ = 0, index_ = 0, base_ = 0;
    bool has_small_address_ = false;
    bool is_bad_ = false;
};

} // namespace

bool Decoded::is_call() const
{
    return is_one_byte(0xe8) || is_one_byte(0x9a) || (is_one_byte(0xff) && (group() == 2 || group() == 3));
}

bool Decoded::is_conditional_jump() const
{
    const bool begins_transaction = is_one_byte(0xc7) && is_relative;
    return is_one_byte(0x70, 15) || is_one_byte(0xe0, 3) || is_two_bytes(0x80, 15) || begins_transaction;
}

bool Decoded::is_jump() const
{
    return is_conditional_jump() || is_one_byte(0xe9) || is_one_byte(0xeb) || is_one_byte(0xea) ||
           (is_one_byte(0xff) && (group() == 4 || group() == 5));
}

std::optional<Decoded> decode(std::span<const uint8_t> bytes, bool is_narrow)
{
    return Decoder(bytes, is_narrow).decode();
}

// Finds loads and calculations of addresses in code.

std::vector<Access> read_accesses(std::span<const uint8_t> code)
{
    std::vector<Access> accesses;
    for (std::size_t at = 0; at < code.size();) {
        const auto decoded = decode(code.subspan(at), false);
        if (!decoded)
            break;
        at += decoded->size;
        const bool is_load = decoded->is_one_byte(0x8b); // opcode 8b is mov to a register; 8d is lea
        if ((!is_load && !decoded->is_one_byte(0x8d)) || !decoded->is_memory || !decoded->is_wide ||
            decoded->index != kNoRegister || decoded->base == kNoRegister)
            continue;
        if (decoded->base == kInstructionPointer)
            accesses.push_back(
                {is_load, decoded->reg, Access::kFunctionStart, decoded->displacement + static_cast<int64_t>(at)});
        else
            accesses.push_back({is_load, decoded->reg, decoded->base, decoded->displacement});
    }
    return accesses;
}

// Replaces calls of external functions by no-ops, for the kinds of calls that compilers emit.

namespace {

constexpr uint8_t kNop = 0x90, kReturn = 0xc3;

/// Encoding of a call of an external function, before the four bytes of the relocation.
struct CallForm {
    uint8_t bytes[2];
    std::size_t size;
    bool is_jump;
};
constexpr CallForm kCallForms[] = {
    {{0xff, 0x15}, 2, false}, // call *f@GOTPCREL(%rip)
    {{0xff, 0x25}, 2, true},  // jmp *f@GOTPCREL(%rip)
    {{0xe8, 0}, 1, false},    // call f
    {{0xe9, 0}, 1, true},     // jmp f
};
constexpr std::size_t kTarget = 4;

} // namespace

bool is_call_relocation(uint32_t type)
{
    return type == R_X86_64_PLT32 || type == R_X86_64_PC32 || type == R_X86_64_GOTPCRELX || type == R_X86_64_GOTPCREL;
}

bool replace_call(std::span<uint8_t> code, uint64_t target)
{
    for (const CallForm& form : kCallForms) {
        if (target < form.size || target + kTarget > code.size() ||
            !std::equal(form.bytes, form.bytes + form.size, code.begin() + (target - form.size)))
            continue;
        const std::span<uint8_t> call = code.subspan(target - form.size, form.size + kTarget);
        std::fill(call.begin(), call.end(), kNop);
        if (form.is_jump)
            code[target] = kReturn;
        return true;
    }
    return false;
}

bool is_replaced_call(std::span<const uint8_t> code, uint64_t target)
{
    return target >= kSiteBeforeTarget && target + kTarget <= code.size() && code[target - kSiteBeforeTarget] == kNop &&
           code[target + kTarget - 1] == kNop && (code[target] == kNop || code[target] == kReturn);
}

} // namespace dt::machine::x86_64
