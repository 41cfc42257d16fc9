// Random intermediate code with its expected result. Tests of optimizer passes use it in user space, tests of the back
// end on the kernel.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::test {

/// Returns the result of an operation by the definition of the intermediate code.
inline uint64_t compute(ir::Op op, uint64_t a, uint64_t b)
{
    using ir::Op;
    const auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
    switch (op) {
    case Op::Add:
        return a + b;
    case Op::Sub:
        return a - b;
    case Op::Mul:
        return a * b;
    case Op::UDiv:
        return b ? a / b : 0;
    case Op::UMod:
        return b ? a % b : a;
    case Op::And:
        return a & b;
    case Op::Or:
        return a | b;
    case Op::Xor:
        return a ^ b;
    case Op::Shl:
        return a << (b & 63);
    case Op::LShr:
        return a >> (b & 63);
    case Op::AShr:
        return static_cast<uint64_t>(sa >> (b & 63));
    case Op::Eq:
        return a == b;
    case Op::Ne:
        return a != b;
    case Op::ULt:
        return a < b;
    case Op::ULe:
        return a <= b;
    case Op::SLt:
        return sa < sb;
    default:
        return sa <= sb;
    }
}

/// Builds a random program that branches and joins again (a diamond), over words of the context. Computes its expected
/// result.
class RandomProgram {
public:
    RandomProgram(uint32_t seed, int size) : random_(seed), b_(entry(module))
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

    ir::Module module; ///< module with one function, a raw tracepoint program
    std::vector<uint64_t> context = std::vector<uint64_t>(8);
    uint32_t expected = 0; ///< expected result of the program, without its high half

private:
    using Op = ir::Op;
    using Value = ir::Value;
    static constexpr int32_t kGetPrandom = 7; // bpf_get_prandom_u32: clobbers R0..R5, result unused

    static ir::Function& entry(ir::Module& module)
    {
        ir::Function& f = module.functions.emplace_back();
        f.name = "prog";
        f.section = "raw_tp/sys_enter";
        f.param_mem = {ir::Mem::Context};
        f.param_region = {0};
        return f;
    }

    struct Known {
        Value value;
        uint64_t number;
    };

    uint64_t pick_number()
    {
        static constexpr uint64_t kEdges[] = {
            0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000000000000000, ~0ULL};
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

    static uint64_t extend(Op op, uint64_t a, int width)
    {
        const int shift = 64 - 8 * width;
        return op == Op::ZExt ? a << shift >> shift : static_cast<uint64_t>(static_cast<int64_t>(a << shift) >> shift);
    }

    void step()
    {
        static constexpr Op kOps[] = {Op::Add, Op::Sub, Op::Mul, Op::UDiv, Op::UMod, Op::And,
                                      Op::Or,  Op::Xor, Op::Shl, Op::LShr, Op::AShr, Op::Eq,
                                      Op::Ne,  Op::ULt, Op::ULe, Op::SLt,  Op::SLe};
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

} // namespace dt::test
