// The kernel emulates a few instructions (push, jumps, calls, the one-byte nop: arch/x86/kernel/uprobes.c) and runs any
// other out of its place, one step at a time, which costs ten times as much. Some kernels replace a probed nop of five
// bytes by a call.
#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr std::array<uint8_t, 5> kLongNop = {0x0f, 0x1f, 0x44, 0x00, 0x00};

constexpr const char* kRefusal = "the kernel cannot run this instruction out of its place";

struct Decoded {
    ZydisDecodedInstruction decoded;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT>
        operands; ///< of those that an entry probe may move over: they take most of the time
};

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

/// Registers that neither bring an argument nor must be kept for the caller.
bool is_scratch(ZydisRegister name)
{
    if (ZydisRegisterGetClass(name) == ZYDIS_REGCLASS_FLAGS)
        return true;
    const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
    return whole == ZYDIS_REGISTER_RAX || whole == ZYDIS_REGISTER_R10 || whole == ZYDIS_REGISTER_R11;
}

bool changes_nothing(const Decoded& instruction)
{
    switch (instruction.decoded.mnemonic) {
    case ZYDIS_MNEMONIC_ENDBR64:
    case ZYDIS_MNEMONIC_NOP:
        return true;
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_LEA:
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_CMP:
        break;
    default:
        return false;
    }
    const auto& operands = instruction.operands;
    return std::all_of(
        operands.begin(), operands.begin() + instruction.decoded.operand_count, [](const ZydisDecodedOperand& operand) {
            if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY)
                return operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN;
            const bool is_written = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
            return operand.type != ZYDIS_OPERAND_TYPE_REGISTER || !is_written || is_scratch(operand.reg.value);
        });
}

/// How far behind its end a jump or call leads whose target is in the code; nothing for others.
std::optional<int64_t> distance_of(const ZydisDecodedInstruction& decoded)
{
    const auto& immediate = decoded.raw.imm[0];
    return immediate.is_relative ? std::optional(immediate.value.s) : std::nullopt;
}

/// The kernel looks instructions of AVX up by their opcode as if they were old ones, and refuses those whose namesakes
/// it cannot step: the rows of good_insns_64 that have zeros. Those whose namesakes are jumps, calls or a nop it takes
/// and emulates as such (branch_setup_xol_ops() of arch/x86/kernel/uprobes.c): what they compute is left out (6.18: of
/// vpshufd, vpcmpeqb, vpbroadcastb, vmovdqu, vpsubsb, vpsubsw, vpor).
bool is_namesake_refused(const ZydisDecodedInstruction& decoded)
{
    constexpr std::string_view kRefused =
        "\x06\x07\x0e\x16\x17\x1e\x1f\x26\x27\x2e\x2f\x36\x37\x3e\x3f\x60\x61\x62\x6c\x6d\x6e\x6f\x82\x9a"
        "\xcc\xcd\xce\xd4\xd5\xd6\xe4\xe5\xe6\xe7\xea\xec\xed\xee\xef\xf0\xf1\xf4\xfa\xfb";
    const bool is_new =
        decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX || decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
    const auto is_emulated_as_jump = [](uint8_t opcode) {
        return (opcode >= 0x70 && opcode <= 0x7f) || opcode == 0x90 || opcode == 0xe8 || opcode == 0xe9 ||
               opcode == 0xeb;
    };
    return is_new && (kRefused.find(static_cast<char>(decoded.opcode)) != std::string_view::npos ||
                      is_emulated_as_jump(decoded.opcode));
}

/// Run out of its place a system call comes back with the trap still to come: one more instruction is run, of what
/// happens to be behind the copy (6.18: the program is killed).
bool is_system_call(const ZydisDecodedInstruction& decoded)
{
    return decoded.meta.category == ZYDIS_CATEGORY_SYSCALL || decoded.mnemonic == ZYDIS_MNEMONIC_INT;
}

/// Prefixes and instructions with which the kernel takes no probe, or should take none.
bool is_refused(const ZydisDecodedInstruction& decoded)
{
    const auto is_bad = [](const auto& prefix) {
        const uint8_t value = prefix.value;
        return value == 0x26 || value == 0x2e || value == 0x36 || value == 0x3e ||
               value == 0xf0; // es, cs, ss, ds, lock
    };
    return std::any_of(decoded.raw.prefixes, decoded.raw.prefixes + decoded.raw.prefix_count, is_bad) ||
           decoded.mnemonic == ZYDIS_MNEMONIC_INT3 || is_system_call(decoded) ||
           (decoded.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED) != 0 || is_namesake_refused(decoded);
}

/// A call in the last place of a function, by a pointer. A switch jumps by a table: through one, or to what it added to
/// its base; compilers mark such a jump (notrack) where the processor watches the others.
bool is_last_call(const Decoded& instruction, bool adds_before)
{
    const auto& target = instruction.operands[0];
    if (instruction.decoded.mnemonic != ZYDIS_MNEMONIC_JMP ||
        (instruction.decoded.attributes & ZYDIS_ATTRIB_HAS_NOTRACK) != 0)
        return false;
    return target.type == ZYDIS_OPERAND_TYPE_MEMORY ? target.mem.index == ZYDIS_REGISTER_NONE : !adds_before;
}

bool adds_registers(const ZydisDecodedInstruction& decoded)
{
    return decoded.mnemonic == ZYDIS_MNEMONIC_ADD && (decoded.opcode == 0x01 || decoded.opcode == 0x03);
}

bool is_jump(const ZydisDecodedInstruction& decoded)
{
    return decoded.meta.category == ZYDIS_CATEGORY_UNCOND_BR || decoded.meta.category == ZYDIS_CATEGORY_COND_BR;
}

/// cmp 0x10(%r14), …: g.stackguard0 (Go's cmd/internal/obj/x86, "stacksplit").
bool checks_stack(const Decoded& instruction)
{
    constexpr int64_t kStackGuard = 0x10;
    const auto& operands = instruction.operands;
    return instruction.decoded.mnemonic == ZYDIS_MNEMONIC_CMP &&
           std::any_of(operands.begin(), operands.begin() + instruction.decoded.operand_count,
                       [](const ZydisDecodedOperand& operand) {
                           return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_R14 &&
                                  operand.mem.disp.value == kStackGuard;
                       });
}

} // namespace

Code read_code(std::span<const uint8_t> code, bool is_narrow)
{
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, is_narrow ? ZYDIS_MACHINE_MODE_LONG_COMPAT_32 : ZYDIS_MACHINE_MODE_LONG_64,
                     is_narrow ? ZYDIS_STACK_WIDTH_32 : ZYDIS_STACK_WIDTH_64);
    Code read;
    Decoded instruction;
    ZydisDecoderContext context;
    std::size_t at = 0;
    bool adds_before = false;
    while (at < code.size()) {
        const Bytes rest = code.subspan(at);
        if (ZYAN_FAILED(
                ZydisDecoderDecodeInstruction(&decoder, &context, rest.data(), rest.size(), &instruction.decoded)))
            break;
        const auto distance = distance_of(instruction.decoded);
        const bool is_pointed = instruction.decoded.mnemonic == ZYDIS_MNEMONIC_JMP && !distance;
        const bool is_early =
            (at < kFarthestEntry || is_pointed) &&
            ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &context, &instruction.decoded,
                                                    instruction.operands.data(), instruction.decoded.operand_count));
        const std::size_t end = at + instruction.decoded.length;
        const bool long_nop =
            rest.size() >= kLongNop.size() && std::equal(kLongNop.begin(), kLongNop.end(), rest.begin());
        read.offsets.push_back(static_cast<uint32_t>(at));
        read.instructions.push_back({is_emulated(rest), is_push(rest), is_early && changes_nothing(instruction),
                                     is_refused(instruction.decoded) ? kRefusal : nullptr, long_nop,
                                     instruction.decoded.mnemonic == ZYDIS_MNEMONIC_RET ||
                                         (is_early && is_pointed && is_last_call(instruction, adds_before)),
                                     is_early && checks_stack(instruction),
                                     instruction.decoded.mnemonic == ZYDIS_MNEMONIC_JBE});
        const int64_t target = static_cast<int64_t>(end) + distance.value_or(0);
        const bool is_inside = target >= 0 && target < static_cast<int64_t>(code.size());
        if (distance && is_inside)
            read.targets.push_back(static_cast<uint32_t>(target));
        else if (distance && is_jump(instruction.decoded))
            read.exits.push_back(
                {static_cast<uint32_t>(at), target, instruction.decoded.meta.category == ZYDIS_CATEGORY_COND_BR});
        read.jumps_anywhere |= is_pointed;
        adds_before = adds_registers(instruction.decoded);
        at = end;
    }
    read.is_whole = at == code.size();
    std::sort(read.targets.begin(), read.targets.end());
    return read;
}

bool may_call_itself(std::span<const uint8_t> function)
{
    constexpr uint8_t kCall = 0xe8; // and how far behind it
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
    // mov, or, cmov's source: an operand of 32 bits, whose sign is extended where the register has 64
    for (std::size_t at = 1; at + sizeof number <= function.size(); ++at)
        if (std::memcmp(&function[at], &number, sizeof number) == 0)
            return true;
    return false;
}

} // namespace dt::machine::x86_64
