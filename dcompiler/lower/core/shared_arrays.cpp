// Implements arrays that kernel programs share with code of the same script that runs inside traced processes (-x
// sharedvars).
//
// A process can access kernel maps without system calls only if they are plain memory. So the arrays are hash tables in
// the memory of the globals, which both the kernel programs and the processes map. Neither may wait for the other,
// which may be killed, stopped or hostile at any time. So there are no locks and no intermediate states.
//
// Each slot of a table has a tag: key + 1 of its element, or 0 if the slot is free. A key has a few possible slots. One
// atomic instruction writes the tag into the first free one, and the tag stays. So two creators of the same element
// choose the same slot. The last slot is for the key whose tag would be 0.
#include <algorithm>
#include <bit>

#include "dcompiler/lower/core/functions.hpp"

namespace dt::lower {

namespace {

constexpr uint32_t kTried = 16; // number of slots in which a key may be stored
// maximum bytes of the shared arrays: the engine, which runs clauses in a process, allows 64 MiB per program
constexpr uint64_t kMaxShared = 32 << 20;
constexpr int64_t kScatter = static_cast<int64_t>(0x9e3779b97f4a7c15); // 2^64 divided by the golden ratio

} // namespace

uint32_t Layout::shared_places(uint32_t value) const
{
    const uint64_t most = std::min<uint64_t>(module_.options.dynvarsize, kMaxShared) / shared_stride(value);
    return static_cast<uint32_t>(std::bit_floor(std::max<uint64_t>(most, 1))) + 1;
}

uint32_t Functions::shared_element(const std::string& name, uint32_t value)
{
    const uint32_t data = data_.shared(name, value), places = layout_.shared_places(value);
    const int64_t stride = Layout::shared_stride(value), mask = places - 2;
    return once_separate(
        "dt_find_" + name,
        [&](ir::Builder& b) {
            const Value key = b.param(0), make = b.param(1), tag = b.binary(Op::Add, key, b.constant(1));
            const Value table = b.data_addr(data, static_cast<uint32_t>(stride * places));
            const ir::BlockId last = b.block(), others = b.block();
            b.branch(Op::Eq, tag, b.constant(0), last, others);
            b.enter(last);
            b.ret(b.constant(places - 1));
            b.enter(others);
            const Value scattered = b.binary(Op::Mul, key, b.constant(kScatter));
            const Value step = b.binary(Op::Or, b.binary(Op::LShr, scattered, b.constant(40)), b.constant(1));
            Value at = key; // small keys are used directly as slot numbers, without hashing
            for (uint32_t tried = 0; tried < kTried; ++tried) {
                const Value place = b.binary(Op::And, at, b.constant(mask));
                const Value address = b.binary(Op::Add, table, b.binary(Op::Mul, place, b.constant(stride)));
                const ir::BlockId found = b.block(), other = b.block(), free = b.block(), make_it = b.block(),
                                  none = b.block(), lost = b.block(), next = b.block();
                const Value there = b.load(8, address, 0);
                b.branch(Op::Eq, there, tag, found, other);
                b.enter(found);
                b.ret(place);
                b.enter(other);
                b.branch(Op::Eq, there, b.constant(0), free, next);
                b.enter(free);
                b.branch(Op::Eq, make, b.constant(0), none, make_it);
                b.enter(none);
                b.ret(b.constant(places));
                b.enter(make_it);
                const Value before = b.atomic_cas(8, address, 0, b.constant(0), tag);
                const ir::BlockId made = b.block();
                b.branch(Op::Eq, before, b.constant(0), made, lost);
                b.enter(made);
                b.ret(place);
                b.enter(lost); // another CPU has written a tag into this slot first, perhaps that of the same key
                const ir::BlockId same = b.block();
                b.branch(Op::Eq, before, tag, same, next);
                b.enter(same);
                b.ret(place);
                b.enter(next);
                at = b.binary(Op::Add, tried == 0 ? b.binary(Op::LShr, scattered, b.constant(20)) : at, step);
            }
            b.ret(b.constant(places));
        },
        2);
}

namespace {

/// Returns whether a single instruction writes a value of the type, so that other programs never see half of it.
bool is_word(const Type* type)
{
    return type->is_scalar() && !type->is_string() && type->resolve()->size <= sizeof(uint64_t);
}

} // namespace

void Layout::check_shared(const Variable& variable)
{
    const bool is_self = variable.scope == Scope::Self;
    const std::string name = (is_self ? "self->" : "") + variable.name;
    const auto refuse = [&](const std::string& what, std::string hint) {
        module_.diagnostics.error("D_UNKNOWN", variable.at, name + " cannot be shared: " + what, std::move(hint));
    };
    if (!is_word(variable.type))
        return refuse("its type is " + to_string(variable.type) + ", and only numbers can be shared",
                      "remove it from option sharedvars: then each part of the program (kernel, traced processes) has "
                      "its own copy");
    if (is_self)
        return;
    if (variable.keys.size() != 1 || !is_word(variable.keys.front()))
        refuse(variable.keys.size() != 1
                   ? "it has " + std::to_string(variable.keys.size()) + " keys, but it must have one key, a number"
                   : "its key is " + to_string(variable.keys.front()) + ", and only numbers can be shared",
               "combine the keys into one number, as in a << 32 | b");
}

/// Finds the arrays that option sharedvars names: associative arrays, or self for the thread-local variables.
/// Aggregations need no shared memory, because those of kernel and process are merged when they are printed.
void Layout::find_shared()
{
    const auto& all = module_.program.variables;
    if (!module_.options.sharedvars.empty() && !module_.world.features().fetching_atomics)
        return module_.diagnostics.error(
            "D_UNKNOWN", {}, "option sharedvars needs atomic instructions that this kernel lacks (Linux 5.12 or later)",
            "without the option, each part of the program (kernel, traced processes) has its own copy");
    for (const std::string& list : module_.options.sharedvars)
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(',', begin), list.size());
            const std::string name = list.substr(begin, end - begin);
            begin = end + 1;
            bool is_there = false;
            for (const Variable& variable : all)
                if (variable.type && (name == kSharedSelf ? variable.scope == Scope::Self && variable.keys.empty()
                                                          : variable.scope == Scope::Global && variable.name == name)) {
                    is_there = true;
                    self_is_shared_ |= variable.scope == Scope::Self;
                    if (!variable.keys.empty())
                        shared_variables_.insert(&variable);
                    if (!variable.keys.empty() || variable.scope == Scope::Self)
                        check_shared(variable);
                }
            if (!is_there && !module_.program.statements.empty())
                module_.diagnostics.error(
                    "D_UNKNOWN", module_.program.statements.front().at,
                    "option sharedvars names " + name + ", but the program has no such array",
                    "option sharedvars takes names of associative arrays, or self for the thread-local variables");
        }
}

} // namespace dt::lower
