// Tests register pressure on the running kernel: many values that live across calls, spilled pointers and bounds, and
// random programs whose results are compared with computed ones.
#include <gtest/gtest.h>

#include "dcompiler/ebpf/machine_code.hpp"
#include "dcompiler/opt/passes.hpp"
#include "test/verify/loaded.hpp"
#include "test/verify/random_program.hpp"

namespace dt::test {
namespace {

using ir::Mem;
using ir::Op;
using ir::Value;

constexpr int32_t kGetPrandom = BPF_FUNC_get_prandom_u32;

class Pressure : public testing::Test {
protected:
    void SetUp() override
    {
        if (!can_load())
            GTEST_SKIP() << "this process may not load BPF programs";
    }
};

TEST_F(Pressure, ThirtyValuesOverCalls)
{
    Sketch s;
    auto b = s.builder();
    const Value ctx = b.param(0);
    const Value x = b.load(8, ctx, 0);
    std::vector<Value> values;
    for (int i = 0; i < 30; ++i)
        values.push_back(b.binary(Op::Add, b.binary(Op::Mul, x, b.constant(i + 2)), b.constant(i)));
    b.call_helper(kGetPrandom, {});
    Value sum = b.constant(0);
    for (int i = 0; i < 30; ++i) {
        sum = b.binary(Op::Add, b.binary(Op::Mul, sum, b.constant(3)), values[static_cast<std::size_t>(i)]);
        if (i % 10 == 9)
            b.call_helper(kGetPrandom, {});
    }
    b.ret(b.binary(Op::Xor, sum, values[7]));
    uint64_t expected = 0;
    for (uint64_t i = 0; i < 30; ++i)
        expected = expected * 3 + 5 * (i + 2) + i;
    Loaded loaded(s.module);
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    EXPECT_EQ(loaded.run({5}), static_cast<uint32_t>(expected ^ (5 * 9 + 7)));
}

// The offset is compared, spilled across a call, and then used to address a map value.
TEST_F(Pressure, SpilledOffsetKeepsItsBounds)
{
    Sketch s;
    const uint32_t data = s.add_data("data", ".bss", 64);
    auto b = s.builder();
    const Value ctx = b.param(0);
    std::vector<Value> keep;
    for (int i = 0; i < 8; ++i)
        keep.push_back(b.load(8, ctx, 8 * i));
    const Value offset = b.load(8, ctx, 64);
    b.call_helper(kGetPrandom, {});
    const auto good = b.block(), bad = b.block();
    b.branch(Op::ULt, offset, b.constant(56), good, bad);
    b.enter(good);
    b.call_helper(kGetPrandom, {});
    const Value at = b.binary(Op::Add, b.data_addr(data, 64), offset);
    b.store(8, at, 0, b.constant(77));
    b.call_helper(kGetPrandom, {});
    Value sum = b.load(8, at, 0);
    for (const Value value : keep)
        sum = b.binary(Op::Add, sum, value);
    b.ret(sum);
    b.enter(bad);
    b.ret(b.constant(1));
    Loaded loaded(s.module);
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    EXPECT_EQ(loaded.run({1, 2, 3, 4, 5, 6, 7, 8, 9, 0}), 77u + 36u);
    EXPECT_EQ(loaded.run({1, 2, 3, 4, 5, 6, 7, 8, 60, 0}), 1u);
}

// Ten pointers from lookups, each checked after its lookup, all used at the end.
TEST_F(Pressure, SpilledPointersStayPointers)
{
    Sketch s;
    const uint32_t map = s.add_map("array", BPF_MAP_TYPE_ARRAY, 4, 8, 16);
    auto b = s.builder();
    const Value key = b.stack_addr(b.slot(8));
    std::vector<Value> found;
    const auto none = b.block();
    for (int i = 0; i < 10; ++i) {
        b.store(4, key, 0, b.constant(i));
        const Value pointer = b.call_helper(BPF_FUNC_map_lookup_elem, {b.map_ref(map), key}, Mem::MapOrNull, 8);
        found.push_back(pointer);
    }
    std::vector<Value> checked;
    for (const Value pointer : found) {
        const auto next = b.block();
        b.branch(Op::Eq, pointer, b.constant(0), none, next);
        b.enter(next);
        checked.push_back(b.not_null(pointer));
    }
    b.call_helper(kGetPrandom, {});
    for (std::size_t i = 0; i < checked.size(); ++i)
        b.store(8, checked[i], 0, b.constant(static_cast<int64_t>(i) + 1));
    Value sum = b.constant(0);
    for (const Value pointer : checked)
        sum = b.binary(Op::Add, sum, b.load(8, pointer, 0));
    b.ret(sum);
    b.enter(none);
    b.ret(b.constant(0));
    Loaded loaded(s.module);
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    EXPECT_EQ(loaded.run({0}), 55u);
}

TEST_F(Pressure, RandomProgramsComputeTheExpectedValues)
{
    int loaded_count = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed) {
        RandomProgram program(seed, 10 + static_cast<int>(seed % 60));
        for (const int level : {0, 1, 2}) {
            optimise(program.module, level);
            if (const auto code = ebpf::generate(program.module, 0); !code.ok()) {
                EXPECT_NE(code.error().message.find("bytes of stack"), std::string::npos) << code.error().message;
                continue;
            }
            Loaded loaded(program.module);
            ASSERT_TRUE(loaded.ok()) << "seed " << seed << " level " << level << "\n"
                                     << loaded.error() << to_string(program.module);
            ++loaded_count;
            ASSERT_EQ(loaded.run(program.context), program.expected) << "seed " << seed << " level " << level << "\n"
                                                                     << to_string(program.module);
        }
    }
    EXPECT_GT(loaded_count, 400);
}

} // namespace
} // namespace dt::test
