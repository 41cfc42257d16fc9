// Arrays that two halves of a program have: one in the kernel, one in a process (-x share).
//
// No map of the kernel can be read and written by a process without a system call, unless it is plain memory. So these
// are hash tables in the memory of the globals, which both halves have mapped. Neither side may wait for the other,
// which may be killed, stopped or hostile at any moment: there is no lock, and nothing that is half done. The key,
// moved by one, is the word that says who has a place; it is put there by one atomic instruction, in the first free one
// of the few places that the key may have, and stays. As places never become free again, two who make the same element
// at a time meet at the same place. The key that moves to 0 has a place of its own, the last one.
#include <algorithm>
#include <bit>

#include "dcompiler/lower/functions.hpp"

namespace dt::lower {

using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kTried = 16;            // places that a key may have
constexpr uint64_t kMostShared = 32 << 20; // bytes: an engine allows all of a program 64 MiB
constexpr int64_t kScatter = static_cast<int64_t>(0x9e3779b97f4a7c15); // 2^64 divided by the golden ratio

} // namespace

uint32_t Layout::shared_places(uint32_t value) const
{
    const uint64_t most = std::min<uint64_t>(module_.options.dynvarsize, kMostShared) / shared_stride(value);
    return static_cast<uint32_t>(std::bit_floor(std::max<uint64_t>(most, 1))) + 1;
}

uint32_t Functions::shared_element(const std::string& name, uint32_t value)
{
    const uint32_t data = data_.shared(name, value), places = layout_.shared_places(value);
    const int64_t stride = Layout::shared_stride(value), mask = places - 2;
    return once_apart(
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
            Value at = key; // small numbers are apart as they are
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
                b.enter(lost); // somebody else was faster, perhaps with the same key
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

/// Of what one instruction can write: whoever reads it sees a value that was stored.
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
        return refuse("its type is " + to_string(variable.type) + ", and only numbers are",
                      "leave it out of option share: each half has its own then");
    if (is_self)
        return;
    if (variable.keys.size() != 1 || !is_word(variable.keys.front()))
        refuse(variable.keys.size() != 1 ? "it has " + std::to_string(variable.keys.size()) + " keys, and one number is"
                                         : "its key is " + to_string(variable.keys.front()) + ", and only numbers are",
               "put what tells elements apart into one number, as in a << 32 | b");
}

/// The option's names: one array or more, or self. Aggregations are put together when they are printed, as it is.
void Layout::find_shared()
{
    const auto& all = module_.program.variables;
    for (const std::string& list : module_.options.share)
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
                module_.diagnostics.error("D_UNKNOWN", module_.program.statements.front().at,
                                          "option share names " + name + ", and the program has no such array",
                                          "the name of an array with keys, or self for the thread's variables");
        }
}

} // namespace dt::lower
