// Reads the instructions of a function for probes on them. Every instruction has four bytes. The kernel emulates
// branches and address calculations (arch/arm64/kernel/probes/decode-insn.c), and single-steps copies of all others.
// The table below lists the instructions that the kernel refuses. It also lists a few that the kernel accepts although
// their copies behave differently.

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {

namespace {

constexpr Pattern kBranch{0x7c000000, 0x14000000}, // instructions b, bl
    kBranchIf{0xff000000, 0x54000000},             // instructions b.cond, bc.cond
    kCompareAndBranch{0x7e000000, 0x34000000},     // instructions cbz, cbnz
    kTestAndBranch{0x7e000000, 0x36000000},        // instructions tbz, tbnz
    kByRegister{0xff9ffc1f, 0xd61f0000},           // instructions br, blr, ret
    kJumpByRegister{0xfffffc1f, 0xd61f0000},       // instruction br
    kReturn{0xfffffc1f, 0xd65f0000},               // instruction ret
    kAuthenticated{0xfe9ff800, 0xd61f0800},        // braa, blraa, retaa and similar instructions
    kReturnAuthenticated{0xfffffbff, 0xd65f0bff},  // instructions retaa, retab
    kAddress{0x1f000000, 0x10000000},              // instructions adr, adrp
    kExclusive{0x3f800000, 0x08000000}, kCompareAndSwapPair{0xbfa00000, 0x08200000},
    kClearExclusive{0xfffff0ff, 0xd503305f}, // instruction clrex
    kHint{0xfffff01f, 0xd503201f}, kAddExtended{0x7fe00000, 0x0b200000}, kAddShifted{0x7f200000, 0x0b000000};

// kCallBit: the bit of kBranch that is set in calls. kIfBelowOrSame: the encoding of condition "ls" in conditional
// branches
constexpr uint32_t kCallBit = 0x80000000, kIfBelowOrSame = 9;
constexpr uint32_t kLoadBit = 0x00400000; // bit of kExclusive that is set in loads

/// Instructions that the kernel refuses, or whose copies would behave differently.
struct Refused {
    Pattern pattern;
    const char* reason;
};
constexpr Refused kRefused[] = {
    {kExclusive,
     "the kernel allows no probe on an exclusive load or store: a trap between the two makes the store fail each time"},
    {{0x3b000000, 0x18000000}, "it loads a number relative to its own address, which a copy elsewhere would not find"},
    {{0xff000000, 0xd4000000}, "the kernel allows no probe on an instruction that calls it or another exception level"},
    {{0xfff8f01f, 0xd500401f}, "the kernel allows no probe on an instruction that writes a system register (MSR)"},
    {{0xfff00000, 0xd5100000}, "the kernel allows no probe on an instruction that writes a system register (MSR)"},
    {{0xffffffe0, 0xd53b4220}, "the kernel allows no probe on a read of the interrupt mask (MRS DAIF)"},
    {{0xffffffff, 0xd69f03e0}, "the kernel allows no probe on a return from an exception"},
    {{0xfffffbff, 0xd69f0bff}, "the kernel allows no probe on a return from an exception"},
    {kAuthenticated, "the kernel allows no probe on a branch that authenticates its target"},
    {{0x3b200c00, 0x19000400},
     "the kernel allows no probe on an instruction that copies or sets memory in several steps"},
};

/// Returns whether the kernel refuses a probe on a hint instruction. It refuses hints that authenticate a pointer,
/// because authentication may fail.
bool is_refused_hint(uint32_t instruction)
{
    switch ((instruction >> 5) & 0x7f) {
    case 0: // nop
    case 7: // xpaclri
    case 8:
    case 10: // pacia1716, pacib1716
    case 24:
    case 25:
    case 26:
    case 27: // instructions paciaz, paciasp, pacibz, pacibsp
    case 32:
    case 34:
    case 36:
    case 38: // bti, bti c, bti j, bti jc
        return false;
    default:
        return true;
    }
}

const char* refusal_of(uint32_t instruction)
{
    if (kHint.is(instruction))
        return is_refused_hint(instruction) ? "the kernel allows no probe on a hint of this kind (AUTIASP, WFE, YIELD)"
                                            : nullptr;
    const auto found = std::find_if(std::begin(kRefused), std::end(kRefused),
                                    [&](const Refused& each) { return each.pattern.is(instruction); });
    return found != std::end(kRefused) ? found->reason : nullptr;
}

bool is_emulated(uint32_t instruction)
{
    constexpr Pattern kEmulated[] = {kBranch, kBranchIf, kCompareAndBranch, kTestAndBranch, kByRegister, kAddress};
    return std::any_of(std::begin(kEmulated), std::end(kEmulated),
                       [&](const Pattern& each) { return each.is(instruction); });
}

/// Returns whether a function may overwrite the register at its start: x9 to x17 carry no arguments and need not be
/// preserved. Also true for 31, the zero register in comparisons.
bool is_scratch(uint32_t number)
{
    return (number >= 9 && number <= 17) || number == 31;
}

/// Returns whether a probe on the next instruction sees the same arguments and return address as a probe on this one.
/// This holds for landing pads (bti), nops, and calculations into scratch registers. It does not hold for paciasp,
/// which signs the return address.
bool changes_nothing(uint32_t instruction)
{
    if (kHint.is(instruction)) {
        const uint32_t hint = (instruction >> 5) & 0x7f;
        return hint == 0 || (hint >= 32 && hint <= 38);
    }
    constexpr Pattern kCalculations[] = {
        {0x1f000000, 0x0a000000}, // instructions for logical operations on registers
        {0x1f200000, 0x0b000000}, // instructions add, sub with a shifted register
        {0x1f800000, 0x12800000}, // instructions movn, movz, movk
        {0x1f800000, 0x13000000}, // instructions sbfm, bfm, ubfm
    };
    constexpr Pattern kWithNumber{0x1f800000, 0x11000000}, kSetsFlags{0x20000000, 0x20000000};
    const uint32_t to = instruction % 32;
    // Register 31 is the stack pointer in additions and subtractions of a constant unless they set flags.
    if (kWithNumber.is(instruction))
        return is_scratch(to) && (to != 31 || kSetsFlags.is(instruction));
    return is_scratch(to) && std::any_of(std::begin(kCalculations), std::end(kCalculations),
                                         [&](const Pattern& each) { return each.is(instruction); });
}

int64_t extended(uint32_t instruction, unsigned first, unsigned bits)
{
    const uint64_t field = uint64_t{instruction} >> first;
    return static_cast<int64_t>(field << (64 - bits)) >> (64 - bits);
}

/// Returns whether the encoding is in an unallocated main group or is permanently undefined.
bool is_no_instruction(uint32_t instruction)
{
    const uint32_t group = (instruction >> 25) & 0xf;
    return group == 1 || group == 3 || (group == 0 && (instruction & 0x80000000) == 0);
}

/// Reads the instructions of a function one by one, and tracks the state on which later instructions depend.
class FunctionReader {
public:
    explicit FunctionReader(std::size_t size) : size_(static_cast<int64_t>(size)) {}

    void read(uint32_t instruction, uint32_t at)
    {
        Instruction& made = code_.instructions.emplace_back();
        code_.offsets.push_back(at);
        made.refusal = refusal_of(instruction);
        if (!made.refusal && before_store_ != 0)
            made.refusal = kBetweenExclusives;
        follow_exclusive(instruction);
        made.emulated = is_emulated(instruction);
        made.changes_nothing = at < kFarthestEntry && changes_nothing(instruction);
        made.checks_stack = at < kFarthestEntry && compares_with_limit(instruction);
        made.jumps_below = kBranchIf.is(instruction) && instruction % 16 == kIfBelowOrSame;
        const bool is_pointed = kJumpByRegister.is(instruction);
        // If an addition precedes a jump through a register, the jump belongs to a switch; any other jump through a
        // register is a tail call.
        made.returns = kReturn.is(instruction) || kReturnAuthenticated.is(instruction) || (is_pointed && !adds_before_);
        code_.jumps_anywhere |= is_pointed;
        follow(instruction, at);
        adds_before_ = kAddExtended.is(instruction) || kAddShifted.is(instruction);
    }

    Code take(bool is_whole)
    {
        code_.is_whole = is_whole;
        std::sort(code_.targets.begin(), code_.targets.end());
        return std::move(code_);
    }

private:
    /// Maximum number of instructions between an exclusive load and its store. The kernel searches equally far
    /// (MAX_ATOMIC_CONTEXT_SIZE).
    static constexpr int kMaxBetween = 32;
    /// stands for "no register", because registers have the numbers 0 to 31
    static constexpr uint32_t kNoRegister = 32;
    static constexpr const char* kBetweenExclusives =
        "it is between an exclusive load and its store, and a trap there makes the store fail each time";

    /// Returns whether the instruction compares with g.stackguard0, which Go code loads into a register first
    /// (go/src/cmd/internal/obj/arm64/obj7.go, stacksplit).
    bool compares_with_limit(uint32_t instruction)
    {
        constexpr Pattern kLoadsLimit{0xffffffe0, 0xf9400b80}, // ldr x?, [x28, 16]
            kCompares{0xff20001f, 0xeb00001f}, kComparesStack{0xffe0fc1f, 0xeb20601f};
        if (kLoadsLimit.is(instruction))
            limit_ = instruction % 32;
        return (kCompares.is(instruction) || kComparesStack.is(instruction)) && ((instruction >> 16) & 31) == limit_;
    }

    /// Tracks the instructions between an exclusive load and its store. The kernel accepts probes there, but each trap
    /// makes the store fail, and the program then repeats the sequence forever.
    void follow_exclusive(uint32_t instruction)
    {
        const bool is_exclusive = kExclusive.is(instruction) && !kCompareAndSwapPair.is(instruction);
        if (is_exclusive && (instruction & kLoadBit) != 0)
            before_store_ = kMaxBetween;
        else if (is_exclusive || kClearExclusive.is(instruction) || kByRegister.is(instruction) ||
                 (kBranch.is(instruction) && (instruction & kCallBit) == 0))
            before_store_ = 0;
        else if (before_store_ != 0)
            --before_store_;
    }

    void follow(uint32_t instruction, uint32_t at)
    {
        const std::optional<DirectJump> jump = direct_jump(instruction);
        const int64_t target = at + (jump ? jump->distance : 0);
        if (jump && target >= 0 && target < size_)
            code_.targets.push_back(static_cast<uint32_t>(target));
        else if (jump && !jump->is_call)
            code_.exits.push_back({at, target, jump->is_conditional});
    }

    int64_t size_;
    Code code_;
    uint32_t limit_ = kNoRegister; ///< the register that currently contains g.stackguard0
    bool adds_before_ = false;
    /// number of following instructions among which the store of the last exclusive load may be; 0: no store is
    /// expected
    int before_store_ = 0;
};

} // namespace

uint32_t instruction_in(std::span<const uint8_t> bytes)
{
    uint32_t instruction = 0;
    std::memcpy(&instruction, bytes.data(), sizeof instruction);
    return instruction;
}

std::optional<DirectJump> direct_jump(uint32_t instruction)
{
    constexpr int64_t kWord = kInstruction;
    if (kBranch.is(instruction))
        return DirectJump{kWord * extended(instruction, 0, 26), (instruction & kCallBit) != 0, false, true};
    if (kBranchIf.is(instruction))
        return DirectJump{kWord * extended(instruction, 5, 19), false, true, true};
    if (kCompareAndBranch.is(instruction))
        return DirectJump{kWord * extended(instruction, 5, 19), false, true, false};
    if (kTestAndBranch.is(instruction))
        return DirectJump{kWord * extended(instruction, 5, 14), false, true, false};
    return std::nullopt;
}

/// Yields no instructions for 32-bit programs, in which the kernel does not support probes.
Code read_code(std::span<const uint8_t> code, bool is_narrow)
{
    FunctionReader reader(code.size());
    std::size_t at = 0;
    for (; !is_narrow && code.size() - at >= kInstruction; at += kInstruction) {
        const uint32_t instruction = instruction_in(code.subspan(at));
        if (is_no_instruction(instruction))
            break;
        reader.read(instruction, static_cast<uint32_t>(at));
    }
    // The function's size includes the padding of Go's linker, which consists of zeros.
    const bool is_filled =
        std::all_of(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(), [](uint8_t byte) { return byte == 0; });
    return reader.take(!is_narrow && is_filled);
}

bool may_call_itself(std::span<const uint8_t> function)
{
    for (std::size_t at = 0; at + kInstruction <= function.size(); at += kInstruction) {
        const uint32_t instruction = instruction_in(function.subspan(at));
        const std::optional<DirectJump> jump = direct_jump(instruction);
        if (jump && jump->is_call && jump->distance == -static_cast<int64_t>(at))
            return true;
    }
    return false;
}

bool may_make(std::span<const uint8_t> function, int32_t number)
{
    // Searches for the instruction movn with a W or X register, which loads the complement of 16 bits (Arm Architecture
    // Reference Manual, C6.2, MOVN)
    constexpr uint32_t kMovn = 0x12800000, kOpcode = 0x7fe00000, kAnyWidth = 0x7fffffff;
    const uint32_t bits = ~static_cast<uint32_t>(number);
    if (bits > 0xffff)
        return false;
    for (std::size_t at = 0; at + kInstruction <= function.size(); at += kInstruction) {
        const uint32_t instruction = instruction_in(function.subspan(at)) & kAnyWidth;
        if ((instruction & kOpcode) == kMovn && (instruction >> 5 & 0xffff) == bits)
            return true;
    }
    return false;
}

// Replaces calls of external functions by a nop, for the kinds of calls that compilers emit. A tail call becomes a
// return.

namespace {

constexpr uint32_t kNothing = 0xd503201f, kReturnInstead = 0xd65f03c0;

/// Bit of a branch instruction that is 1 in bl, which calls, and 0 in b, which jumps.
constexpr uint32_t kIsCall = 0x80000000;
bool is_branch(uint32_t instruction)
{
    return (instruction & 0x7c000000) == 0x14000000;
}

} // namespace

bool is_call_relocation(uint32_t type)
{
    return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
}

bool replace_call(std::span<uint8_t> code, uint64_t target)
{
    if (target > code.size() || code.size() - target < kInstruction)
        return false;
    const uint32_t call = instruction_in(code.subspan(target));
    if (!is_branch(call))
        return false;
    const uint32_t instead = (call & kIsCall) != 0 ? kNothing : kReturnInstead;
    std::memcpy(&code[target], &instead, sizeof instead);
    return true;
}

bool is_replaced_call(std::span<const uint8_t> code, uint64_t target)
{
    if (target > code.size() || code.size() - target < kInstruction)
        return false;
    const uint32_t there = instruction_in(code.subspan(target));
    return there == kNothing || there == kReturnInstead;
}

} // namespace dt::machine::arm64
