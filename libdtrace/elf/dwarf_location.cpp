// Evaluates DWARF expressions symbolically. The stack of the machine that DWARF defines contains locations instead of
// numbers. Arithmetic with constants is done immediately, so most expressions become a register plus a constant.
#include "libdtrace/elf/dwarf_location.hpp"

#include <dwarf.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "libdtrace/elf/dwarf_file.hpp"

namespace dt {

FrameTables::FrameTables(const std::string& path, Dwarf* debug) : elf_(path)
{
    if (!elf_.get())
        return;
    unwind_ = dwarf_getcfi_elf(elf_.get());
    debug_ = debug ? dwarf_getcfi(debug) : nullptr;
    is_narrow_ = gelf_getclass(elf_.get()) == ELFCLASS32;
}

FrameTables::~FrameTables()
{
    if (unwind_)
        dwarf_cfi_end(unwind_);
}

std::unique_ptr<Dwarf_Frame, void (*)(void*)> FrameTables::frame(uint64_t address) const
{
    Dwarf_Frame* found = nullptr;
    for (Dwarf_CFI* const table : {unwind_, debug_})
        if (table && !found && dwarf_cfi_addrframe(table, address, &found) != 0)
            found = nullptr;
    return {found, std::free};
}

namespace {

/// Returns whether the file is a program and not a library. Only the thread-local variables of a program have a fixed
/// distance from the thread pointer.
bool is_main_program(Elf* elf)
{
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header))
        return false;
    if (header.e_type == ET_EXEC)
        return true;
    Elf_Scn* section = nullptr;
    const auto dynamic = find_section(elf, ".dynamic", &section);
    Elf_Data* const data = dynamic && section ? elf_getdata(section, nullptr) : nullptr;
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry); ++i)
        if (entry.d_tag == DT_FLAGS_1)
            return (entry.d_un.d_val & DF_1_PIE) != 0;
    return false;
}

} // namespace

std::optional<int64_t> FrameTables::thread_locals(const machine::Machine& machine) const
{
    constexpr uint64_t kBeforeLocals = 16; // bytes between the thread pointer and the variables that follow it
    std::size_t count = 0;
    if (!elf_.get() || !is_main_program(elf_.get()) || elf_getphdrnum(elf_.get(), &count) != 0)
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf_.get(), static_cast<int>(i), &segment) || segment.p_type != PT_TLS)
            continue;
        const uint64_t align = std::max<uint64_t>(segment.p_align, 1);
        if (!std::has_single_bit(align) || segment.p_memsz > UINT32_MAX || align > UINT32_MAX)
            return {};
        const auto rounded = [align](uint64_t bytes) {
            return static_cast<int64_t>((bytes + align - 1) & ~(align - 1));
        };
        return machine.thread_locals.is_below ? -rounded(segment.p_memsz) : rounded(kBeforeLocals);
    }
    return {};
}

namespace {

using Kind = Location::Kind;

constexpr unsigned kMaxSteps = 256, kMaxNodes = 128, kMaxPieces = 32;

/// Reason why an expression cannot be compiled.
struct Refused {
    std::string reason;
    bool is_lost = false;
};

Location constant(int64_t value)
{
    return {Kind::Constant, 0, value};
}

Location of_two(Kind kind, Location left, Location right, uint32_t which = 0)
{
    Location made{kind, which};
    made.of = {std::move(left), std::move(right)};
    return made;
}

std::size_t count_nodes(const Location& where)
{
    std::size_t count = 1;
    for (const Location& part : where.of)
        count += count_nodes(part);
    return count;
}

int64_t added(int64_t left, int64_t right)
{
    return static_cast<int64_t>(static_cast<uint64_t>(left) + static_cast<uint64_t>(right));
}

/// Returns the location of the sum of two locations. Two constants are added immediately.
Location sum(Location left, Location right)
{
    if (left.kind == Kind::Constant)
        std::swap(left, right);
    if (right.kind == Kind::Constant) {
        if (right.offset == 0)
            return left;
        if (left.kind == Kind::Constant)
            return constant(added(left.offset, right.offset));
        if (left.kind == Kind::Add && left.of[1].kind == Kind::Constant) {
            left.of[1].offset = added(left.of[1].offset, right.offset);
            return left;
        }
    }
    return of_two(Kind::Add, std::move(left), std::move(right));
}

/// Returns the location of the lowest `size` bytes of a datum, extended to 64 bits.
Location extended(Location from, uint8_t size, bool is_signed)
{
    if (size == 8)
        return from;
    if (from.kind == Kind::Constant) {
        const unsigned unused = 64 - 8U * size;
        const uint64_t bits = static_cast<uint64_t>(from.offset) << unused;
        return constant(is_signed ? static_cast<int64_t>(bits) >> unused : static_cast<int64_t>(bits >> unused));
    }
    Location made{Kind::ShiftRight, 0, 0, size, is_signed};
    made.of = {std::move(from)};
    return made;
}

/// A number on the stack of the expression, with its type. The generic type of DWARF has 8 bytes.
struct Item {
    Location value;
    uint8_t size = 8;
    bool is_signed = false;
};

constexpr const char* kOnlyAtEntry = "the program has the value only at the entry of the function: use a probe there "
                                     "and a thread-local variable (self->)";

/// A call whose debug entry describes the values of its arguments.
struct CallSite {
    Dwarf_Die die, caller;
    uint64_t return_address = 0;
};

constexpr std::size_t kMaxCalls = 16;
constexpr uint64_t kMaxCallEntries = 1 << 20;
constexpr unsigned kDeepestCall = 32;

/// Returns whether a reference leads to the function: to the entry of its code, or to its declaration or abstract
/// description.
bool is_reference_to(const Dwarf_Die& target, Dwarf_Die function)
{
    if (target.addr == function.addr)
        return true;
    for (const unsigned attribute : {DW_AT_abstract_origin, DW_AT_specification})
        if (const auto other = dwarf_reference(function, attribute); other && other->addr == target.addr)
            return true;
    return false;
}

void add_calls(Dwarf_Die around, Dwarf_Die caller, const Dwarf_Die& function, std::vector<CallSite>& found,
               DwarfBudget& budget, unsigned depth)
{
    for_each_child(around, budget, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site) {
            const auto target =
                dwarf_reference(child, tag == DW_TAG_call_site ? DW_AT_call_origin : DW_AT_abstract_origin);
            Dwarf_Attribute place;
            Dwarf_Addr address = 0;
            const bool has_place =
                dwarf_attr(&child, DW_AT_call_return_pc, &place) || dwarf_attr(&child, DW_AT_low_pc, &place);
            if (target && is_reference_to(*target, function) && has_place && dwarf_formaddr(&place, &address) == 0)
                found.push_back({child, caller, address});
        } else if (depth < kDeepestCall && (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
                                            tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace)) {
            add_calls(child, tag == DW_TAG_subprogram ? child : caller, function, found, budget, depth + 1);
        }
        return found.size() <= kMaxCalls;
    });
}

/// Returns the calls of a function in its compilation unit, or none if there are too many.
std::vector<CallSite> find_calls(Dwarf_Die function)
{
    Dwarf_Die unit;
    std::vector<CallSite> found;
    DwarfBudget budget(kMaxCallEntries);
    if (dwarf_diecu(&function, &unit, nullptr, nullptr))
        add_calls(unit, function, function, found, budget, 0);
    return found.size() > kMaxCalls ? std::vector<CallSite>() : found;
}

/// Returns the register that a step of an expression names, or -1 if it names none.
int register_number(const Dwarf_Op& step)
{
    if (step.atom == DW_OP_regx)
        return static_cast<int>(std::min<uint64_t>(step.number, INT16_MAX));
    return step.atom >= DW_OP_reg0 && step.atom <= DW_OP_reg31 ? step.atom - DW_OP_reg0 : -1;
}

class Expression {
public:
    Expression(const CodePosition& position, Dwarf_Attribute* attribute) : position_(position), attribute_(attribute) {}

    /// Evaluates an expression and returns the number on top of the stack, for frame bases and canonical frame
    /// addresses.
    Location number(const Dwarf_Op* steps, std::size_t count)
    {
        run(steps, count);
        if (form_ == Form::Register)
            return register_;
        if (form_ != Form::Memory && form_ != Form::Value)
            throw Refused{"its debug information has an expression without a value"};
        return pop().value;
    }

    VariableLocation variable(const Dwarf_Op* steps, std::size_t count, uint64_t size)
    {
        run(steps, count);
        if (pieces_.empty() && offset_ == 0)
            add_piece(size, true);
        else if (size > offset_)
            lose(size - offset_);
        if (pieces_.empty())
            throw Refused{"the compiler has optimized it away", true};
        return {std::move(pieces_), std::move(lost_)};
    }

private:
    enum class Form { Nothing, Memory, Register, Value, Bytes };

    void run(const Dwarf_Op* steps, std::size_t count)
    {
        if (count > kMaxSteps)
            throw Refused{"its location is computed by too long an expression"};
        for (std::size_t i = 0; i < count; ++i)
            step(steps[i]);
        if (form_ == Form::Nothing && !stack_.empty())
            form_ = Form::Memory;
    }

    Item pop()
    {
        if (stack_.empty())
            throw Refused{"its debug information is damaged"};
        Item top = std::move(stack_.back());
        stack_.pop_back();
        return top;
    }

    void push(Location value, uint8_t size = 8, bool is_signed = false)
    {
        if (count_nodes(value) > kMaxNodes)
            throw Refused{"its location is computed by too long an expression"};
        stack_.push_back({std::move(value), size, is_signed});
    }

    Location of_register(uint64_t number)
    {
        if (position_.callee)
            return callers_register(static_cast<int>(std::min<uint64_t>(number, INT16_MAX)));
        const machine::DwarfNumbers& known = position_.machine.dwarf;
        if (number < known.words.size())
            return {Kind::Register, known.words[number]};
        const bool is_float = number >= known.first_float && number < known.first_float + 32;
        throw Refused{
            "it is in " +
            (is_float ? std::string(known.float_prefix) + std::to_string(number - known.first_float) : "a register") +
            ", which the kernel does not pass to probes"};
    }

    /// Returns the location of the value that a register has in the caller of the function in which the probe fires.
    Location callers_register(int number)
    {
        const CodePosition& inner = *position_.callee;
        const auto frame = inner.frames.frame(inner.address);
        Dwarf_Op room[3], *steps = nullptr;
        std::size_t count = 0;
        if (!frame || dwarf_frame_register(frame.get(), number, room, &steps, &count) != 0)
            throw Refused{"the program has no table of call frames (.eh_frame) for this instruction"};
        Expression rule(inner, nullptr);
        if (count == 0 && !steps) // the function has not changed the register
            return rule.of_register(static_cast<uint64_t>(number));
        if (count == 0)
            throw Refused{kOnlyAtEntry, true};
        rule.is_frame_base_ = true;
        const bool is_value = steps[count - 1].atom == DW_OP_stack_value || register_number(steps[0]) >= 0;
        Location found = rule.number(steps, count);
        return is_value ? found : memory(std::move(found), 8);
    }

    /// Returns the location of the function's return address, which is the address of the instruction after its call.
    Location return_address()
    {
        const machine::UnwindRegisters& unwind = position_.machine.unwind;
        CodePosition caller = position_;
        caller.callee = &position_;
        return Expression(caller, nullptr).callers_register(static_cast<int>(unwind.return_address));
    }

    /// Returns the value that a register had at the function's entry. The debug information of each call describes the
    /// values of its arguments. The return address identifies the call; if that call is not described, there is no
    /// value.
    Location entry_value(const Dwarf_Op& step)
    {
        Dwarf_Attribute entry;
        Dwarf_Op* steps = nullptr;
        std::size_t count = 0;
        if (position_.callee || is_nested_ || !attribute_ || dwarf_getlocation_attr(attribute_, &step, &entry) != 0 ||
            dwarf_getlocation(&entry, &steps, &count) != 0 || count != 1)
            throw Refused{kOnlyAtEntry, true};
        const int number = register_number(steps[0]);
        Location chosen{Kind::Unknown};
        bool is_known = false;
        const Location distance =
            of_two(Kind::Subtract, return_address(), {Kind::Register, position_.machine.saved.pc});
        for (const CallSite& call : find_calls(position_.function)) {
            const auto value = argument_value(call, number);
            if (!value)
                continue;
            Location choice{Kind::Select, 0, static_cast<int64_t>(call.return_address - position_.address)};
            choice.of = {distance, *value, std::move(chosen)};
            chosen = std::move(choice);
            is_known = true;
        }
        if (!is_known)
            throw Refused{kOnlyAtEntry, true};
        return chosen;
    }

    /// Returns the value of the register with which a call passes an argument, or nothing if it is not described.
    std::optional<Location> argument_value(const CallSite& call, int number)
    {
        const CodePosition caller{position_.machine, position_.frames, call.caller, call.return_address, &position_};
        std::optional<Location> found;
        DwarfBudget budget(kMaxCallEntries);
        for_each_child(call.die, budget, [&](Dwarf_Die& child) {
            Dwarf_Attribute place, value;
            Dwarf_Op* steps = nullptr;
            std::size_t count = 0;
            if ((dwarf_tag(&child) != DW_TAG_call_site_parameter &&
                 dwarf_tag(&child) != DW_TAG_GNU_call_site_parameter) ||
                !dwarf_attr(&child, DW_AT_location, &place) || dwarf_getlocation(&place, &steps, &count) != 0 ||
                count != 1 || register_number(steps[0]) != number ||
                (!dwarf_attr(&child, DW_AT_call_value, &value) &&
                 !dwarf_attr(&child, DW_AT_GNU_call_site_value, &value)) ||
                dwarf_getlocation(&value, &steps, &count) != 0 || count == 0)
                return true;
            try {
                found = Expression(caller, &value).number(steps, count);
            } catch (const Refused&) {
                found = {};
            }
            return false;
        });
        return found;
    }

    Location frame_address()
    {
        if (position_.callee) {
            Expression outer(position_, nullptr);
            outer.is_nested_ = true;
            const auto frame = position_.frames.frame(position_.address - 1); // inside of the call
            Dwarf_Op* steps = nullptr;
            std::size_t count = 0;
            if (!frame || dwarf_frame_cfa(frame.get(), &steps, &count) != 0 || count == 0)
                throw Refused{kOnlyAtEntry, true};
            return outer.number(steps, count);
        }
        const auto frame = position_.frames.frame(position_.address);
        Dwarf_Op* steps = nullptr;
        std::size_t count = 0;
        if (!frame || dwarf_frame_cfa(frame.get(), &steps, &count) != 0 || count == 0)
            throw Refused{"the program has no table of call frames (.eh_frame) for this instruction"};
        return nested(nullptr, steps, count);
    }

    Location frame_base()
    {
        Dwarf_Die function = position_.function;
        Dwarf_Attribute base;
        Dwarf_Op* steps = nullptr;
        std::size_t count = 0;
        if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &base) ||
            dwarf_getlocation_addr(&base, position_.address, &steps, &count, 1) != 1 || count == 0)
            throw Refused{"the debug information does not describe the function's frame at this instruction"};
        return nested(&base, steps, count);
    }

    Location nested(Dwarf_Attribute* attribute, const Dwarf_Op* steps, std::size_t count)
    {
        if (is_nested_)
            throw Refused{"its debug information is damaged"};
        Expression inner(position_, attribute);
        inner.is_nested_ = attribute == nullptr; // the frame base may refer to the frame address, but not to itself
        inner.is_frame_base_ = true;
        if (is_frame_base_ && attribute)
            throw Refused{"its debug information is damaged"};
        return inner.number(steps, count);
    }

    /// Returns the address of a thread-local variable at an offset in the program's thread-local memory.
    Location thread_local_address(const Item& offset) const
    {
        const auto start = position_.frames.thread_locals(position_.machine);
        if (!start || offset.value.kind != Kind::Constant || position_.machine.thread_locals.pointer.empty())
            throw Refused{"it is thread-local, and the address of a library's thread-local variables is not known"};
        return sum({Kind::ThreadPointer}, constant(added(*start, offset.value.offset)));
    }

    /// Returns size and signedness of the integer type to which an operation refers.
    Item typed(const Dwarf_Op& step, Location value)
    {
        Dwarf_Die type;
        Dwarf_Word size = 0, encoding = 0;
        Dwarf_Attribute found;
        if (!attribute_ || dwarf_getlocation_die(attribute_, &step, &type) != 0 ||
            !dwarf_attr(&type, DW_AT_byte_size, &found) || dwarf_formudata(&found, &size) != 0 ||
            !dwarf_attr(&type, DW_AT_encoding, &found) || dwarf_formudata(&found, &encoding) != 0)
            throw Refused{"its debug information is damaged"};
        const bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
        const bool is_number = is_signed || encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
                               encoding == DW_ATE_boolean || encoding == DW_ATE_address;
        if (!is_number || size > 8 || !std::has_single_bit(size))
            throw Refused{"its value is computed by arithmetic that probes do not have"};
        return {extended(std::move(value), static_cast<uint8_t>(size), is_signed), static_cast<uint8_t>(size),
                is_signed};
    }

    /// Returns the location of a signed quotient by a constant: the magnitudes are divided, and the sign is restored.
    /// `s` is 0 or -1, and (x ^ s) - s negates x if it is -1.
    static Location quotient(const Item& dividend, const Location& divisor)
    {
        if (divisor.kind != Kind::Constant || divisor.offset == 0 || divisor.offset == INT64_MIN)
            throw Refused{"its value is computed by arithmetic that probes do not have"};
        const Location sign =
            of_two(Kind::Compute, dividend.value, constant(8 * sizeof(int64_t) - 1), Location::ShiftRightSigned);
        const auto negated_if = [&sign](const Location& value) {
            return of_two(Kind::Subtract, of_two(Kind::Compute, value, sign, Location::XorBits), sign);
        };
        const Location unsigned_quotient =
            of_two(Kind::Compute, negated_if(dividend.value), constant(std::abs(divisor.offset)), Location::Divide);
        const Location signed_quotient = negated_if(unsigned_quotient);
        return divisor.offset > 0 ? signed_quotient : of_two(Kind::Subtract, constant(0), signed_quotient);
    }

    void compute(const Dwarf_Op& step)
    {
        const Item right = pop(), left = pop();
        if (left.size != right.size)
            throw Refused{"its debug information is damaged"};
        const auto push_typed = [&](Location value) {
            push(extended(std::move(value), left.size, left.is_signed), left.size, left.is_signed);
        };
        const auto by = [&](Location::Computation which) {
            return of_two(Kind::Compute, left.value, right.value, which);
        };
        switch (step.atom) {
        case DW_OP_plus:
            return push_typed(sum(left.value, right.value));
        case DW_OP_minus:
            if (right.value.kind == Kind::Constant)
                return push_typed(sum(left.value, constant(added(~right.value.offset, 1))));
            return push_typed(of_two(Kind::Subtract, left.value, right.value));
        case DW_OP_and:
            return push_typed(by(Location::AndBits));
        case DW_OP_div:
            return push_typed(quotient(left, right.value));
        case DW_OP_mod:
            if (right.value.kind != Kind::Constant || right.value.offset == 0)
                throw Refused{"its value is computed by arithmetic that probes do not have"};
            return push_typed(by(Location::Remainder));
        case DW_OP_mul:
            return push_typed(by(Location::Multiply));
        case DW_OP_or:
            return push_typed(by(Location::OrBits));
        case DW_OP_xor:
            return push_typed(by(Location::XorBits));
        default:
            break;
        }
        const bool is_shift = step.atom == DW_OP_shl || step.atom == DW_OP_shr || step.atom == DW_OP_shra;
        const bool is_inside =
            right.value.kind == Kind::Constant && right.value.offset >= 0 && right.value.offset < 8 * left.size;
        if (!is_shift || !is_inside || (step.atom == DW_OP_shr && left.is_signed && left.size != 8))
            throw Refused{"its value is computed by arithmetic that probes do not have"};
        const Item sign{extended(left.value, left.size, step.atom == DW_OP_shra)};
        push_typed(of_two(Kind::Compute, sign.value, right.value,
                          step.atom == DW_OP_shl    ? Location::ShiftLeft
                          : step.atom == DW_OP_shra ? Location::ShiftRightSigned
                                                    : Location::ShiftRightUnsigned));
    }

    Location memory(Location address, uint64_t size)
    {
        if (size > 8 || !std::has_single_bit(size))
            throw Refused{"its debug information is damaged"};
        Location made{Kind::UserWord, 0, 0, static_cast<uint8_t>(size)};
        made.of = {std::move(address)};
        return made;
    }

    void copy(std::size_t depth)
    {
        if (depth >= stack_.size())
            throw Refused{"its debug information is damaged"};
        const Item item = stack_[stack_.size() - 1 - depth];
        push(item.value, item.size, item.is_signed);
    }

    bool arrange(const Dwarf_Op& step)
    {
        switch (step.atom) {
        case DW_OP_nop:
            return true;
        case DW_OP_dup:
            copy(0);
            return true;
        case DW_OP_over:
            copy(1);
            return true;
        case DW_OP_pick:
            copy(step.number);
            return true;
        case DW_OP_drop:
            pop();
            return true;
        case DW_OP_swap: {
            Item first = pop(), second = pop();
            stack_.push_back(std::move(first));
            stack_.push_back(std::move(second));
            return true;
        }
        default:
            return false;
        }
    }

    bool read_constant(const Dwarf_Op& step)
    {
        if (step.atom >= DW_OP_lit0 && step.atom <= DW_OP_lit31) {
            push(constant(step.atom - DW_OP_lit0));
            return true;
        }
        switch (step.atom) {
        case DW_OP_const1u:
        case DW_OP_const1s:
        case DW_OP_const2u:
        case DW_OP_const2s:
        case DW_OP_const4u:
        case DW_OP_const4s:
        case DW_OP_const8u:
        case DW_OP_const8s:
        case DW_OP_constu:
        case DW_OP_consts:
            push(constant(static_cast<int64_t>(step.number)));
            return true;
        case DW_OP_addr:
        case DW_OP_addrx:
        case DW_OP_GNU_addr_index:
        case DW_OP_constx:
        case DW_OP_GNU_const_index:
            read_address(step);
            return true;
        default:
            return false;
        }
    }

    /// Reads an address of the file. The process may have loaded the file at any address, so the result is relative to
    /// the program counter.
    void read_address(const Dwarf_Op& step)
    {
        Dwarf_Word address = step.number;
        if (step.atom != DW_OP_addr) {
            Dwarf_Attribute indirect;
            if (!attribute_ || dwarf_getlocation_attr(attribute_, &step, &indirect) != 0)
                throw Refused{"its debug information is damaged"};
            if (step.atom == DW_OP_constx || step.atom == DW_OP_GNU_const_index) {
                if (dwarf_formudata(&indirect, &address) != 0)
                    throw Refused{"its debug information is damaged"};
                return push(constant(static_cast<int64_t>(address)));
            }
            if (dwarf_formaddr(&indirect, &address) != 0)
                throw Refused{"its debug information is damaged"};
        }
        file_address_ = address;
        push(sum({Kind::Register, position_.machine.saved.pc},
                 constant(static_cast<int64_t>(address - position_.address))));
    }

    bool read_register(const Dwarf_Op& step)
    {
        if (step.atom >= DW_OP_breg0 && step.atom <= DW_OP_breg31) {
            push(sum(of_register(step.atom - DW_OP_breg0), constant(static_cast<int64_t>(step.number))));
            return true;
        }
        if (step.atom >= DW_OP_reg0 && step.atom <= DW_OP_reg31) {
            register_ = of_register(step.atom - DW_OP_reg0);
            form_ = Form::Register;
            return true;
        }
        switch (step.atom) {
        case DW_OP_bregx:
            push(sum(of_register(step.number), constant(static_cast<int64_t>(step.number2))));
            return true;
        case DW_OP_regx:
            register_ = of_register(step.number);
            form_ = Form::Register;
            return true;
        case DW_OP_fbreg:
            push(sum(frame_base(), constant(static_cast<int64_t>(step.number))));
            return true;
        case DW_OP_call_frame_cfa:
            push(frame_address());
            return true;
        case DW_OP_regval_type:
        case DW_OP_GNU_regval_type:
            stack_.push_back(typed(step, of_register(step.number)));
            return true;
        default:
            return false;
        }
    }

    bool finish(const Dwarf_Op& step)
    {
        switch (step.atom) {
        case DW_OP_stack_value:
            form_ = Form::Value;
            return true;
        case DW_OP_implicit_value: {
            Dwarf_Block block;
            if (!attribute_ || dwarf_getlocation_implicit_value(attribute_, &step, &block) != 0)
                throw Refused{"its debug information is damaged"};
            bytes_.assign(block.data, block.data + std::min<std::size_t>(block.length, 8 * kMaxPieces));
            form_ = Form::Bytes;
            return true;
        }
        case DW_OP_piece:
            if (form_ == Form::Nothing && !stack_.empty())
                form_ = Form::Memory;
            add_piece(step.number, false);
            return true;
        case DW_OP_implicit_pointer:
        case DW_OP_GNU_implicit_pointer:
            throw Refused{"the compiler has optimized the pointer away: the debug information describes only the data "
                          "that it points to",
                          true};
        case DW_OP_entry_value:
        case DW_OP_GNU_entry_value:
            push(entry_value(step));
            return true;
        default:
            return false;
        }
    }

    void step(const Dwarf_Op& step)
    {
        if (arrange(step) || read_constant(step) || read_register(step) || finish(step))
            return;
        switch (step.atom) {
        case DW_OP_deref:
            return push(memory(pop().value, 8));
        case DW_OP_deref_size:
            return push(memory(pop().value, step.number));
        case DW_OP_deref_type:
        case DW_OP_GNU_deref_type:
            return stack_.push_back(typed(step, memory(pop().value, step.number)));
        case DW_OP_convert:
        case DW_OP_GNU_convert: {
            Item from = pop();
            if (step.number == 0)
                return push(std::move(from.value));
            return stack_.push_back(typed(step, std::move(from.value)));
        }
        case DW_OP_plus_uconst: {
            Item from = pop();
            return push(sum(std::move(from.value), constant(static_cast<int64_t>(step.number))));
        }
        case DW_OP_neg: {
            Item from = pop();
            push(extended(of_two(Kind::Subtract, constant(0), std::move(from.value)), from.size, from.is_signed),
                 from.size, from.is_signed);
            return;
        }
        case DW_OP_not: {
            Item from = pop();
            push(extended(of_two(Kind::Compute, std::move(from.value), constant(-1), Location::XorBits), from.size,
                          from.is_signed),
                 from.size, from.is_signed);
            return;
        }
        case DW_OP_form_tls_address:
        case DW_OP_GNU_push_tls_address: {
            Item offset = pop();
            if (file_address_) // the operand may be written as an address of the file
                offset.value = constant(static_cast<int64_t>(*std::exchange(file_address_, {})));
            return push(thread_local_address(offset));
        }
        default:
            return compute(step);
        }
    }

    /// Adds the part of a datum that begins `skipped` bytes after its start.
    void add_value(const Location& value, uint64_t size)
    {
        for (uint64_t done = 0; done < size;) {
            const uint64_t each = std::bit_floor(size - done);
            Location part = value;
            if (done != 0) {
                part = {Kind::ShiftRight, 0, static_cast<int64_t>(8 * done)};
                part.of = {value};
            }
            pieces_.push_back(
                {static_cast<uint32_t>(offset_ + done), static_cast<uint32_t>(each), false, std::move(part)});
            done += each;
        }
    }

    void add_bytes(uint64_t size)
    {
        if (bytes_.size() < size)
            throw Refused{"the debug information describes only a part of it"};
        for (uint64_t done = 0; done < size;) {
            const uint64_t each = std::bit_floor(std::min<uint64_t>(size - done, 8));
            int64_t value = 0;
            std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(done), each, reinterpret_cast<uint8_t*>(&value));
            pieces_.push_back(
                {static_cast<uint32_t>(offset_ + done), static_cast<uint32_t>(each), false, constant(value)});
            done += each;
        }
    }

    void add_piece(uint64_t size, bool is_whole)
    {
        if (size > UINT32_MAX || offset_ > UINT32_MAX || pieces_.size() >= kMaxPieces)
            throw Refused{"it is too large"};
        switch (std::exchange(form_, Form::Nothing)) {
        case Form::Nothing:
            if (is_whole)
                throw Refused{"the compiler has optimized it away", true};
            return lose(size);
        case Form::Memory:
            pieces_.push_back({static_cast<uint32_t>(offset_), static_cast<uint32_t>(size), true, pop().value});
            break;
        case Form::Register:
        case Form::Value:
            if (size > 8 || size == 0)
                throw Refused{"it is larger than the register that contains a part of it"};
            add_value(pieces_value(), size);
            break;
        case Form::Bytes:
            add_bytes(size);
            break;
        }
        offset_ += size;
    }

    void lose(uint64_t size)
    {
        lost_.push_back({offset_, offset_ + size});
        offset_ += size;
    }

    Location pieces_value()
    {
        if (stack_.empty())
            return std::exchange(register_, {});
        return pop().value;
    }

    const CodePosition& position_;
    Dwarf_Attribute* attribute_;
    std::vector<Item> stack_;
    std::vector<VariableLocation::Piece> pieces_;
    std::vector<ByteRange> lost_;
    std::vector<uint8_t> bytes_;
    Location register_;
    Form form_ = Form::Nothing;
    uint64_t offset_ = 0;
    std::optional<uint64_t> file_address_;
    bool is_nested_ = false, is_frame_base_ = false;
};

/// Returns the location of a variable whose value is a constant.
VariableLocation constant_location(Dwarf_Attribute& attribute, uint64_t size)
{
    VariableLocation location;
    Dwarf_Sword number = 0;
    Dwarf_Word word = 0;
    Dwarf_Block block;
    std::vector<uint8_t> bytes(8);
    if (dwarf_formblock(&attribute, &block) == 0)
        bytes.assign(block.data, block.data + std::min<std::size_t>(block.length, 8 * kMaxPieces));
    else if (dwarf_formsdata(&attribute, &number) == 0)
        std::copy_n(reinterpret_cast<const uint8_t*>(&number), 8, bytes.begin());
    else if (dwarf_formudata(&attribute, &word) == 0)
        std::copy_n(reinterpret_cast<const uint8_t*>(&word), 8, bytes.begin());
    else
        throw Refused{"its constant value is not a number"};
    if (size == 0 || size > bytes.size())
        throw Refused{"the debug information describes only a part of it"};
    for (uint64_t done = 0; done < size;) {
        const uint64_t each = std::bit_floor(std::min<uint64_t>(size - done, 8));
        int64_t value = 0;
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(done), each, reinterpret_cast<uint8_t*>(&value));
        location.pieces.push_back({static_cast<uint32_t>(done), static_cast<uint32_t>(each), false, constant(value)});
        done += each;
    }
    return location;
}

} // namespace

CompiledLocation compile_location(const CodePosition& position, Dwarf_Die variable, uint64_t size)
{
    Dwarf_Attribute attribute;
    try {
        if (position.frames.is_narrow())
            throw Refused{"variables of 32-bit programs are not supported"};
        if (dwarf_attr_integrate(&variable, DW_AT_const_value, &attribute))
            return {constant_location(attribute, size), {}};
        Dwarf_Op* steps = nullptr;
        std::size_t count = 0;
        if (!dwarf_attr_integrate(&variable, DW_AT_location, &attribute) ||
            dwarf_getlocation_addr(&attribute, position.address, &steps, &count, 1) != 1 || count == 0)
            throw Refused{"the compiler has optimized it away", true};
        return {Expression(position, &attribute).variable(steps, count, size), {}};
    } catch (Refused& refused) {
        return {{}, std::move(refused.reason), refused.is_lost};
    }
}

} // namespace dt
