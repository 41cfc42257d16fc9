// Reads the instructions of a function for probes on them. The kernel emulates a few instructions (push, jumps, calls,
// the one-byte nop: arch/x86/kernel/uprobes.c), and single-steps copies of all other instructions, which takes ten
// times as long. Some kernels replace a probed five-byte nop by a call.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "machine/x86_64/decode.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr std::array<uint8_t, 5> kLongNop = {0x0f, 0x1f, 0x44, 0x00, 0x00};

constexpr const char* kRefusal =
    "the kernel cannot run a copy of this instruction at another address, as a probe needs";

bool is_push(Bytes code)
{
    const std::size_t prefix = code[0] == 0x41 ? 1 : 0;
    return code.size() > prefix && code[prefix] >= 0x50 && code[prefix] <= 0x57;
}

bool is_emulated(Bytes code)
{
    const uint8_t first = code[0], second = code.size() > 1 ? code[1] : 0;
    const bool is_branch = first == 0xe8 || first == 0xe9 || first == 0xeb || (first >= 0x70 && first <= 0x7f) ||
                           (first == 0x0f && second >= 0x80 && second <= 0x8f);
    return is_push(code) || first == 0x90 || is_branch;
}

/// Returns whether a function may overwrite the register at its start: it carries no argument and need not be
/// preserved.
bool is_scratch(uint8_t number)
{
    return number == kRax || number == kR10 || number == kR11;
}

/// Returns the register that contains the operand. Without REX, byte registers 4 to 7 are ah to bh.
uint8_t whole_register(const Decoded& instruction, uint8_t number, bool is_byte)
{
    return is_byte && !instruction.has_rex && number >= 4 ? number - 4 : number;
}

/// Returns the register that mov, movzx, movsx, movsxd, lea or xor writes. Returns rax for test and cmp, which write
/// only flags. Returns nothing for other instructions and for operands in memory or segment registers.
std::optional<uint8_t> calculated(const Decoded& instruction, bool is_narrow)
{
    const bool loads_address = instruction.is_one_byte(0x8d);
    if (instruction.is_memory && !loads_address)
        return std::nullopt;
    const uint8_t opcode = instruction.opcode, group = instruction.group();
    const bool is_byte = (opcode & 1) == 0;
    const auto to_rm = [&] { return whole_register(instruction, instruction.rm, is_byte); };
    const auto to_reg = [&] { return whole_register(instruction, instruction.reg, is_byte); };
    if (instruction.is_two_bytes(0xb6, 0x9)) // instructions movzx, movsx
        return instruction.reg;
    if (instruction.map != OpcodeMap::OneByte)
        return std::nullopt;
    if (loads_address || (opcode == 0x63 && !is_narrow))
        return instruction.reg;
    if (opcode == 0x8c) // instruction mov from a segment register
        return instruction.rm;
    if (opcode == 0x88 || opcode == 0x89 || opcode == 0x30 || opcode == 0x31)
        return to_rm();
    // mov of an immediate; with other opcode extensions these opcodes are xabort and xbegin
    if ((opcode == 0xc6 || opcode == 0xc7) && group == 0)
        return to_rm();
    if (opcode == 0x8a || opcode == 0x8b || opcode == 0x32 || opcode == 0x33)
        return to_reg();
    if ((opcode & 0xf0) == 0xb0) {
        const uint8_t number = (opcode & 7) | (instruction.extends_short_opcode ? 8 : 0);
        return whole_register(instruction, number, opcode < 0xb8);
    }
    if (opcode >= 0x80 && opcode <= 0x83 && (group == 6 || group == 7)) // instructions xor, cmp
        return group == 7 ? kRax : to_rm();
    const bool writes_rax_or_flags = opcode == 0x34 || opcode == 0x35 || (opcode >= 0x38 && opcode <= 0x3d) ||
                                     opcode == 0x84 || opcode == 0x85 || opcode == 0xa8 || opcode == 0xa9 ||
                                     ((opcode == 0xf6 || opcode == 0xf7) && group < 2);
    return writes_rax_or_flags ? std::optional(kRax) : std::nullopt;
}

bool is_nop(const Decoded& instruction)
{
    return instruction.is_two_bytes(0x1f) || (instruction.is_two_bytes(0x1e) && instruction.modrm == 0xfa) ||
           (instruction.is_one_byte(0x90) && !instruction.has_repeat && !instruction.extends_short_opcode);
}

/// Returns whether an AVX instruction writes a vector register and reads only registers: vmovd, vpbroadcast, vpxor,
/// vpor, moves. Probes cannot read vector registers, so no argument of a probe changes.
bool fills_vector(const Decoded& instruction)
{
    constexpr std::string_view kMoves = "\x28\x57\x6e\x6f\xeb\xef", kBroadcasts = "\x18\x58\x59\x78\x79\x7a\x7b\x7c";
    const std::string_view opcodes = instruction.vector_map == 1   ? kMoves
                                     : instruction.vector_map == 2 ? kBroadcasts
                                                                   : std::string_view();
    return !instruction.is_memory && opcodes.find(static_cast<char>(instruction.opcode)) != std::string_view::npos;
}

bool changes_nothing(const Decoded& instruction, bool is_narrow)
{
    if (is_nop(instruction) || fills_vector(instruction))
        return true;
    const auto to = calculated(instruction, is_narrow);
    return to && is_scratch(*to);
}

/// Returns the distance from the end of a direct jump or call to its target; nothing for other instructions.
std::optional<int64_t> distance_of(const Decoded& decoded)
{
    return decoded.is_relative ? std::optional(decoded.immediate) : std::nullopt;
}

/// Returns whether the kernel mishandles a probe on an AVX instruction. The kernel (arch/x86/kernel/uprobes.c) treats
/// the opcode like that of a legacy instruction. It refuses opcodes whose bit in good_insns_64 is 0. If the legacy
/// opcode is a jump, call or nop, branch_setup_xol_ops() emulates the legacy instruction, and the AVX result is never
/// computed (6.18: vpshufd, vpcmpeqb, vpbroadcastb, vmovdqu, vpsubsb, vpsubsw, vpor).
bool is_namesake_refused(const Decoded& decoded)
{
    constexpr std::string_view kRefused =
        "\x06\x07\x0e\x16\x17\x1e\x1f\x26\x27\x2e\x2f\x36\x37\x3e\x3f\x60\x61\x62\x6c\x6d\x6e\x6f\x82\x9a"
        "\xcc\xcd\xce\xd4\xd5\xd6\xe4\xe5\xe6\xe7\xea\xec\xed\xee\xef\xf0\xf1\xf4\xfa\xfb";
    const auto is_emulated_as_jump = [](uint8_t opcode) {
        return (opcode >= 0x70 && opcode <= 0x7f) || opcode == 0x90 || opcode == 0xe8 || opcode == 0xe9 ||
               opcode == 0xeb;
    };
    return decoded.map == OpcodeMap::Vector &&
           (kRefused.find(static_cast<char>(decoded.opcode)) != std::string_view::npos ||
            is_emulated_as_jump(decoded.opcode));
}

/// Returns whether the instruction is a system call. If the kernel single-steps a copy of it, the trap comes one
/// instruction too late: the bytes that follow the copy are then executed as code (6.18: the program is killed).
bool is_system_call(const Decoded& decoded)
{
    return decoded.is_two_bytes(0x05) || decoded.is_two_bytes(0x34) || decoded.is_one_byte(0xcd);
}

/// Returns whether an instruction of two-byte opcode group 7 is privileged. With a memory operand these are lgdt, lidt,
/// lmsw and invlpg; with register operands they are the forms in kPrivileged.
bool is_privileged_group(const Decoded& decoded)
{
    constexpr std::string_view kPrivileged = "\xc1\xc2\xc3\xc4\xc5\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf\xd1\xd8\xda\xdb"
                                             "\xdc\xdd\xde\xdf\xe8\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xfe\xff";
    const uint8_t group = decoded.group();
    if (decoded.is_memory)
        return group == 2 || group == 3 || group == 6 || group == 7;
    if (decoded.modrm == 0xe8) // byte 0xe8 is serialize without a prefix, and setssbsy with a prefix
        return decoded.has_repeat;
    return kPrivileged.find(static_cast<char>(decoded.modrm)) != std::string_view::npos;
}

/// Returns whether only the kernel may run the instruction (Intel's manual, volume 3, 5.9, and AMD's, volume 3, chapter
/// 4).
bool is_privileged(const Decoded& decoded)
{
    constexpr std::string_view kAlone("\x06\x07\x08\x09\x20\x21\x22\x23\x30\x32\x35\x79", 12);
    const uint8_t opcode = decoded.opcode, group = decoded.group();
    const bool is_small = decoded.has_small_operand;
    if (decoded.map == OpcodeMap::Bytes38) // instructions invept, invvpid, invpcid; wruss
        return (opcode >= 0x80 && opcode <= 0x82) || (opcode == 0xf5 && is_small);
    if (decoded.map != OpcodeMap::TwoBytes)
        return decoded.is_one_byte(0xf4); // instruction hlt
    switch (opcode) {
    case 0x00:
        return group == 2 || group == 3; // instructions lldt, ltr
    case 0x01:
        return is_privileged_group(decoded);
    case 0x78: // instructions vmread, extrq, insertq
        return !is_small && !decoded.has_repeat_not;
    case 0xae:
        return decoded.has_repeat && decoded.is_memory && group == 6; // instruction clrssbsy
    case 0xc7:
        // instructions xrstors, xsaves, and those of virtualisation
        return decoded.is_memory && (group == 3 || group >= 5);
    default:
        return kAlone.find(static_cast<char>(opcode)) != std::string_view::npos;
    }
}

/// Returns whether the instruction must have no probe: the kernel refuses the probe, or the probe would harm the
/// program.
bool is_refused(const Decoded& decoded)
{
    return decoded.has_segment || decoded.has_lock || decoded.is_one_byte(0xcc) || is_system_call(decoded) ||
           is_privileged(decoded) || is_namesake_refused(decoded);
}

/// Returns whether the instruction is a jump through a pointer, near or far.
bool is_pointed_jump(const Decoded& decoded)
{
    return decoded.is_jump() && !decoded.is_relative;
}

/// Returns whether a jump through a pointer is a tail call and not part of a switch. A switch jumps through a table, or
/// to an address that it has just computed. Where the processor checks indirect jumps, compilers mark jumps of a switch
/// with the prefix notrack.
bool is_last_call(const Decoded& jump, bool adds_before)
{
    if (jump.has_notrack)
        return false;
    return jump.is_memory ? jump.index == kNoRegister : !adds_before;
}

bool returns(const Decoded& decoded)
{
    return decoded.is_one_byte(0xc2, 1) || decoded.is_one_byte(0xca, 1);
}

/// Returns whether the instruction is cmp 0x10(%r14), …: a comparison with g.stackguard0 (Go's cmd/internal/obj/x86,
/// "stacksplit").
bool checks_stack(const Decoded& instruction)
{
    constexpr int64_t kStackGuard = 0x10;
    const bool compares =
        instruction.is_one_byte(0x38, 3) || (instruction.is_one_byte(0x80, 3) && instruction.group() == 7);
    return compares && instruction.is_memory && instruction.base == kR14 && instruction.displacement == kStackGuard;
}

} // namespace

Code read_code(std::span<const uint8_t> code, bool is_narrow)
{
    Code read;
    std::size_t at = 0;
    bool adds_before = false;
    while (at < code.size()) {
        const Bytes rest = code.subspan(at);
        const std::optional<Decoded> instruction = decode(rest, is_narrow);
        if (!instruction)
            break;
        const auto distance = distance_of(*instruction);
        const bool is_pointed = is_pointed_jump(*instruction), is_early = at < kFarthestEntry;
        const std::size_t end = at + instruction->size;
        const bool long_nop =
            rest.size() >= kLongNop.size() && std::equal(kLongNop.begin(), kLongNop.end(), rest.begin());
        read.offsets.push_back(static_cast<uint32_t>(at));
        read.instructions.push_back({is_emulated(rest), is_push(rest),
                                     is_early && changes_nothing(*instruction, is_narrow),
                                     is_refused(*instruction) ? kRefusal : nullptr, long_nop,
                                     returns(*instruction) || (is_pointed && is_last_call(*instruction, adds_before)),
                                     is_early && checks_stack(*instruction),
                                     instruction->is_one_byte(0x76) || instruction->is_two_bytes(0x86)});
        const int64_t target = static_cast<int64_t>(end) + distance.value_or(0);
        const bool is_inside = target >= 0 && target < static_cast<int64_t>(code.size());
        if (distance && is_inside)
            read.targets.push_back(static_cast<uint32_t>(target));
        else if (distance && instruction->is_jump())
            read.exits.push_back({static_cast<uint32_t>(at), target, instruction->is_conditional_jump()});
        read.jumps_anywhere |= is_pointed;
        // whether the previous instruction adds one register to another, as before a jump of a switch
        adds_before = instruction->is_one_byte(0x01, 2);
        at = end;
    }
    read.is_whole = at == code.size();
    std::sort(read.targets.begin(), read.targets.end());
    return read;
}

bool may_call_itself(std::span<const uint8_t> function)
{
    constexpr uint8_t kCall = 0xe8; // opcode of a near call, which a 32-bit distance follows
    int32_t distance = 0;
    for (std::size_t at = 0; at + 1 + sizeof distance <= function.size(); ++at) {
        if (function[at] != kCall)
            continue;
        std::memcpy(&distance, &function[at + 1], sizeof distance);
        if (distance == -static_cast<int64_t>(at + 1 + sizeof distance))
            return true;
    }
    return false;
}

bool may_make(std::span<const uint8_t> function, int32_t number)
{
    // The instructions mov and or contain the constant as a 32-bit operand, which they sign-extend for 64-bit
    // registers. A cmov takes the constant from a register that such an instruction has set.
    for (std::size_t at = 1; at + sizeof number <= function.size(); ++at)
        if (std::memcmp(&function[at], &number, sizeof number) == 0)
            return true;
    return false;
}

} // namespace dt::machine::x86_64
