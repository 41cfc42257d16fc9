// Register pressure on the running kernel: many values over calls, spilled pointers and bounds, random programs against an evaluator.
#include <gtest/gtest.h>

#include <random>

#include "dcompiler/ebpf/code.hpp"
#include "dcompiler/opt/passes.hpp"
#include "test/verify/loaded.hpp"

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

// The offset is compared, spilled over a call, and then used to reach into a map value.
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

// Ten looked-up pointers, each checked when it was found, all used at the end.
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

// ---- random programs ----------------------------------------------------------------------------------------------

/// Builds a random diamond-shaped program over the context's words and computes, on the side, what it must return.
class RandomProgram {
public:
    RandomProgram(uint32_t seed, int size) : random_(seed), b_(sketch.builder())
    {
        for (uint64_t& word : context)
            word = pick_number();
        const Value ctx = b_.param(0);
        for (int i = 0; i < 8; ++i)
            add(b_.load(8, ctx, 8 * i), context[i]);
        for (int i = 0; i < size; ++i)
            step();
        Value result = values_[0].value;
        uint64_t expected_word = values_[0].number;
        for (const Known& known : values_) {
            result = b_.binary(Op::Add, b_.binary(Op::Mul, result, b_.constant(31)), known.value);
            expected_word = expected_word * 31 + known.number;
        }
        b_.ret(b_.binary(Op::LShr, result, b_.constant(7)));
        expected = static_cast<uint32_t>(expected_word >> 7);
    }

    Sketch sketch;
    std::vector<uint64_t> context = std::vector<uint64_t>(8);
    uint32_t expected = 0;

private:
    struct Known {
        Value value;
        uint64_t number;
    };

    uint64_t pick_number()
    {
        static constexpr uint64_t kEdges[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000000000000000, ~0ULL};
        return random_() % 3 ? kEdges[random_() % std::size(kEdges)] : (uint64_t{random_()} << 32 | random_());
    }
    const Known& pick() { return values_[random_() % values_.size()]; }
    void add(Value value, uint64_t number)
    {
        if (values_.size() < 24)
            values_.push_back({value, number});
        else
            values_[random_() % values_.size()] = {value, number};
    }

    static uint64_t compute(Op op, uint64_t a, uint64_t b)
    {
        const auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
        switch (op) {
        case Op::Add: return a + b;
        case Op::Sub: return a - b;
        case Op::Mul: return a * b;
        case Op::UDiv: return b ? a / b : 0;
        case Op::UMod: return b ? a % b : a;
        case Op::And: return a & b;
        case Op::Or: return a | b;
        case Op::Xor: return a ^ b;
        case Op::Shl: return a << (b & 63);
        case Op::LShr: return a >> (b & 63);
        case Op::AShr: return static_cast<uint64_t>(sa >> (b & 63));
        case Op::Eq: return a == b;
        case Op::Ne: return a != b;
        case Op::ULt: return a < b;
        case Op::ULe: return a <= b;
        case Op::SLt: return sa < sb;
        default: return sa <= sb;
        }
    }

    static uint64_t extend(Op op, uint64_t a, int width)
    {
        const int shift = 64 - 8 * width;
        return op == Op::ZExt ? a << shift >> shift : static_cast<uint64_t>(static_cast<int64_t>(a << shift) >> shift);
    }

    void step()
    {
        static constexpr Op kOps[] = {Op::Add, Op::Sub, Op::Mul, Op::UDiv, Op::UMod, Op::And, Op::Or, Op::Xor, Op::Shl,
                                      Op::LShr, Op::AShr, Op::Eq, Op::Ne, Op::ULt, Op::ULe, Op::SLt, Op::SLe};
        const Known a = pick();
        Known c = pick();
        if (random_() % 4 == 0) {
            const uint64_t number = pick_number();
            c = {b_.constant(static_cast<int64_t>(number)), number};
        }
        const Op op = kOps[random_() % std::size(kOps)];
        switch (random_() % 10) {
        case 0:
            b_.call_helper(kGetPrandom, {});
            break;
        case 1: {
            const Op ext = random_() % 2 ? Op::ZExt : Op::SExt;
            const int width = 1 << random_() % 3;
            add(b_.unary(ext, a.value, static_cast<uint8_t>(width)), extend(ext, a.number, width));
            break;
        }
        case 2:
            diamond(a, c);
            break;
        case 3: {
            const Value slot = b_.stack_addr(b_.slot(8));
            b_.store(8, slot, 0, a.value);
            add(b_.load(4, slot, 4), a.number >> 32);
            add(b_.load(1, slot, 1), a.number >> 8 & 0xff);
            break;
        }
        case 4:
            add(b_.unary(Op::Neg, a.value), -a.number);
            break;
        default:
            add(b_.binary(op, a.value, c.value), compute(op, a.number, c.number));
        }
    }

    void diamond(const Known& a, const Known& c)
    {
        static constexpr Op kCmps[] = {Op::Eq, Op::Ne, Op::ULt, Op::ULe, Op::SLt, Op::SLe};
        const Op cmp = kCmps[random_() % std::size(kCmps)];
        const bool taken = compute(cmp, a.number, c.number) != 0;
        const auto yes = b_.block(), no = b_.block(), done = b_.block();
        b_.branch(cmp, a.value, c.value, yes, no);
        const Known x = pick(), y = pick();
        b_.enter(yes);
        const Value left = b_.binary(Op::Add, x.value, b_.constant(11));
        if (random_() % 3 == 0)
            b_.call_helper(kGetPrandom, {});
        b_.jump(done);
        b_.enter(no);
        const Value right = b_.binary(Op::Xor, y.value, a.value);
        b_.jump(done);
        b_.enter(done);
        const Value swapped = b_.phi({y.value, x.value});
        add(b_.phi({left, right}), taken ? x.number + 11 : y.number ^ a.number);
        add(swapped, taken ? y.number : x.number);
    }

    std::mt19937 random_;
    ir::Builder b_;
    std::vector<Known> values_;
};

TEST_F(Pressure, RandomProgramsComputeWhatTheyShould)
{
    int loaded_count = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed) {
        RandomProgram program(seed, 10 + static_cast<int>(seed % 60));
        for (const int level : {0, 1}) {
            if (level > 0)
                optimise(program.sketch.module, level);
            if (const auto code = ebpf::generate(program.sketch.module, 0); !code.ok()) {
                EXPECT_NE(code.error().message.find("bytes of stack"), std::string::npos) << code.error().message;
                continue;
            }
            Loaded loaded(program.sketch.module);
            ASSERT_TRUE(loaded.ok()) << "seed " << seed << " level " << level << "\n" << loaded.error() << to_string(program.sketch.module);
            ++loaded_count;
            ASSERT_EQ(loaded.run(program.context), program.expected)
                << "seed " << seed << " level " << level << "\n" << to_string(program.sketch.module);
        }
    }
    EXPECT_GT(loaded_count, 400);
}

} // namespace
} // namespace dt::test
