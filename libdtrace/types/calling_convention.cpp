// Computes in which registers and words of memory each parameter of a function is passed. A number or pointer takes one
// word, which a probe can read. The kernel gives probes only the integer registers and memory, so a probe cannot read
// floating-point numbers and some structures that are passed by value. The positions of such parameters are computed
// nevertheless, because the positions of later parameters depend on them.
//
// Sources: the machine's supplements of the System V ABI for 64 and 32 bits (C, and C++ except objects passed by
// address), the Procedure Call Standard for the Arm 64-bit Architecture, and go/src/cmd/compile/abi-internal.md. The
// machine description contains the register numbers. Structures follow the rules of Arm on machines where a call leaves
// its return address in a register, and the rules of System V on others. Rust has no stable ABI; its compiler passes
// structures of two numbers as two words, others of up to two words as their bytes, and larger ones by address.
#include "libdtrace/types/file_types.hpp"

#include <algorithm>
#include <optional>

#include "dcompiler/interface/plan.hpp"
#include "machine/conventions.hpp"

namespace dt {
namespace {

using Calls = probes::ProcessView::Calls;

/// maximum number of argument words of a probe, and number of those words that have a name (arg0 to arg9)
constexpr unsigned kMaxWords = kMaxArguments, kMaxNamedWords = 10;
constexpr unsigned kDeepestMember = 16;

constexpr const char* kUnread = ", which the kernel does not pass to probes: use a debugger, or copyin() after the "
                                "instruction that stores it in memory";

/// System V classes of the two eightbytes of a small structure: each may contain integers, floats or both.
struct Halves {
    bool is_integer[2] = {}, is_float[2] = {};
    bool is_odd = false; ///< whether some member is not aligned, so that the structure is passed in memory
};

void look_into(const Type* type, uint64_t offset, Halves& halves, unsigned depth)
{
    type = type->resolve();
    if (type->kind == TypeKind::Array) {
        const uint64_t each = type->target->resolve()->size;
        for (uint64_t i = 0; i < std::min<uint64_t>(type->count, 16) && each != 0; ++i)
            look_into(type->target, offset + i * each, halves, depth + 1);
    } else if (type->is_record() && depth < kDeepestMember) {
        for (const Member& member : type->members())
            look_into(member.type, offset + member.bit_offset / 8, halves, depth + 1);
    } else if (type->size != 0 && offset < 16) {
        halves.is_odd |= type->size > 8 || (type->size != 0 && offset % type->size != 0);
        auto& half = type->kind == TypeKind::Float ? halves.is_float : halves.is_integer;
        half[offset / 8] = true;
    }
}

bool has_long_double(const Type* type, unsigned depth)
{
    const Type* const plain = type->resolve();
    if (plain->kind == TypeKind::Array)
        return has_long_double(plain->target, depth + 1);
    if (!plain->is_record() || depth >= kDeepestMember)
        return plain->kind == TypeKind::Float && plain->size == 16;
    const std::vector<Member>& members = plain->members();
    return std::any_of(members.begin(), members.end(),
                       [&](const Member& member) { return has_long_double(member.type, depth + 1); });
}

/// Counts the floating-point numbers in a type. On machines with a link register (Arm), a structure that consists only
/// of one to four such numbers of equal size is passed in that many floating-point registers.
void count_floats(const Type* type, unsigned& count, uint64_t& size, bool& are_all, unsigned depth)
{
    const Type* const plain = type->resolve();
    if (plain->kind == TypeKind::Array) {
        for (uint64_t i = 0; i < std::min<uint64_t>(plain->count, 5); ++i)
            count_floats(plain->target, count, size, are_all, depth + 1);
    } else if (plain->is_record() && depth < kDeepestMember) {
        for (const Member& member : plain->members())
            count_floats(member.type, count, size, are_all, depth + 1);
    } else {
        are_all &= plain->kind == TypeKind::Float && (count == 0 || plain->size == size);
        size = plain->size;
        ++count;
    }
}

/// Returns the number of floating-point registers in which Arm passes a structure or array of floating-point numbers
/// of one size. Returns 0 for any other type.
unsigned equal_floats(const Type* type)
{
    unsigned count = 0;
    uint64_t size = 0;
    bool are_all = true;
    count_floats(type, count, size, are_all, 0);
    return are_all && count <= 4 && size * count == type->resolve()->size ? count : 0;
}

bool has_array(const Type* type, unsigned depth)
{
    const Type* const plain = type->resolve();
    if (!plain->is_record() || depth >= kDeepestMember)
        return plain->kind == TypeKind::Array;
    const std::vector<Member>& members = plain->members();
    return plain->kind == TypeKind::Union || std::any_of(members.begin(), members.end(), [&](const Member& member) {
               return has_array(member.type, depth + 1);
           });
}

/// Returns whether Rust passes a structure as two separate numbers, as it does for a "scalar pair".
bool is_pair_of_rust(const Type* type)
{
    const std::vector<NumberAt> numbers = numbers_of(type, 2);
    return numbers.size() == 2 && numbers[0].offset + numbers[0].size <= numbers[1].offset && !has_array(type, 0);
}

bool is_linked(const machine::Machine& machine)
{
    return machine.calls.return_address.has_value();
}

bool is_word(const Type* type)
{
    return type->is_scalar() && type->resolve()->size <= 8;
}

std::string what_it_is(const Type* type)
{
    return type->resolve()->kind == TypeKind::Float ? "a floating-point number"
           : type->is_record()                      ? "a structure passed by value"
                                                    : "a number of several words";
}

/// Returns the names of `count` words, such as "arg2", "arg2 and arg3" or "arg2 to arg4".
std::string words(unsigned first, uint64_t count)
{
    const std::string name = "arg" + std::to_string(first), last = "arg" + std::to_string(first + count - 1);
    return count == 1 ? name : name + (count == 2 ? " and " : " to ") + last;
}

std::string float_register(const machine::Machine& machine, uint64_t number)
{
    return std::string(machine.dwarf.float_prefix) + std::to_string(number);
}

/// Returns the text "a floating-point number in REGISTER, …", which names `count` registers beginning with the register
/// number `first`.
std::string in_float_registers(const machine::Machine& machine, const Type* type, uint64_t first, uint64_t count)
{
    const std::string name = float_register(machine, first), last = float_register(machine, first + count - 1);
    return what_it_is(type) + " in " + name + (count > 1 ? " to " + last : "") + kUnread;
}

Passed in_words(const Type* type, unsigned first, uint64_t count)
{
    const bool is_whole = type->is_record() || type->resolve()->kind == TypeKind::Float;
    if (first + (is_whole ? count - 1 : 0) >= kMaxWords)
        return {0, "it is beyond the last argument that a probe can read"};
    const bool is_readable = (is_word(type) && count == 1) || is_whole;
    return {static_cast<uint8_t>(first),
            is_readable ? std::string()
                        : what_it_is(type) +
                              (first + count <= kMaxNamedWords ? ", whose parts are " + words(first, count) : "")};
}

/// Assigns registers and stack words to parameters, from the first parameter to the last.
class ArgumentWords {
public:
    ArgumentWords(Calls calls, bool is_rust, const machine::Machine& machine)
        : calls_(calls), whole_machine_(machine), machine_(machine.calls), is_rust_(is_rust)
    {
    }

    void hide_one() { take(1); }

    Passed next(const Type* type)
    {
        if (is_lost_ || !type || type->resolve()->kind == TypeKind::Void) {
            is_lost_ = true; // from here on, later parameters have unknown positions too
            return {0, "its type, or the type of an earlier parameter, is not known"};
        }
        switch (calls_) {
        case Calls::C:
            return next_of_c(type);
        case Calls::C32:
        case Calls::GoOnStack:
            return next_on_stack(type);
        case Calls::Go:
            return next_of_go(type);
        }
        return {};
    }

private:
    void take(unsigned count) { (calls_ == Calls::C ? registers_ : stack_) += count; }

    Passed on_stack(const Type* type)
    {
        const uint64_t size = type->resolve()->size, count = std::min<uint64_t>((size + 7) / 8, 1 << 20);
        // a long double consists of two words and is aligned to two words
        stack_ += has_long_double(type, 0) ? stack_ % 2 : 0;
        const auto first = static_cast<unsigned>(machine_.arguments.size() + stack_);
        stack_ += count;
        return in_words(type, first, count);
    }

    Passed in_registers(const Type* type, unsigned count)
    {
        if (registers_ + count > machine_.arguments.size())
            return on_stack(type);
        const auto first = static_cast<unsigned>(registers_);
        registers_ += count;
        return in_words(type, first, count);
    }

    Passed by_address(const Type* type)
    {
        Passed passed = in_registers(type, 1);
        passed.form = StructureForm::Address;
        if (!type->is_record())
            passed.refusal = what_it_is(type) + ", whose address is " + words(passed.word, 1);
        return passed;
    }

    Passed in_floats(const Type* type, unsigned count)
    {
        if (floats_ + count > machine_.float_arguments)
            return on_stack(type);
        const uint64_t first = floats_;
        floats_ += count;
        return {0, in_float_registers(whole_machine_, type, first, count)};
    }

    Passed next_of_c(const Type* type)
    {
        const Type* const plain = type->resolve();
        if (is_word(type))
            return in_registers(type, 1);
        if (is_rust_ && type->is_record() && (plain->size > 16 || numbers_of(type, 1).size() > 1))
            return next_of_rust(type);
        if (is_linked(whole_machine_))
            return next_of_linked_c(type);
        if (plain->kind == TypeKind::Float)
            return plain->size <= 8 ? in_floats(type, 1) : on_stack(type);
        if (is_rust_ && plain->size > 16) {
            return by_address(type);
        }
        Halves halves;
        look_into(type, 0, halves, 0);
        if (plain->size > 16 || (halves.is_odd && !is_rust_))
            return on_stack(type);
        const unsigned integers = halves.is_integer[0] + halves.is_integer[1];
        const unsigned floats =
            (halves.is_float[0] && !halves.is_integer[0]) + (halves.is_float[1] && !halves.is_integer[1]);
        if (integers + floats == 0)
            return {0, "a structure without members, which is not passed"};
        if (registers_ + integers > machine_.arguments.size() || floats_ + floats > machine_.float_arguments)
            return on_stack(type);
        if (floats == 0)
            return in_registers(type, integers);
        Passed passed = integers != 0 ? in_registers(type, integers) : Passed{};
        const std::string part = integers != 0 ? words(passed.word, integers) + " and " : "";
        passed.refusal = part.empty() ? in_float_registers(whole_machine_, type, floats_, floats)
                                      : what_it_is(type) + ", whose parts are " + part +
                                            float_register(whole_machine_, floats_) + kUnread;
        floats_ += floats;
        return passed;
    }

    /// Assigns a position to a structure of several numbers. Each word of the structure is passed like a parameter of
    /// its own.
    Passed next_of_rust(const Type* type)
    {
        const uint64_t size = type->resolve()->size;
        if (size > 16)
            return by_address(type);
        const bool is_pair = is_pair_of_rust(type);
        Halves halves;
        look_into(type, 0, halves, 0);
        if (is_pair && (halves.is_float[0] || halves.is_float[1])) {
            const unsigned integers = halves.is_integer[0] + halves.is_integer[1], floats = 2 - integers;
            take(integers);
            floats_ += floats;
            return {0, in_float_registers(whole_machine_, type, floats_ - floats, floats)};
        }
        const unsigned count = is_pair || size > 8 ? 2 : 1;
        const uint64_t left = machine_.arguments.size() - registers_;
        if (left == 1 && count == 2 && stack_ != 0) {
            ++registers_;
            ++stack_;
            return {0, what_it_is(type) + ", whose parts are in a register and on the stack"};
        }
        const auto first = static_cast<unsigned>(left > 0 ? registers_ : machine_.arguments.size() + stack_);
        const uint64_t in_registers = std::min<uint64_t>(left, count);
        registers_ += in_registers;
        stack_ += count - in_registers;
        Passed passed = in_words(type, first, count);
        passed.form = is_pair ? StructureForm::Numbers : StructureForm::Bytes;
        return passed;
    }

    /// Assigns a position to a value of any size except one word, by the rules of Arm. If too few registers remain for
    /// the value, it is passed on the stack, and later values do not get the remaining registers either.
    Passed next_of_linked_c(const Type* type)
    {
        const uint64_t size = type->resolve()->size;
        if (const unsigned floats = equal_floats(type); floats != 0) {
            if (floats_ + floats <= machine_.float_arguments)
                return in_floats(type, floats);
            floats_ = machine_.float_arguments;
            return on_stack(type);
        }
        if (size > 16) {
            return by_address(type);
        }
        if (size == 0)
            return {0, "a structure without members, which is not passed"};
        const unsigned count = size > 8 ? 2 : 1;
        if (registers_ + count > machine_.arguments.size()) {
            registers_ = machine_.arguments.size();
            return on_stack(type);
        }
        return in_registers(type, count);
    }

    /// Assigns consecutive stack words of the traced program to a value. In Go, several values that are smaller than a
    /// word may share a word. All other values begin at a word boundary, in Go and in C.
    Passed next_on_stack(const Type* type)
    {
        const uint64_t word = calls_ == Calls::C32 ? 4 : 8, size = type->resolve()->size;
        const uint64_t count = std::min<uint64_t>((size + word - 1) / word, 1 << 20);
        // the value shares a word with others, and its position within the word is not computed
        if (calls_ == Calls::GoOnStack && size < word) {
            is_lost_ = true;
            return {0, "it shares a word of the stack with other values, and dtrace does not compute its position in "
                       "the word"};
        }
        const auto first = static_cast<unsigned>(stack_);
        stack_ += count;
        return in_words(type, first, count);
    }

    /// Counts the registers in which Go passes the parts of a type, one register for each number. Returns false if the
    /// type must be passed in memory.
    bool flatten(const Type* type, unsigned& integers, unsigned& floats, unsigned depth) const
    {
        const Type* const plain = type->resolve();
        if (is_word(type))
            return ++integers <= machine_.go_arguments.size();
        if (plain->kind == TypeKind::Float)
            return ++floats <= machine_.go_float_arguments;
        if (plain->kind == TypeKind::Array)
            return plain->count == 0 ||
                   (plain->count == 1 && depth < kDeepestMember && flatten(plain->target, integers, floats, depth + 1));
        if (!plain->is_record() || depth >= kDeepestMember)
            return false;
        const std::vector<Member>& members = plain->members();
        return std::all_of(members.begin(), members.end(),
                           [&](const Member& member) { return flatten(member.type, integers, floats, depth + 1); });
    }

    Passed next_of_go(const Type* type)
    {
        unsigned integers = 0, floats = 0;
        if (!flatten(type, integers, floats, 0) || registers_ + integers > machine_.go_arguments.size() ||
            floats_ + floats > machine_.go_float_arguments)
            return {0, "it is on the stack"};
        const auto first = static_cast<unsigned>(registers_);
        const uint64_t first_float = floats_;
        registers_ += integers;
        floats_ += floats;
        if (floats != 0)
            return {0, in_float_registers(whole_machine_, type, first_float, floats)};
        if (integers == 0)
            return {0, "a structure without members, which is not passed"};
        Passed passed = in_words(type, first, integers);
        passed.form = StructureForm::Numbers;
        return passed;
    }

    Calls calls_;
    const machine::Machine& whole_machine_;
    const machine::Calls& machine_;
    bool is_rust_, is_lost_ = false;
    uint64_t registers_ = 0, floats_ = 0, stack_ = 0;
};

/// Returns whether the result is stored in memory whose address the caller passes.
bool is_in_memory(const machine::Machine& machine, Calls calls, bool is_rust, const Type* result)
{
    if (!result || calls == Calls::Go || calls == Calls::GoOnStack ||
        (!result->is_record() && result->resolve()->kind != TypeKind::Array))
        return false;
    if (calls == Calls::C && is_linked(machine))
        return result->resolve()->size > 16 && equal_floats(result) == 0;
    Halves halves;
    look_into(result, 0, halves, 0);
    return calls == Calls::C32 || result->resolve()->size > 16 || (halves.is_odd && !is_rust);
}

/// Returns the index of the probe's argument word that contains a register's value, or nothing if none contains it.
std::optional<uint8_t> word_of_register(const machine::Machine& machine, Calls calls, unsigned dwarf_register)
{
    if (dwarf_register >= machine.dwarf.words.size())
        return {};
    const auto find = [&](const auto& arguments) -> std::optional<uint8_t> {
        const auto found = std::find(arguments.begin(), arguments.end(), machine.dwarf.words[dwarf_register]);
        return found == arguments.end() ? std::nullopt : std::optional(static_cast<uint8_t>(found - arguments.begin()));
    };
    return calls == Calls::C    ? find(machine.calls.arguments)
           : calls == Calls::Go ? find(machine.calls.go_arguments)
                                : std::nullopt;
}

} // namespace

std::vector<Passed> passed_parameters(Calls calls, bool is_rust, const Type* result,
                                      const std::vector<const Type*>& parameters, const machine::Machine& machine)
{
    ArgumentWords words(calls, is_rust, machine);
    const bool has_register = calls == Calls::C && machine::conventions_of(machine).result_address;
    if (is_in_memory(machine, calls, is_rust, result) && !has_register)
        words.hide_one();
    std::vector<Passed> passed;
    for (const Type* parameter : parameters)
        passed.push_back(words.next(parameter));
    return passed;
}

namespace {

/// Returns a text about a result in memory whose address the caller passes. On some machines, the register with this
/// address has another value when the function returns; the text then names that register.
std::string where_the_caller_wants_it(const machine::Machine& machine, Calls calls)
{
    const std::optional<machine::Word> word = machine::conventions_of(machine).result_address;
    if (calls != Calls::C || !word)
        return "a structure, whose address is arg1";
    const auto names = machine.registers.names;
    const auto name = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.number == *word; });
    return "a structure, whose address is in uregs[" + std::string(name->name) + "] at the function's entry";
}

} // namespace

Passed passed_result(Calls calls, const Type* result, const machine::Machine& machine)
{
    constexpr uint8_t kWord = 1; // in a return probe, the result is word 1 (arg1)
    if (is_word(result))
        return {kWord, result->resolve()->size > 4 && calls == Calls::C32
                           ? "a number of two words, of which arg1 is the lower"
                       : calls == Calls::GoOnStack ? "it is on the stack"
                                                   : ""};
    if (is_in_memory(machine, calls, false, result)) {
        const bool is_returned = calls == Calls::C && !machine::conventions_of(machine).result_address;
        if (is_returned && result->is_record())
            return {kWord, {}, StructureForm::Address};
        return {kWord, where_the_caller_wants_it(machine, calls)};
    }
    if (const unsigned floats = equal_floats(result); floats != 0 && calls == Calls::C && is_linked(machine))
        return {kWord, in_float_registers(machine, result, 0, floats)};
    Halves halves;
    look_into(result, 0, halves, 0);
    if ((halves.is_integer[0] || is_linked(machine)) && calls == Calls::C)
        return {kWord, what_it_is(result) + ", of which arg1 is the first word"};
    const bool in_one = calls != Calls::C32 && result->resolve()->size <= 8;
    return {kWord, in_one ? in_float_registers(machine, result, 0, 1)
                          : what_it_is(result) + " in floating-point registers" + kUnread};
}

Passed passed_in(Calls calls, const Type* type, const std::vector<unsigned>& registers, const machine::Machine& machine)
{
    std::string names;
    std::optional<uint8_t> first;
    bool are_consecutive = true;
    unsigned count_before = 0;
    for (const unsigned each : registers) {
        const auto word = word_of_register(machine, calls, each);
        if (!word)
            return {0, each >= machine.dwarf.first_float
                           ? in_float_registers(machine, type, each - machine.dwarf.first_float, 1)
                       : is_word(type) ? "it is in a register that does not pass arguments"
                                       : what_it_is(type) + " in a register that does not pass arguments"};
        are_consecutive &= !first || *word == *first + count_before;
        ++count_before;
        first = first ? first : word;
        names += (names.empty() ? "" : ", ") + words(*word, 1);
    }
    const uint64_t bytes = (type->resolve()->size + 7) / 8, numbers = numbers_of(type, kMaxWords).size();
    // The compiler of Rust passes each number of some small structures in a register of its own.
    const bool is_by_number = calls == Calls::Go || (type->is_record() && registers.size() != bytes);
    const StructureForm form = is_by_number ? StructureForm::Numbers : StructureForm::Bytes;
    const uint64_t count = is_by_number ? numbers : bytes;
    const bool is_readable = (is_word(type) || type->is_record()) && are_consecutive && registers.size() == count;
    return {*first, is_readable ? std::string() : what_it_is(type) + ", whose parts are " + names, form};
}

} // namespace dt
