// Interprets the programs of .eh_frame. Follows only the stack pointer, the frame pointer and the return address.
#include "libdtrace/stacks/unwind_program.hpp"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "bpf-runtime/stacks/unwind_places.h"

namespace dt {
namespace {

constexpr std::size_t kMaxRemembered = 64;

/// DW_CFA_AARCH64_negate_ra_state and DW_CFA_AARCH64_negate_ra_state_with_pc switch the signing of the return address
/// on and off. This code ignores them, because the unwinder removes signatures from all return addresses.
constexpr uint8_t kNegateSigned = 0x2d, kNegateSignedWithPc = 0x2c;

/// Describes where a function has saved the caller's value of a register.
struct SavedRegister {
    enum class Kind : uint8_t { Same, Undefined, AtCfa, Expression, Register, Other } kind = Kind::Same;
    /// offset of the saved value from the CFA (canonical frame address); for Kind::Register, the DWARF number of the
    /// register that contains the value
    int64_t offset = 0;
    std::span<const uint8_t> expression;
};

struct State {
    uint64_t cfa_register = 0;
    int64_t cfa_offset = 0;
    // If this expression is not empty, its value is the CFA; otherwise the CFA is cfa_register + cfa_offset.
    std::span<const uint8_t> cfa_expression;
    SavedRegister frame_pointer, return_address;
};

/// An address computed from register `base`: base + offset. If is_dereferenced, the address is the word in memory at
/// base + offset, plus `plus`.
struct Indirection {
    uint64_t base = 0;
    int64_t offset = 0;
    uint64_t plus = 0;
    bool is_dereferenced = false;
};

std::optional<Indirection> read_indirection(std::span<const uint8_t> expression,
                                            const machine::UnwindRegisters& machine)
{
    DwarfBytes bytes(expression);
    const auto operation = static_cast<uint8_t>(bytes.number(1));
    Indirection result;
    if (operation != DW_OP_breg0 + machine.frame_pointer && operation != DW_OP_breg0 + machine.stack_pointer)
        return {};
    result.base = static_cast<uint64_t>(operation - DW_OP_breg0);
    result.offset = bytes.sleb();
    if (!bytes.empty() && bytes.rest().front() == DW_OP_deref) {
        bytes.number(1);
        result.is_dereferenced = true;
        if (!bytes.empty() && bytes.number(1) == DW_OP_plus_uconst)
            result.plus = bytes.uleb();
    }
    return bytes.empty() && !bytes.failed() ? std::optional(result) : std::nullopt;
}

/// Recognizes the expression that linkers write for PLT entries: stack pointer + word size + ((pc & 15) >= N) * word
/// size. Returns N.
std::optional<int> read_jump_table(std::span<const uint8_t> expression, const machine::UnwindRegisters& machine)
{
    using Shape = std::array<int, 11>;
    constexpr Shape kWide = {DW_OP_breg7, 8,        DW_OP_breg16, 0,         DW_OP_lit15, DW_OP_and,
                             -1,          DW_OP_ge, DW_OP_lit3,   DW_OP_shl, DW_OP_plus};
    constexpr Shape kNarrow = {DW_OP_breg4, 4,        DW_OP_breg8, 0,         DW_OP_lit15, DW_OP_and,
                               -1,          DW_OP_ge, DW_OP_lit2,  DW_OP_shl, DW_OP_plus};
    const Shape& shape = machine.is_narrow() ? kNarrow : kWide;
    const bool has_shape = std::equal(expression.begin(), expression.end(), shape.begin(), shape.end(),
                                      [](uint8_t byte, int wanted) { return wanted < 0 || byte == wanted; });
    if (!has_shape || expression[6] < DW_OP_lit0 || expression[6] > DW_OP_lit15)
        return {};
    return expression[6] - DW_OP_lit0;
}

template <typename Small> bool fits(int64_t value)
{
    return value >= std::numeric_limits<Small>::min() && value <= std::numeric_limits<Small>::max();
}

/// Returns the index of a DWARF register in struct pt_regs. Returns nothing if struct pt_regs does not contain it, or
/// if the unwinder does not read registers for this kind of program (bpf-runtime/stacks/unwind_places.h).
std::optional<int> saved_register(uint64_t number, const machine::UnwindRegisters& machine)
{
    const machine::Machine& native = machine::native();
    const bool is_read = !machine.is_linked && !machine.is_narrow() && !native.unwind.is_linked;
    return is_read && number < native.dwarf.words.size() ? std::optional<int>(native.dwarf.words[number])
                                                         : std::nullopt;
}

dt_unwind_rule frame_address_rule(const State& state, const machine::UnwindRegisters& machine)
{
    dt_unwind_rule rule{};
    if (state.cfa_expression.empty()) {
        const bool is_stack_pointer = state.cfa_register == machine.stack_pointer;
        const bool known =
            (is_stack_pointer || state.cfa_register == machine.frame_pointer) && fits<int32_t>(state.cfa_offset);
        constexpr int64_t kMaxOffset = 1 << 23;
        const auto other = known ? std::nullopt : saved_register(state.cfa_register, machine);
        if (other && state.cfa_offset >= -kMaxOffset && state.cfa_offset < kMaxOffset) {
            rule.cfa = DT_CFA_REGISTER;
            rule.cfa_offset = static_cast<int32_t>(state.cfa_offset * 256 + *other);
            return rule;
        }
        rule.cfa = !known ? DT_CFA_NONE : is_stack_pointer ? DT_CFA_SP : DT_CFA_FP;
        rule.cfa_offset = known ? static_cast<int32_t>(state.cfa_offset) : 0;
        return rule;
    }
    if (const auto jumps = machine.is_linked ? std::nullopt : read_jump_table(state.cfa_expression, machine)) {
        rule.cfa = DT_CFA_PLT;
        rule.cfa_offset = *jumps;
        return rule;
    }
    const auto at = read_indirection(state.cfa_expression, machine);
    if (at && at->is_dereferenced && fits<int16_t>(at->offset) && at->plus < 1 << 15) {
        rule.cfa = at->base == machine.stack_pointer ? DT_CFA_AT_SP : DT_CFA_AT_FP;
        rule.cfa_offset = static_cast<int32_t>(at->plus << 16 | static_cast<uint16_t>(at->offset));
    }
    return rule;
}

void add_frame_pointer(const SavedRegister& place, const machine::UnwindRegisters& machine, dt_unwind_rule& rule)
{
    using Kind = SavedRegister::Kind;
    int64_t offset = place.offset;
    rule.fp = place.kind == Kind::Same ? DT_FP_SAME : place.kind == Kind::AtCfa ? DT_FP_AT_CFA : DT_FP_LOST;
    if (place.kind == Kind::Expression) {
        const auto at = read_indirection(place.expression, machine);
        if (at && at->base == machine.frame_pointer && !at->is_dereferenced) {
            rule.fp = DT_FP_AT_FP;
            offset = at->offset;
        }
    }
    if (rule.fp == DT_FP_SAME || rule.fp == DT_FP_LOST)
        return;
    if (fits<int16_t>(offset))
        rule.fp_offset = static_cast<int16_t>(offset);
    else
        rule.fp = DT_FP_LOST;
}

/// Returns the rule of a signal frame of a 32-bit program. Its unwind program says where the address of the interrupted
/// instruction is saved. This address is a member of struct sigcontext_32, so its position shows where the structure
/// begins. The position depends on the kind of frame (struct sigframe_ia32 or rt_sigframe_ia32), and on how much of the
/// frame was already popped.
dt_unwind_rule narrow_signal_rule(const State& state, const machine::UnwindRegisters& machine)
{
    constexpr int64_t kInstruction = 56;
    const SavedRegister& place = state.return_address;
    std::optional<int64_t> at; // offset of the saved instruction address from the stack pointer
    if (place.kind == SavedRegister::Kind::AtCfa && state.cfa_expression.empty() &&
        state.cfa_register == machine.stack_pointer) {
        at = state.cfa_offset + place.offset;
    } else if (place.kind == SavedRegister::Kind::Expression) {
        const auto read = read_indirection(place.expression, machine);
        if (read && !read->is_dereferenced && read->base == machine.stack_pointer)
            at = read->offset;
    }
    dt_unwind_rule rule{};
    if (at && fits<int16_t>(*at)) {
        rule.cfa = DT_CFA_SIGNAL;
        rule.cfa_offset = static_cast<int32_t>(*at - kInstruction);
    }
    return rule;
}

/// Returns the rule for machines with a link register. The return address is in that register, or where the function
/// has saved it.
dt_unwind_rule linked_rule(const State& state, const machine::UnwindRegisters& machine)
{
    // Limits for cfa_offset, a field of an unwind rule (abi.h).
    constexpr int64_t kMaxOffset = 1 << 20, kMaxApart = 1 << 11;
    const SavedRegister& address = state.return_address;
    const auto word = static_cast<int64_t>(machine.word);
    dt_unwind_rule rule = frame_address_rule(state, machine);
    if (rule.cfa == DT_CFA_NONE)
        return {};
    add_frame_pointer(state.frame_pointer, machine, rule);
    const auto with = [&](unsigned place) {
        rule.cfa = static_cast<unsigned char>(rule.cfa | place << DT_RA_BITS);
        return rule;
    };
    if (address.kind == SavedRegister::Kind::Same)
        return with(DT_RA_LINK);
    if (address.kind != SavedRegister::Kind::AtCfa)
        return {};
    if (rule.fp == DT_FP_AT_CFA && address.offset == rule.fp_offset + word)
        return with(DT_RA_AFTER_FP);
    if ((rule.fp == DT_FP_SAME || rule.fp == DT_FP_LOST) && fits<int16_t>(address.offset)) {
        rule.fp_offset = static_cast<int16_t>(address.offset);
        return with(DT_RA_AT_FP_OFFSET);
    }
    const int64_t words = address.offset / word;
    const bool has_room = rule.cfa < DT_CFA_PLT && rule.cfa_offset >= 0 && rule.cfa_offset < kMaxOffset &&
                          address.offset % word == 0 && words >= -kMaxApart && words < kMaxApart;
    if (!has_room)
        return {};
    rule.cfa_offset = static_cast<int32_t>(words * kMaxOffset + rule.cfa_offset);
    return with(DT_RA_AT_CFA_HIGH);
}

/// Returns the rule of a function that has moved its return address to another word of its frame, or to a register.
dt_unwind_rule elsewhere_rule(const State& state, const machine::UnwindRegisters& machine)
{
    const SavedRegister& address = state.return_address;
    const auto number = address.kind == SavedRegister::Kind::Register
                            ? saved_register(static_cast<uint64_t>(address.offset), machine)
                            : std::nullopt;
    const bool is_at_cfa =
        address.kind == SavedRegister::Kind::AtCfa && fits<int16_t>(address.offset) && !machine.is_narrow();
    dt_unwind_rule rule = frame_address_rule(state, machine);
    if (rule.cfa == DT_CFA_NONE || (!number && !is_at_cfa))
        return {};
    rule.cfa = static_cast<unsigned char>(rule.cfa | (number ? DT_RA_REGISTER : DT_RA_AT_FP_OFFSET) << DT_RA_BITS);
    rule.fp = state.frame_pointer.kind == SavedRegister::Kind::Same ? DT_FP_SAME : DT_FP_LOST;
    rule.fp_offset = static_cast<int16_t>(number.value_or(static_cast<int>(address.offset)));
    return rule;
}

dt_unwind_rule rule_of(const State& state, const machine::UnwindRegisters& machine, bool signal)
{
    dt_unwind_rule rule{};
    if (signal && machine.is_narrow())
        return narrow_signal_rule(state, machine);
    if (signal) {
        rule.cfa = DT_CFA_SIGNAL;
        return rule;
    }
    if (state.return_address.kind == SavedRegister::Kind::Undefined) {
        rule.cfa = DT_CFA_END;
        return rule;
    }
    if (machine.is_linked)
        return linked_rule(state, machine);
    if (state.return_address.kind != SavedRegister::Kind::AtCfa ||
        state.return_address.offset != -static_cast<int64_t>(machine.word))
        return elsewhere_rule(state, machine);
    rule = frame_address_rule(state, machine);
    if (rule.cfa != DT_CFA_NONE)
        add_frame_pointer(state.frame_pointer, machine, rule);
    return rule;
}

class Interpreter {
public:
    Interpreter(const UnwindCommon& common, uint64_t begin, uint64_t end, std::vector<UnwindRow>& rows)
        : common_(common), end_(end), at_(begin), rows_(rows)
    {
    }

    void run(std::span<const uint8_t> program)
    {
        execute(common_.program);
        initial_ = state_;
        remembered_.clear();
        if (!failed_)
            execute(program);
        emit();
    }

private:
    void emit()
    {
        if (failed_)
            state_ = State{}; // an error in the unwind program makes the frame unknown from this address on
        const dt_unwind_rule rule = rule_of(state_, common_.machine, common_.signal && !failed_);
        if (!rows_.empty() && rows_.back().address == at_)
            rows_.back().rule = rule;
        else
            rows_.push_back({at_, rule});
    }

    void advance(uint64_t by)
    {
        if (by > (end_ - at_) / std::max<uint64_t>(common_.code_factor, 1)) {
            failed_ = true;
            return;
        }
        if (by == 0 || common_.code_factor == 0)
            return;
        emit();
        at_ += by * common_.code_factor;
    }

    void execute(std::span<const uint8_t> program)
    {
        DwarfBytes bytes(program);
        while (!bytes.empty() && !failed_ && at_ < end_) {
            const auto operation = static_cast<uint8_t>(bytes.number(1));
            const uint8_t low = operation & 0x3f;
            switch (operation & 0xc0) {
            case DW_CFA_advance_loc:
                advance(low);
                break;
            case DW_CFA_offset:
                set(low, {SavedRegister::Kind::AtCfa, scaled(bytes.uleb()), {}});
                break;
            case DW_CFA_restore:
                restore(low);
                break;
            default:
                if (!move(operation, bytes) && !define_frame(operation, bytes) && !define_register(operation, bytes))
                    failed_ = true;
            }
            failed_ |= bytes.failed();
        }
    }

    bool move(uint8_t operation, DwarfBytes& bytes)
    {
        switch (operation) {
        case DW_CFA_nop:
            return true;
        case DW_CFA_advance_loc1:
            advance(bytes.number(1));
            return true;
        case DW_CFA_advance_loc2:
            advance(bytes.number(2));
            return true;
        case DW_CFA_advance_loc4:
            advance(bytes.number(4));
            return true;
        case DW_CFA_remember_state:
            remembered_.push_back(state_);
            return remembered_.size() <= kMaxRemembered;
        case DW_CFA_restore_state:
            if (remembered_.empty())
                return false;
            state_ = remembered_.back();
            remembered_.pop_back();
            return true;
        case DW_CFA_GNU_args_size:
            bytes.uleb();
            return true;
        case kNegateSigned:
        case kNegateSignedWithPc:
            return common_.machine.is_linked;
        default:
            return false; // fails for unknown operations and for DW_CFA_set_loc, which compilers do not generate
        }
    }

    bool define_frame(uint8_t operation, DwarfBytes& bytes)
    {
        switch (operation) {
        case DW_CFA_def_cfa:
            state_.cfa_register = bytes.uleb();
            state_.cfa_offset = static_cast<int64_t>(bytes.uleb());
            break;
        case DW_CFA_def_cfa_sf:
            state_.cfa_register = bytes.uleb();
            state_.cfa_offset = scaled(static_cast<uint64_t>(bytes.sleb()));
            break;
        case DW_CFA_def_cfa_register:
            state_.cfa_register = bytes.uleb();
            break;
        case DW_CFA_def_cfa_offset:
            state_.cfa_offset = static_cast<int64_t>(bytes.uleb());
            break;
        case DW_CFA_def_cfa_offset_sf:
            state_.cfa_offset = scaled(static_cast<uint64_t>(bytes.sleb()));
            break;
        case DW_CFA_def_cfa_expression:
            state_.cfa_expression = bytes.block(bytes.uleb());
            return !state_.cfa_expression.empty();
        default:
            return false;
        }
        state_.cfa_expression = {};
        return true;
    }

    bool define_register(uint8_t operation, DwarfBytes& bytes)
    {
        const uint64_t number = bytes.uleb();
        using Kind = SavedRegister::Kind;
        switch (operation) {
        case DW_CFA_offset_extended:
            set(number, {Kind::AtCfa, scaled(bytes.uleb()), {}});
            return true;
        case DW_CFA_offset_extended_sf:
            set(number, {Kind::AtCfa, scaled(static_cast<uint64_t>(bytes.sleb())), {}});
            return true;
        case DW_CFA_restore_extended:
            restore(number);
            return true;
        case DW_CFA_undefined:
            set(number, {Kind::Undefined, 0, {}});
            return true;
        case DW_CFA_same_value:
            set(number, {Kind::Same, 0, {}});
            return true;
        case DW_CFA_expression:
            set(number, {Kind::Expression, 0, bytes.block(bytes.uleb())});
            return true;
        case DW_CFA_val_expression:
            bytes.block(bytes.uleb());
            set(number, {Kind::Other, 0, {}});
            return true;
        case DW_CFA_register:
            set(number, {Kind::Register, static_cast<int64_t>(bytes.uleb()), {}});
            return true;
        case DW_CFA_val_offset:
            bytes.uleb();
            set(number, {Kind::Other, 0, {}});
            return true;
        case DW_CFA_val_offset_sf:
            bytes.sleb();
            set(number, {Kind::Other, 0, {}});
            return true;
        default:
            return false;
        }
    }

    int64_t scaled(uint64_t value) const
    {
        return static_cast<int64_t>(value * static_cast<uint64_t>(common_.data_factor));
    }

    void set(uint64_t number, const SavedRegister& place)
    {
        if (number == common_.machine.frame_pointer)
            state_.frame_pointer = place;
        else if (number == common_.return_register)
            state_.return_address = place;
    }

    void restore(uint64_t number)
    {
        set(number, number == common_.machine.frame_pointer ? initial_.frame_pointer : initial_.return_address);
    }

    const UnwindCommon& common_;
    const uint64_t end_;
    uint64_t at_;
    std::vector<UnwindRow>& rows_;
    State state_, initial_;
    std::vector<State> remembered_;
    bool failed_ = false;
};

} // namespace

uint64_t DwarfBytes::number(std::size_t size)
{
    const std::span<const uint8_t> bytes = block(size);
    uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

uint64_t DwarfBytes::uleb()
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint64_t byte = number(1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
}

int64_t DwarfBytes::sleb()
{
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
        const uint64_t byte = number(1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        if ((byte & 0x40) && shift < 64)
            value |= ~uint64_t{0} << shift;
        return static_cast<int64_t>(value);
    }
}

std::span<const uint8_t> DwarfBytes::block(uint64_t size)
{
    if (size > bytes_.size()) {
        failed_ = true;
        bytes_ = {};
        return {};
    }
    const std::span<const uint8_t> taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
}

std::optional<uint64_t> DwarfBytes::pointer(uint8_t encoding, uint64_t address, std::size_t word)
{
    constexpr uint8_t kSize = 0x07, kSigned = 0x08, kBase = 0x70;
    const std::size_t sizes[] = {word, 0, 2, 4, 8};
    const uint8_t form = encoding & kSize, base = encoding & kBase;
    if (form >= std::size(sizes) || sizes[form] == 0 || (base != DW_EH_PE_absptr && base != DW_EH_PE_pcrel))
        return {};
    const std::size_t size = sizes[form];
    uint64_t value = number(size);
    if ((encoding & kSigned) && size < 8 && (value >> (size * 8 - 1)))
        value |= ~uint64_t{0} << (size * 8);
    value += base == DW_EH_PE_pcrel ? address : 0;
    return word == 4 ? static_cast<uint32_t>(value) : value;
}

void run_unwind_programs(const UnwindCommon& common, std::span<const uint8_t> program, uint64_t begin, uint64_t end,
                         std::vector<UnwindRow>& rows)
{
    Interpreter(common, begin, end, rows).run(program);
}

} // namespace dt
