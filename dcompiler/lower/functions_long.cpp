// Calls of bpf-runtime functions that loop. They follow pointers, so the verifier walks into them at each call; a
// thousand such clauses would exceed its limit. Their arguments are mostly in the scratch slot, which is given by its
// number. The call is then made by a function that is verified only once.
#include <optional>

#include "dcompiler/lower/functions.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

using Handed = Functions::Handed;

constexpr std::size_t kMostParameters = 5; // limit of parameters of a BPF function

std::optional<int64_t> constant_value(ir::Builder& b, Value value)
{
    const ir::Instr& instr = b.instr(value);
    return instr.op == Op::Const ? std::optional(instr.imm) : std::nullopt;
}

/// Returns the constant offset of a place in the slot, or nothing if it is elsewhere or not constant.
std::optional<int64_t> offset_in(ir::Builder& b, Value slot, Value place)
{
    if (place == slot)
        return 0;
    const ir::Instr& instr = b.instr(place);
    return instr.op == Op::Add && instr.a == slot ? constant_value(b, instr.b) : std::nullopt;
}

/// Returns the numbers that callers pass: the slot's number, then all arguments except constants. Returns nothing if
/// there are too many or an address is outside of the slot.
std::optional<std::vector<Value>> numbers_of(ir::Builder& b, Value slot, const std::vector<Handed>& handed)
{
    std::vector<Value> numbers{b.load(8, slot)};
    for (const Handed& each : handed) {
        const auto offset = each.size != 0 ? offset_in(b, slot, each.value) : std::nullopt;
        if (each.size != 0 && !offset)
            return std::nullopt;
        if (offset)
            numbers.push_back(b.constant(*offset));
        else if (!constant_value(b, each.value))
            numbers.push_back(each.value);
    }
    return numbers.size() <= kMostParameters ? std::optional(numbers) : std::nullopt;
}

} // namespace

Value Functions::call_long(ir::Builder& b, Value slot, const std::string& name, const std::vector<Handed>& handed,
                           bool yields_address)
{
    const auto numbers = numbers_of(b, slot, handed);
    if (!numbers) {
        std::vector<Value> arguments;
        for (const Handed& each : handed)
            arguments.push_back(each.value);
        return b.call_runtime(name, arguments);
    }
    std::string kind = name + "_apart";
    std::vector<std::optional<int64_t>> constants;
    for (const Handed& each : handed) {
        constants.push_back(each.size == 0 ? constant_value(b, each.value) : std::nullopt);
        kind += "_" + (constants.back() ? std::to_string(static_cast<uint64_t>(*constants.back()))
                       : each.size != 0 ? "p" + std::to_string(each.size)
                                        : "n");
    }
    this->slot(); // must be created before once() is called
    const uint32_t function = once_apart(
        kind, [&](ir::Builder& into) { fill_long(into, name, handed, constants, yields_address); }, numbers->size());
    return b.call_local(function, *numbers);
}

/// Fills the function that makes the call: finds the slot by its number and computes the addresses in it.
void Functions::fill_long(ir::Builder& b, const std::string& name, const std::vector<Handed>& handed,
                          const std::vector<std::optional<int64_t>>& constants, bool yields_address)
{
    const ir::BlockId none = b.block();
    const Value slot = claimed_slot(b, b.param(0), none);
    std::vector<Value> arguments;
    uint32_t parameter = 1;
    for (std::size_t i = 0; i < handed.size(); ++i) {
        if (constants[i]) {
            arguments.push_back(b.constant(*constants[i]));
            continue;
        }
        Value given = b.param(parameter++);
        if (handed[i].size != 0) {
            const ir::BlockId inside = b.block();
            b.branch(Op::ULt, b.constant(layout_.scratch_size - handed[i].size), given, none,
                     inside); // bound for the verifier
            b.enter(inside);
            given = b.binary(Op::Add, slot, given);
            b.instr(given).mem = Mem::MapValue;
            b.instr(given).region = handed[i].size;
        }
        arguments.push_back(given);
    }
    const Value result = b.call_runtime(name, arguments);
    b.ret(yields_address ? b.call_runtime("dt_address", {result}) : b.constant(0));
    b.enter(none);
    b.ret(b.constant(0));
}

} // namespace dt::lower
