// Forwards values through the stack: replaces a load from the stack by the value that was stored there.
//
// Variables of clauses and copied data live in stack slots, and each use loads them. This pass tracks the content of
// stack positions from block to block as far as all paths agree. A load of known content becomes the stored value (or a
// part of it), and a store of content that is already there is removed. Values are kept for reuse only over a short
// distance, so that few registers are needed. Each block is visited once; at the start of a loop, no content is known.
#include <map>
#include <utility>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/opt/stack_access.hpp"

namespace dt::opt {

using ir::Instr;
using ir::kNone;
using ir::Op;
using ir::Value;

namespace {

constexpr std::size_t kMaxHeld = 64;

struct Held {
    Value value = kNone;
    uint8_t width = 0;
    uint32_t used = 0; ///< index in the function of the instruction that stored the content, or loaded it later
    bool operator==(const Held& other) const { return value == other.value && width == other.width; }
};

/// Known content of stack positions, by slot and offset. Entries do not overlap.
using KnownBytes = std::map<std::pair<uint32_t, int64_t>, Held>;

void forget(KnownBytes& known, const StackBytes& bytes)
{
    auto it = known.lower_bound({bytes.slot, bytes.low - 7});
    while (it != known.end() && it->first.first == bytes.slot && it->first.second < bytes.high) {
        const bool touched = it->first.second + it->second.width > bytes.low;
        it = touched ? known.erase(it) : std::next(it);
    }
}

class Forwarding {
public:
    Forwarding(const ir::Module& module, ir::Function& f, uint32_t reach)
        : f_(f), accesses_(module, f), reach_(reach), alias_(f)
    {
    }

    void run()
    {
        ir::flow_forward(f_, KnownBytes{}, meet, [this](ir::BlockId block, KnownBytes& known) {
            std::vector<Value> kept;
            for (const Value v : f_.blocks[block].instrs) {
                alias_.rename(f_.instrs[v]);
                ++walked_;
                if (!gone(v, known, kept))
                    kept.push_back(v);
            }
            f_.blocks[block].instrs = std::move(kept);
        });
        alias_.rename_all();
    }

private:
    static void meet(KnownBytes& known, const KnownBytes& there)
    {
        std::erase_if(known, [&](const auto& entry) {
            const auto other = there.find(entry.first);
            return other == there.end() || !(other->second == entry.second);
        });
    }

    /// Updates the known content of the stack for an instruction, and replaces the instruction if possible. Returns
    /// true if the instruction is no longer needed.
    bool gone(Value v, KnownBytes& known, std::vector<Value>& kept)
    {
        const Instr& i = f_.instrs[v];
        if (i.op == Op::Load || i.op == Op::Store)
            if (const auto at = accesses_.place(i.a); at && accesses_.is_non_escaping(at->slot))
                return i.op == Op::Load ? load(v, *at, known, kept) : store(i, *at, known);
        for (const StackAccess& access : accesses_.of(i))
            if (access.kind != StackAccess::Kind::Reads)
                forget(known, access.bytes);
        return false;
    }

    void remember(KnownBytes& known, std::pair<uint32_t, int64_t> key, Held held) const
    {
        if (known.size() < kMaxHeld || known.contains(key))
            known[key] = held;
    }

    bool store(const Instr& i, const StackPlace& at, KnownBytes& known)
    {
        const std::pair key{at.slot, at.offset + i.imm};
        const auto found = known.find(key);
        if (found != known.end() && found->second.width == i.width && found->second.value == i.b)
            return true;
        forget(known, {at.slot, key.second, key.second + i.width});
        remember(known, key, {i.b, i.width, walked_});
        return false;
    }

    bool load(Value v, const StackPlace& at, KnownBytes& known, std::vector<Value>& kept)
    {
        const Instr& i = f_.instrs[v];
        const std::pair key{at.slot, at.offset + i.imm};
        auto found = known.upper_bound(key);
        if (found != known.begin())
            --found;
        const bool inside = found != known.end() && found->first.first == key.first &&
                            found->first.second <= key.second &&
                            found->first.second + found->second.width >= key.second + i.width;
        if (inside && is_near(found->second)) {
            found->second.used = walked_;
            return become_part(v, found->second, key.second - found->first.second, kept);
        }
        if (inside ? found->second.width == i.width : !overlaps(known, key, i.width))
            remember(known, key, {v, i.width, walked_});
        return false;
    }

    static bool overlaps(const KnownBytes& known, std::pair<uint32_t, int64_t> key, uint8_t width)
    {
        for (auto it = known.lower_bound({key.first, key.second - 7});
             it != known.end() && it->first.first == key.first && it->first.second < key.second + width; ++it)
            if (it->first.second + it->second.width > key.second)
                return true;
        return false;
    }

    bool is_near(const Held& held) const
    {
        const Op op = f_.instrs[held.value].op;
        const bool made_again = op == Op::Const || op == Op::StackAddr || op == Op::DataAddr || op == Op::MapRef;
        return made_again || walked_ - held.used <= reach_;
    }

    /// Replaces a load by the value `held`, or by the part of this value from byte `distance` on. Returns true if the
    /// load can be removed.
    bool become_part(Value v, const Held& held, int64_t distance, std::vector<Value>& kept)
    {
        const ir::Mem mem = f_.instrs[v].mem;
        const Instr& value = f_.instrs[held.value];
        const uint8_t width = f_.instrs[v].width;
        if (width == 8) {
            if (mem != value.mem || f_.instrs[v].region > value.region)
                return false;
            alias_[v] = held.value;
            return true;
        }
        if (mem != ir::Mem::None || value.mem != ir::Mem::None)
            return false;
        Value whole = held.value;
        const Appender code{f_, kept, f_.instrs[v].at};
        if (distance > 0)
            whole = code.binary(Op::LShr, whole, code.constant(8 * distance));
        f_.instrs[v] = {.op = Op::ZExt, .width = width, .a = whole, .at = code.at};
        return false;
    }

    ir::Function& f_;
    StackAccesses accesses_;
    uint32_t reach_;
    Aliases alias_;
    uint32_t walked_ = 0;
};

} // namespace

void forward_stores(const ir::Module& module, ir::Function& f, uint32_t reach)
{
    if (!f.slots.empty())
        Forwarding(module, f, reach).run();
}

} // namespace dt::opt
