// The small functions many clauses share: claiming scratch, counting losses, ordering strings, elements that come and go. Each is a static BPF subprogram, made on
// first use.
#include "dcompiler/lower/helpers.hpp"
#include "dcompiler/lower/module.hpp"

#include <algorithm>
#include <cstddef>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

uint32_t add_function(ModuleLowering& module, std::string name, uint32_t params, std::vector<Mem> mem = {}, std::vector<uint32_t> region = {})
{
    ir::Function f;
    f.name = std::move(name);
    f.params = params;
    f.param_mem = std::move(mem);
    f.param_region = std::move(region);
    f.param_mem.resize(params, Mem::None);
    f.param_region.resize(params, 0);
    module.out.module.functions.push_back(std::move(f));
    return static_cast<uint32_t>(module.out.module.functions.size() - 1);
}

std::size_t counter_offset(Loss loss)
{
    switch (loss) {
    case Loss::Principal:
        return offsetof(dt_losses, principal);
    case Loss::Aggregation:
        return offsetof(dt_losses, aggregation);
    case Loss::Dynamic:
        return offsetof(dt_losses, dynamic);
    case Loss::Speculation:
        return offsetof(dt_losses, speculation);
    case Loss::SpecBusy:
        return offsetof(dt_losses, spec_busy);
    case Loss::SpecUnavailable:
        return offsetof(dt_losses, spec_unavailable);
    case Loss::Nesting:
        return offsetof(dt_losses, nesting);
    default:
        return offsetof(dt_losses, double_error);
    }
}

} // namespace

uint32_t ModuleLowering::lose_function(Loss loss)
{
    const auto known = lose_functions_.find(loss);
    if (known != lose_functions_.end())
        return known->second;
    const uint32_t map = losses_map();
    const uint32_t index = add_function(*this, "dt_lose_" + std::to_string(static_cast<int>(loss)), 0);
    lose_functions_[loss] = index;
    ir::Builder b(out.module.functions[index]);
    const Value key = b.stack_addr(b.slot(8));
    b.store(4, key, 0, b.call_helper(kGetSmpProcessorId, {}));
    const Value slot = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, sizeof(dt_losses));
    const ir::BlockId have = b.block(), done = b.block();
    b.branch(Op::Ne, slot, b.constant(0), have, done);
    b.enter(have);
    b.atomic_add(8, b.not_null(slot), static_cast<int64_t>(counter_offset(loss)), b.constant(1));
    b.jump(done);
    b.enter(done);
    b.ret(b.constant(0));
    return index;
}

/// Tries the CPU's slots in turn: an interrupt that comes while one is held takes the next.
uint32_t ModuleLowering::claim_function()
{
    if (claim_)
        return *claim_;
    const uint32_t map = scratch_map();
    claim_ = add_function(*this, "dt_claim", 0);
    ir::Builder b(out.module.functions[*claim_]);
    const Value key = b.stack_addr(b.slot(8));
    const Value first = b.binary(Op::Shl, b.call_helper(kGetSmpProcessorId, {}), b.constant(2));
    static_assert(DT_SLOTS == 4, "the shift above");
    for (int level = 0; level < DT_SLOTS; ++level) {
        const Value number = b.binary(Op::Add, first, b.constant(level));
        b.store(4, key, 0, number);
        const Value slot = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, std::max<uint32_t>(scratch_size, 8));
        const ir::BlockId have = b.block(), mine = b.block(), next = b.block();
        b.branch(Op::Ne, slot, b.constant(0), have, next);
        b.enter(have);
        const Value known = b.not_null(slot);
        const Value taken = b.atomic_xchg(8, known, 0, b.binary(Op::Add, number, b.constant(1)));
        b.branch(Op::Eq, taken, b.constant(0), mine, next);
        b.enter(mine);
        b.ret(known);
        b.enter(next);
    }
    b.ret(b.constant(0));
    return *claim_;
}

uint32_t ModuleLowering::slot_function()
{
    if (slot_)
        return *slot_;
    const uint32_t map = scratch_map();
    slot_ = add_function(*this, "dt_slot", 1);
    ir::Builder b(out.module.functions[*slot_]);
    const Value key = b.stack_addr(b.slot(8));
    b.store(4, key, 0, b.binary(Op::Sub, b.param(0), b.constant(1)));
    b.ret(b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, std::max<uint32_t>(scratch_size, 8)));
    return *slot_;
}

Value ModuleLowering::claimed_slot(ir::Builder& b, Value number, ir::BlockId none)
{
    const Value slot = b.call_local(slot_function(), {number});
    b.instr(slot).mem = Mem::MapOrNull;
    b.instr(slot).region = scratch_size;
    const ir::BlockId known = b.block();
    b.branch(Op::Ne, slot, b.constant(0), known, none);
    b.enter(known);
    return b.not_null(slot);
}

uint32_t ModuleLowering::compare_function()
{
    if (compare_)
        return *compare_;
    const uint32_t size = string_size();
    compare_ = add_function(*this, "dt_compare", 2, {Mem::MapValue, Mem::MapValue}, {size, size});
    ir::Builder b(out.module.functions[*compare_]);
    const Value left = b.param(0), right = b.param(1);
    const ir::BlockId differ = b.block();
    std::vector<Value> lefts, rights;
    for (uint32_t at = 0; at < size; at += 8) {
        const Value l = b.load(8, left, at), r = b.load(8, right, at);
        lefts.push_back(l);
        rights.push_back(r);
        const ir::BlockId same = b.block();
        b.branch(Op::Ne, l, r, differ, same);
        b.enter(same);
    }
    b.ret(b.constant(0));
    // Strings order by their first differing byte: the most significant one once the words are big-endian.
    b.enter(differ);
    const Value l = b.phi(lefts), r = b.phi(rights); // phis come first in a block
    const ir::BlockId less = b.block(), greater = b.block();
    b.branch(Op::ULt, b.unary(Op::BSwap, l, 8), b.unary(Op::BSwap, r, 8), less, greater);
    b.enter(less);
    b.ret(b.constant(-1));
    b.enter(greater);
    b.ret(b.constant(1));
    return *compare_;
}

uint32_t ModuleLowering::element_function(uint32_t map, uint8_t width)
{
    const auto [known, fresh] = element_functions_.try_emplace({map, width}, 0);
    if (!fresh)
        return known->second;
    const uint32_t lose = lose_function(Loss::Dynamic);
    const ir::Map& array = out.module.maps[map];
    const uint32_t index = add_function(*this, "dt_put_" + array.name + "_" + std::to_string(width), 2, {Mem::MapValue, Mem::None},
                                        {array.key_size, 0});
    known->second = index;
    ir::Builder b(out.module.functions[index]);
    const Value key = b.param(0), number = b.param(1);
    const ir::BlockId keep = b.block(), remove = b.block(), full = b.block(), done = b.block();
    b.branch(Op::Ne, number, b.constant(0), keep, remove);
    b.enter(remove);
    b.call_helper(kMapDelete, {b.map_ref(map), key});
    b.ret(b.constant(0));
    b.enter(keep);
    const Value element = b.stack_addr(b.slot(8));
    b.store(8, element, 0, b.constant(0));
    b.store(width, element, 0, number);
    const Value failed = b.call_helper(kMapUpdate, {b.map_ref(map), key, element, b.constant(0)});
    b.branch(Op::Ne, failed, b.constant(0), full, done);
    b.enter(full);
    b.call_local(lose, {});
    b.ret(b.constant(1));
    b.enter(done);
    b.ret(b.constant(0));
    return index;
}

} // namespace dt::lower
