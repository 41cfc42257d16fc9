// Tests that optimization keeps the meaning of functions: random functions give the same results before and after
// optimise(), and the checker accepts the optimized form.
#include <gtest/gtest.h>

#include <map>

#include "dcompiler/ir/check.hpp"
#include "dcompiler/opt/passes.hpp"
#include "test/verify/random_program.hpp"

namespace dt::ir {
namespace {

/// Interprets one function over context words. A pointer is represented by a word with a kind (context or stack slot)
/// and an index.
class Interpreter {
public:
    Interpreter(const Function& f, const std::vector<uint64_t>& context)
        : f_(f), context_(context), values_(f.instrs.size())
    {
    }

    uint64_t run()
    {
        BlockId block = 0, from = kNone;
        for (;;) {
            phis(block, from);
            for (const Value value : f_.blocks[block].instrs) {
                const Instr& i = f_.instrs[value];
                if (i.op == Op::Return)
                    return i.a == kNone ? 0 : values_[i.a];
                if (i.op == Op::Jump || i.op == Op::Branch) {
                    from = block;
                    block = i.targets[i.op == Op::Branch && !test::compute(i.cmp, values_[i.a], values_[i.b])];
                    break;
                }
                if (i.op != Op::Phi)
                    values_[value] = evaluate(i);
            }
        }
    }

private:
    static constexpr uint64_t kStack = uint64_t{1} << 32;

    void phis(BlockId block, BlockId from)
    {
        // new values of all phis; they are stored only after every phi has read its operand
        std::map<Value, uint64_t> next;
        const auto& preds = f_.blocks[block].preds;
        for (const Value value : f_.blocks[block].instrs) {
            const Instr& i = f_.instrs[value];
            for (std::size_t k = 0; i.op == Op::Phi && k < preds.size(); ++k)
                if (preds[k] == from)
                    next[value] = values_[i.args[k]];
        }
        for (const auto& [value, number] : next)
            values_[value] = number;
    }

    uint64_t evaluate(const Instr& i)
    {
        const int shift = 64 - 8 * i.width;
        switch (i.op) {
        case Op::Const:
            return static_cast<uint64_t>(i.imm);
        case Op::Param:
            return 0;
        case Op::StackAddr:
            return kStack + static_cast<uint64_t>(i.imm) * 4096;
        case Op::Neg:
            return -values_[i.a];
        case Op::ZExt:
            return values_[i.a] << shift >> shift;
        case Op::SExt:
            return static_cast<uint64_t>(static_cast<int64_t>(values_[i.a] << shift) >> shift);
        case Op::CallHelper:
            return 0xbad;
        case Op::Store:
            for (int k = 0; k < i.width; ++k)
                memory_[values_[i.a] + static_cast<uint64_t>(i.imm + k)] = static_cast<uint8_t>(values_[i.b] >> 8 * k);
            return 0;
        case Op::Load: {
            const uint64_t at = values_[i.a] + static_cast<uint64_t>(i.imm);
            uint64_t result = 0;
            for (int k = i.width - 1; k >= 0; --k) {
                const uint64_t byte = at + static_cast<uint64_t>(k);
                result = result << 8 | (byte >= kStack ? memory_[byte] : context_[byte / 8] >> byte % 8 * 8 & 0xff);
            }
            return result;
        }
        default:
            return test::compute(i.op, values_[i.a], values_[i.b]);
        }
    }

    const Function& f_;
    const std::vector<uint64_t>& context_;
    std::vector<uint64_t> values_;
    std::map<uint64_t, uint8_t> memory_;
};

TEST(Optimizer, RandomProgramsKeepTheirMeaning)
{
    for (uint32_t seed = 1; seed <= 1000; ++seed) {
        test::RandomProgram program(seed, 10 + static_cast<int>(seed % 90));
        Function& f = program.module.functions[0];
        ASSERT_TRUE(check(program.module).empty()) << "seed " << seed << ": " << check(program.module).front().message;
        const uint64_t before = Interpreter(f, program.context).run();
        ASSERT_EQ(static_cast<uint32_t>(before), program.expected) << "seed " << seed;
        const std::string text = to_string(f);
        optimise(program.module);
        ASSERT_TRUE(check(program.module).empty())
            << "seed " << seed << ": " << check(program.module).front().message << "\n"
            << to_string(f);
        ASSERT_EQ(Interpreter(f, program.context).run(), before) << "seed " << seed << "\n"
                                                                 << text << "\nbecame\n"
                                                                 << to_string(f);
    }
}

} // namespace
} // namespace dt::ir
