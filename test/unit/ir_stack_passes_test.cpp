// Tests the optimizer passes for values on the stack, dead stores, repeated map lookups, and repeated comparisons.
#include <gtest/gtest.h>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/ir/check.hpp"
#include "dcompiler/opt/passes.hpp"

namespace dt::ir {
namespace {

class StackPasses : public testing::Test {
protected:
    StackPasses()
    {
        Map map;
        map.name = "elements";
        map.type = bpf::kMapHash;
        map.key_size = 8;
        module.maps.push_back(map);
        Function f;
        f.name = "f";
        f.section = "raw_tp";
        f.param_mem = {Mem::Context};
        f.param_region = {0};
        module.functions.push_back(f);
    }

    Function& f() { return module.functions[0]; }

    std::size_t count(Op op)
    {
        std::size_t found = 0;
        for (const Block& block : f().blocks)
            for (const Value v : block.instrs)
                found += f().instrs[v].op == op;
        return found;
    }

    void passes()
    {
        opt::forward_stores(module, f(), kUsualReach);
        opt::reuse_lookups(module, f());
        opt::drop_implied_branches(f());
        opt::remove_dead_stores(module, f());
        ASSERT_TRUE(check(module).empty()) << check(module).front().message << "\n" << to_string(f());
    }

    Value look_up(Builder& b, Value key)
    {
        return b.call_helper(bpf::kMapLookup, {b.map_ref(0), key}, Mem::MapOrNull, 8);
    }

    Module module;
};

TEST_F(StackPasses, StoredValuesAreForwardedToLoads)
{
    Builder b(f());
    const Value slot = b.stack_addr(b.slot(16)), x = b.load(8, b.param(0), 0);
    b.store(8, slot, 8, x);
    b.ret(b.load(8, slot, 8));
    passes();
    EXPECT_EQ(count(Op::Store), 0u);
    EXPECT_EQ(f().instrs[f().blocks[0].instrs.back()].a, x);
}

TEST_F(StackPasses, PartialLoadsExtractFromAStoredWord)
{
    Builder b(f());
    const Value slot = b.stack_addr(b.slot(8));
    b.store(8, slot, 0, b.constant(0x1122334455667788));
    b.ret(b.load(2, slot, 2));
    passes();
    opt::fold(f());
    const Instr& result = f().instrs[f().instrs[f().blocks[0].instrs.back()].a];
    EXPECT_EQ(result.op, Op::Const);
    EXPECT_EQ(result.imm, 0x5566);
}

TEST_F(StackPasses, AWordWrittenByTwoOverlappingStoresIsLoadedFromTheStack)
{
    Builder b(f());
    const Value slot = b.stack_addr(b.slot(8));
    b.store(8, slot, 0, b.constant(0));
    b.store(4, slot, 0, b.load(4, b.param(0), 0));
    b.ret(b.load(8, slot, 0));
    passes();
    EXPECT_EQ(count(Op::Store), 2u);
    EXPECT_EQ(count(Op::Load), 2u);
}

TEST_F(StackPasses, ALoadRemainsIfPathsStoreDifferentValues)
{
    Builder b(f());
    const Value slot = b.stack_addr(b.slot(8)), x = b.load(8, b.param(0), 0);
    b.store(8, slot, 0, b.constant(1));
    b.if_then(Op::Eq, x, b.constant(0), [&] { b.store(8, slot, 0, b.constant(2)); });
    b.ret(b.load(8, slot, 0));
    passes();
    EXPECT_EQ(count(Op::Store), 2u);
    EXPECT_EQ(count(Op::Load), 2u);
}

TEST_F(StackPasses, StoresByAHelperInvalidateKnownValues)
{
    Builder b(f());
    const Value slot = b.stack_addr(b.slot(16));
    b.store(8, slot, 0, b.constant(1));
    b.store(8, slot, 8, b.constant(2));
    b.call_helper(bpf::kProbeReadKernel, {slot, b.constant(8), b.load(8, b.param(0), 0)});
    b.ret(b.binary(Op::Add, b.load(8, slot, 0), b.load(8, slot, 8)));
    passes();
    // No store remains: the helper overwrites the first stored value. The second stored value is used directly instead
    // of being loaded.
    EXPECT_EQ(count(Op::Store), 0u);
    EXPECT_EQ(count(Op::Load), 2u);
}

TEST_F(StackPasses, WritingAStringDoesNotInvalidateTheBytesAfterIt)
{
    Builder b(f());
    const Value slot = b.stack_addr(b.slot(8));
    b.store(8, slot, 0, b.constant(0));
    b.call_helper(bpf::kProbeReadKernelStr, {slot, b.constant(8), b.load(8, b.param(0), 0)});
    b.ret(b.load(8, slot, 0));
    passes();
    EXPECT_EQ(count(Op::Store), 1u);
}

TEST_F(StackPasses, LoadsFromSlotsWhoseAddressEscapesAreNotReplaced)
{
    Builder b(f());
    const Value slot = b.stack_addr(b.slot(8)), other = b.stack_addr(b.slot(8));
    b.store(8, slot, 0, b.constant(3));
    b.store(8, other, 0, slot);
    const Value again = b.load(8, other, 0, Mem::Stack, 8);
    b.store(8, again, 0, b.constant(4));
    b.ret(b.load(8, slot, 0));
    opt::forward_stores(module, f(), kUsualReach);
    EXPECT_NE(f().instrs[f().instrs[f().blocks[0].instrs.back()].a].op, Op::Const);
}

TEST_F(StackPasses, EqualKeysShareOneMapLookUp)
{
    Builder b(f());
    const Value key = b.stack_addr(b.slot(8)), x = b.load(8, b.param(0), 0);
    b.store(8, key, 0, x);
    const Value first = look_up(b, key);
    b.if_then(Op::Ne, first, b.constant(0), [&] {
        b.store(8, key, 0, x);
        const Value second = look_up(b, key);
        b.if_then(Op::Ne, second, b.constant(0), [&] { b.store(8, b.not_null(second), 0, b.constant(1)); });
    });
    b.ret();
    passes();
    EXPECT_EQ(count(Op::CallHelper), 1u);
    EXPECT_EQ(count(Op::Branch), 1u);
}

TEST_F(StackPasses, AnotherKeyOrAChangedMapNeedsANewLookUp)
{
    Builder b(f());
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.constant(1));
    look_up(b, key);
    b.store(8, key, 0, b.constant(2));
    look_up(b, key);
    b.call_helper(bpf::kMapDelete, {b.map_ref(0), key});
    look_up(b, key);
    b.ret();
    passes();
    EXPECT_EQ(count(Op::CallHelper), 4u);
}

TEST_F(StackPasses, CreatedTaskStorageIsReusedOnlyAfterANullTest)
{
    Builder b(f());
    const auto storage = [&](int64_t flags) {
        const Value task = b.call_helper(bpf::kGetCurrentTaskBtf, {}, Mem::Btf);
        return b.call_helper(bpf::kTaskStorageGet, {b.map_ref(0), task, b.constant(0), b.constant(flags)},
                             Mem::MapOrNull, 8);
    };
    const Value first = storage(0);
    b.if_else(
        Op::Ne, first, b.constant(0), [&] { storage(1); }, [&] { storage(1); });
    b.ret();
    opt::common_subexpressions(f(), kUsualReach);
    passes();
    // the calls that remain: get the task, look up its storage, create the storage
    EXPECT_EQ(count(Op::CallHelper), 3u);
}

/// Emits a read of a 4-byte number from an address. The generated function returns 0 if the address cannot be read.
Value read_member(Builder& b, Value base, int64_t offset, uint32_t slot)
{
    const Value to = b.stack_addr(slot), from = b.binary(Op::Add, base, b.constant(offset));
    const Value failed = b.call_helper(bpf::kProbeReadKernel, {to, b.constant(4), from});
    const BlockId bad = b.block(), good = b.block();
    b.branch(Op::SLt, failed, b.constant(0), bad, good);
    b.enter(bad);
    b.ret();
    b.enter(good);
    return b.load(4, to, 0);
}

TEST_F(StackPasses, AdjacentMembersAreReadTogether)
{
    Builder b(f());
    const uint32_t slot = b.slot(8);
    const Value base = b.load(8, b.param(0), 0);
    const Value x = read_member(b, base, 16, slot), y = read_member(b, base, 60, slot);
    b.ret(b.binary(Op::Add, x, y));
    opt::combine_loads(module, f());
    passes();
    // One call reads both members. Only if it fails, two calls read them separately.
    EXPECT_EQ(count(Op::CallHelper), 3u);
    EXPECT_EQ(f().slots.back().size, 48u);
}

TEST_F(StackPasses, MembersReadTogetherKeepTheirAlignment)
{
    Builder b(f());
    const uint32_t slot = b.slot(8);
    const Value base = b.load(8, b.param(0), 0);
    const Value first = read_member(b, base, 4, slot);
    const Value to = b.stack_addr(slot),
                failed =
                    b.call_helper(bpf::kProbeReadKernel, {to, b.constant(8), b.binary(Op::Add, base, b.constant(8))});
    const BlockId bad = b.block(), good = b.block();
    b.branch(Op::SLt, failed, b.constant(0), bad, good);
    b.enter(bad);
    b.ret();
    b.enter(good);
    b.ret(b.binary(Op::Add, first, b.load(8, to, 0)));
    opt::combine_loads(module, f());
    passes(); // passes() runs the checker, which refuses unaligned accesses
    EXPECT_EQ(f().slots.back().size, 16u);
}

TEST_F(StackPasses, DistantMembersAreReadSeparately)
{
    Builder b(f());
    const uint32_t slot = b.slot(8);
    const Value base = b.load(8, b.param(0), 0), other = b.load(8, b.param(0), 8);
    Value sum = read_member(b, base, 0, slot);
    sum = b.binary(Op::Add, sum, read_member(b, base, 64, slot));
    sum = b.binary(Op::Add, sum, read_member(b, other, 8, slot));
    b.ret(sum);
    opt::combine_loads(module, f());
    passes();
    EXPECT_EQ(count(Op::CallHelper), 3u);
}

TEST_F(StackPasses, MembersThatMayHaveChangedAreReadAgain)
{
    Builder b(f());
    const uint32_t slot = b.slot(8);
    const Value base = b.load(8, b.param(0), 0);
    const Value x = read_member(b, base, 0, slot);
    b.call_runtime("dt_chill", {x});
    b.ret(b.binary(Op::Add, x, read_member(b, base, 4, slot)));
    opt::combine_loads(module, f());
    passes();
    EXPECT_EQ(count(Op::CallHelper), 2u);
}

TEST_F(StackPasses, ResultsThatFollowFromAnEarlierComparisonAreReused)
{
    Builder b(f());
    const Value x = b.load(8, b.param(0), 0), y = b.load(8, b.param(0), 8);
    b.if_then(Op::ULt, x, y, [&] {
        // this comparison is always false, because x < y
        b.if_then(Op::ULt, y, x, [&] { b.call_helper(bpf::kKtimeGetNs, {}); });
        // this comparison is always true, because x < y
        b.if_then(Op::Ne, x, y, [&] { b.call_helper(bpf::kKtimeGetNs, {}); });
        // not known: from an unsigned comparison no signed comparison follows
        b.if_then(Op::SLt, x, y, [&] { b.call_helper(bpf::kKtimeGetNs, {}); });
    });
    b.ret();
    opt::drop_implied_branches(f());
    EXPECT_EQ(count(Op::Branch), 2u);
    EXPECT_EQ(count(Op::CallHelper), 2u);
}

TEST_F(StackPasses, IfAPhiIsAConstantItsBranchBecomesAJump)
{
    Builder b(f());
    const Value x = b.load(8, b.param(0), 0);
    const Value chosen = b.select(Op::Eq, x, b.constant(5), b.constant(1), b.constant(0));
    const Value other = b.binary(Op::Xor, chosen, b.constant(1));
    b.if_then(Op::Eq, other, b.constant(0), [&] { b.call_helper(bpf::kKtimeGetNs, {}); });
    b.ret();
    opt::simplify_branches(f());
    EXPECT_EQ(count(Op::Branch), 1u);
    EXPECT_EQ(count(Op::Phi), 0u);
}

} // namespace
} // namespace dt::ir
