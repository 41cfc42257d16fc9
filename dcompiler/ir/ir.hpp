// The intermediate representation: SSA values in basic blocks, 64-bit, unlimited, each with what is known about it.
//
// A Function becomes a BPF function; a Module becomes the ELF object. Pointers carry the kind of memory they point into
// and, where it is bounded, the region's size, because the kernel verifier lets a program touch only what it can bound:
// the checker (check.hpp) refuses what the verifier would, and says so at a D line. Mutable things live in memory
// (stack slots, maps), never in values, so lowering writes SSA directly and needs no conversion: a phi is needed only
// where an expression has two arms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "dcompiler/diagnostics.hpp"

namespace dt::ir {

using Value = uint32_t; ///< index into Function::instrs
using BlockId = uint32_t;
inline constexpr Value kNone = 0xffffffff;

enum class Op : uint8_t {
#define DT_OP(op, text, kind, operands, flags) op,
#include "dcompiler/ir/ops.def"
};

/// What an operation is, for those who do the same with all of a kind.
enum class OpClass : uint8_t {
    Leaf,       ///< a value without operands
    Arithmetic, ///< numbers, and pointers moved by numbers
    Comparison,
    Alias,  ///< the same value, with more known of it
    Access, ///< of memory at a + imm
    Call,
    Phi,
    End, ///< of a block
};

enum OpFlags : uint8_t {
    kPure = 1,     ///< the result depends on nothing but the operands
    kEffect = 2,   ///< more comes of it than a result
    kNoResult = 4, ///< or nothing else
    kWidth = 8,    ///< it is about `width` bytes
    kCommutes = 16,
};

struct OpFacts {
    const char* text;
    OpClass kind;
    uint8_t operands;
    uint8_t flags;
};

inline constexpr OpFacts kOps[] = {
#define DT_OP(op, text, kind, operands, flags) {text, OpClass::kind, operands, flags},
#include "dcompiler/ir/ops.def"
};

constexpr const OpFacts& facts(Op op)
{
    return kOps[static_cast<std::size_t>(op)];
}
constexpr bool is(Op op, OpClass kind)
{
    return facts(op).kind == kind;
}
constexpr bool has(Op op, OpFlags flag)
{
    return (facts(op).flags & flag) != 0;
}
constexpr bool is_comparison(Op op)
{
    return is(op, OpClass::Comparison);
}
/// Arithmetic or a comparison, of numbers a and b.
constexpr bool is_binary(Op op)
{
    return facts(op).operands == 2 && (is(op, OpClass::Arithmetic) || is_comparison(op));
}

/// Memory a pointer points into. Numbers are None.
enum class Mem : uint8_t {
    None,
    Context,   // the program's context: constant offsets only
    Stack,     // this function's or its caller's frame
    MapValue,  // bounded by `region` bytes: map values, data sections, scratch slots
    MapOrNull, // what a lookup returned: must be compared with 0 before use
    Btf,       // kernel object that loads cannot fault in: direct loads, no stores
    Kernel,    // any kernel address: only bpf_probe_read_kernel*
    User,      // any user address: only bpf_probe_read_user*
    Map,       // a map itself
};

/// Signed interval of a value, inclusive.
struct Range {
    int64_t low = std::numeric_limits<int64_t>::min();
    int64_t high = std::numeric_limits<int64_t>::max();
    bool operator==(const Range&) const = default;
};

/// What `width` bytes can be.
constexpr Range range_of_width(uint8_t width, bool is_signed)
{
    if (width >= 8)
        return {};
    const int64_t bound = int64_t{1} << (8 * width - (is_signed ? 1 : 0));
    return {is_signed ? -bound : 0, bound - 1};
}

struct Instr {
    Op op = Op::Const;
    uint8_t width = 8;
    Op cmp = Op::Eq;     ///< Branch: Eq … SLe
    Mem mem = Mem::None; ///< the kind of pointer this instruction yields
    uint32_t region = 0; ///< bytes that may be accessed from a pointer's base (0: not bounded by us)
    Range range;         ///< what is known of the result (filled by builder and passes)
    Value a = kNone, b = kNone;
    int64_t imm = 0;
    int64_t imm2 = 0;
    BlockId targets[2] = {0, 0};
    std::vector<Value> args;
    std::string name;
    Span at; ///< the D text this came from: BTF line info, refusals
};

struct Block {
    std::vector<Value> instrs;  ///< the last is the terminator; phis come first
    std::vector<BlockId> preds; ///< kept by the builder; order is that of Phi::args
    bool is_seldom = false;     ///< what lowering knows of it: hardly any firing comes here (ebpf/seldom.hpp)
};

struct StackSlot {
    uint32_t size = 8; ///< bytes; offsets are chosen by ebpf/frame
    uint32_t align = 8;
};

/// A function's parameter that a tag says to be the context, whatever the kernel calls that (6.8).
inline constexpr std::string_view kTaggedContext = "arg:ctx";

struct Function {
    std::string name;
    std::string section; ///< "" for a subprogram (.text), else the program's section
    uint32_t params = 1; ///< all are 64-bit; parameter 0 of a program is the context
    std::vector<Mem> param_mem;
    std::vector<uint32_t> param_region;
    /// A global BPF function: the kernel verifies it once, whatever its callers know, and follows no call of it. It
    /// returns a number.
    bool verified_apart = false;
    /// With verified_apart: the kernel's name for the structure that parameter 0 points to, or kTaggedContext; the
    /// others are MapOrNull, for the kernel lets a caller pass 0. Empty: all parameters are numbers.
    std::string context_type;
    std::deque<Instr> instrs;
    std::vector<Block> blocks; ///< blocks[0] is the entry
    std::vector<StackSlot> slots;

    Function() = default;
    Function(const Function&) = default;
    Function& operator=(const Function&) = default;
    /// noexcept, which a deque's move is not: a vector that grows would copy all functions, and with a thousand clauses
    /// that was a quarter of the compiler's time.
    Function(Function&&) noexcept = default;
    Function& operator=(Function&&) noexcept = default;
    ~Function() = default;
};

/// A BTF-defined map. Sizes of 0 entries mean "set by the loader".
struct Map {
    std::string name;
    uint32_t type = 0; ///< BPF_MAP_TYPE_*
    uint32_t key_size = 4;
    uint32_t value_size = 8;
    uint32_t max_entries = 1;
    uint32_t flags = 0;
};

/// A named object in a data section; DataAddr refers to it.
struct Data {
    std::string name;
    std::string section; ///< ".bss", ".data", ".rodata", ".data.ecb", …
    uint32_t size = 0;
    uint32_t align = 8;
    std::vector<uint8_t> bytes; ///< empty in .bss
};

struct Module {
    std::vector<Function> functions; ///< callees before or after callers: both are fine
    std::vector<Map> maps;
    std::vector<Data> data;
    bool extends_signs = false; ///< code may have moves and loads that extend the sign (BPF cpu v4)
};

/// The place of code that no text asked for, between code that some did. (A line of 0 without a column is a place that
/// is not known: the code is of what is before it.)
inline constexpr Span kNoText{nullptr, nullptr, 0, 0, 0, 1};

/// Appends instructions to a function. Keeps block predecessors; folds nothing (that is opt/'s).
class Builder {
public:
    /// Makes the entry block if there is none and enters it.
    explicit Builder(Function& function);

    Function& function() { return *function_; }
    /// Instructions built from now on came from here.
    void at(const Span& span) { at_ = span; }
    const Span& at() const { return at_; }

    BlockId block();           ///< a new, empty block
    void enter(BlockId block); ///< appends go here from now on
    void is_seldom();          ///< hardly any firing comes to the block that was entered last
    BlockId current() const { return current_; }
    bool terminated() const; ///< the current block has its terminator

    uint32_t slot(uint32_t size, uint32_t align = 8); ///< a new stack slot

    Value constant(int64_t value);
    Value param(uint32_t number);
    Value stack_addr(uint32_t slot);
    Value map_ref(uint32_t map);
    Value data_addr(uint32_t data, uint32_t region, int64_t offset = 0);
    Value pc(uint32_t statement); ///< `statement` tells fault reports whose place this is
    Value binary(Op op, Value a, Value b);
    Value unary(Op op, Value a, uint8_t width = 8); ///< Neg, SExt, ZExt, BSwap
    Value readable(Value address, uint32_t cast);   ///< Op::Readable
    Value load(uint8_t width, Value address, int64_t offset = 0, Mem yields = Mem::None, uint32_t region = 0);
    void store(uint8_t width, Value address, int64_t offset, Value value);
    void atomic_add(uint8_t width, Value address, int64_t offset, Value value);
    Value atomic_fetch_add(uint8_t width, Value address, int64_t offset, Value value); ///< the old value
    Value atomic_xchg(uint8_t width, Value address, int64_t offset, Value value);
    Value atomic_cas(uint8_t width, Value address, int64_t offset, Value expected, Value desired); ///< the old value
    Value call_helper(int32_t helper, std::vector<Value> args, Mem yields = Mem::None, uint32_t region = 0);
    Value call_runtime(std::string name, std::vector<Value> args, Mem yields = Mem::None, uint32_t region = 0);
    Value call_local(uint32_t function, std::vector<Value> args);
    /// In a block with predecessors known; args in the order the edges were made.
    Value phi(std::vector<Value> args, Mem yields = Mem::None, uint32_t region = 0);
    /// a pointer known, from here on, not to be null (a copy of a MapOrNull with Mem::MapValue): use it in the non-null
    /// arm.
    Value not_null(Value pointer);

    void jump(BlockId target);
    void branch(Op cmp, Value a, Value b, BlockId yes, BlockId no);
    void ret(Value value = kNone);

    // Arms and their join. Each arm appends its instructions to its own block; an arm that ended the path takes no part
    // in the join.
    /// What `yes()` gives when control comes through block `yes_block`, what `no()` gives behind the other.
    template <typename Yes, typename No>
    Value join(BlockId yes_block, BlockId no_block, Yes yes, No no, Mem yields = Mem::None, uint32_t region = 0);
    /// What `yes()` gives where the comparison holds, else what `no()` gives.
    template <typename Yes, typename No>
    Value select(Op cmp, Value a, Value b, Yes yes, No no, Mem yields = Mem::None, uint32_t region = 0);
    /// One of two values that are there already.
    Value select(Op cmp, Value a, Value b, Value yes, Value no);
    /// Runs `yes()` where the comparison holds, else `no()`.
    template <typename Yes, typename No> void if_else(Op cmp, Value a, Value b, Yes yes, No no);
    template <typename Yes> void if_then(Op cmp, Value a, Value b, Yes yes);

    Instr& instr(Value value) { return function_->instrs[value]; }

private:
    Value append(Instr instr);
    void leave(BlockId join);
    Function* function_;
    BlockId current_ = 0;
    Span at_;
};

template <typename Yes, typename No>
Value Builder::join(BlockId yes_block, BlockId no_block, Yes yes, No no, Mem yields, uint32_t region)
{
    const BlockId join = block();
    enter(yes_block);
    const Value one = yes();
    const bool has_one = !terminated();
    leave(join);
    enter(no_block);
    const Value other = no();
    const bool has_other = !terminated();
    leave(join);
    enter(join);
    return has_one && has_other ? phi({one, other}, yields, region) : has_one ? one : other;
}

template <typename Yes, typename No>
Value Builder::select(Op cmp, Value a, Value b, Yes yes, No no, Mem yields, uint32_t region)
{
    const BlockId yes_block = block(), no_block = block();
    branch(cmp, a, b, yes_block, no_block);
    return join(yes_block, no_block, yes, no, yields, region);
}

template <typename Yes, typename No> void Builder::if_else(Op cmp, Value a, Value b, Yes yes, No no)
{
    const BlockId yes_block = block(), no_block = block(), join = block();
    branch(cmp, a, b, yes_block, no_block);
    enter(yes_block);
    yes();
    leave(join);
    enter(no_block);
    no();
    leave(join);
    enter(join);
}

template <typename Yes> void Builder::if_then(Op cmp, Value a, Value b, Yes yes)
{
    const BlockId yes_block = block(), join = block();
    branch(cmp, a, b, yes_block, join);
    enter(yes_block);
    yes();
    leave(join);
    enter(join);
}

/// Text form, stable, for snapshots and -S: see print.cpp for the grammar.
std::string to_string(const Function& function);
std::string to_string(const Module& module);

} // namespace dt::ir
