// Intermediate representation: SSA values in basic blocks. Values have 64 bits, and their number is unlimited.
//
// A Function becomes a BPF function; a Module becomes the ELF object. Pointers carry their kind of memory and, if it is
// bounded, the region's size, because the kernel verifier only permits bounded accesses. The checker (check.hpp)
// refuses code that the verifier would refuse and reports the D line. Mutable data lives in memory (stack slots, maps)
// and never in values, so lowering can create SSA form directly. A phi is needed only for an expression with two
// branches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "dcompiler/interface/diagnostics.hpp"

namespace dt::ir {

using Value = uint32_t; ///< an IR value, given by the index of its instruction in Function::instrs
using BlockId = uint32_t;
inline constexpr Value kNone = 0xffffffff;

enum class Op : uint8_t {
#define DT_OP(op, text, kind, operands, flags) op,
#include "dcompiler/ir/ops.def"
};

/// Class of an operation. Code that treats a group of operations alike tests the class.
enum class OpClass : uint8_t {
    Leaf,       ///< operation without operands, such as a constant or a parameter
    Arithmetic, ///< operations on numbers, and on a pointer and a number
    Comparison,
    Alias,  ///< operation whose result is its operand, with additional properties
    Access, ///< access to memory at the address of operand a plus imm
    Call,
    Phi,
    End, ///< terminator: ends a block
};

enum OpFlags : uint8_t {
    kPure = 1,     ///< the result depends only on the operands
    kEffect = 2,   ///< the operation has effects besides its result
    kNoResult = 4, ///< the operation has no result
    kWidth = 8,    ///< the operation works on `width` bytes
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
/// Returns whether the operation calculates with the two numbers a and b, or compares them.
constexpr bool is_binary(Op op)
{
    return facts(op).operands == 2 && (is(op, OpClass::Arithmetic) || is_comparison(op));
}

/// Kind of memory to which a pointer points. Numbers have the kind None.
enum class Mem : uint8_t {
    None,
    Context,   // the program's context, accessed only at constant offsets
    Stack,     // stack frame of this function or of a function that calls it
    MapValue,  // memory of `region` bytes: map values, data sections, scratch slots
    MapOrNull, // result of a map lookup, which must be compared with 0 before it is dereferenced
    Btf,       // kernel object that programs may load from but not store to
    Kernel,    // any kernel address, which is accessed only by bpf_probe_read_kernel*
    User,      // any user address, which is accessed only by bpf_probe_read_user*
    Map,       // reference to a map, not to a value in it
};

/// Interval of signed values, including both ends.
struct Range {
    int64_t low = std::numeric_limits<int64_t>::min();
    int64_t high = std::numeric_limits<int64_t>::max();
    bool operator==(const Range&) const = default;
};

/// Returns the range of all signed or all unsigned integers that have `width` bytes.
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
    Op cmp = Op::Eq;     ///< for Branch: operator of the comparison, one of Eq to SLe
    Mem mem = Mem::None; ///< if the result is a pointer: its kind of memory
    uint32_t region = 0; ///< for pointers: number of accessible bytes from the base; 0: unknown
    Range range;         ///< range of the result, as the builder and passes have found it
    Value a = kNone, b = kNone;
    int64_t imm = 0;
    int64_t imm2 = 0;
    BlockId targets[2] = {0, 0};
    std::vector<Value> args;
    std::string name;
    Span at; ///< position in the D source, for BTF line information and errors
};

struct Block {
    std::vector<Value> instrs;  ///< the block's instructions: phis first, the terminator last
    std::vector<BlockId> preds; ///< predecessors in the order of Phi::args, maintained by the builder
    bool is_cold = false;       ///< whether the block rarely runs; set by lowering (ebpf/select.hpp)
};

struct StackSlot {
    uint32_t size = 8; ///< size in bytes; code generation assigns the offset in the frame (ebpf/assemble.cpp)
    uint32_t align = 8;
};

/// Tag in BTF that marks a function's parameter as the program's context, whatever its type is called (since Linux
/// 6.8).
inline constexpr std::string_view kTaggedContext = "arg:ctx";

struct Function {
    std::string name;
    std::string section; ///< ELF section of a program; empty for a subprogram, which goes to .text
    uint32_t params = 1; ///< number of parameters, which all have 64 bits; parameter 0 of a program is the context
    std::vector<Mem> param_mem;
    std::vector<uint32_t> param_region;
    /// Whether the kernel verifies the function separately, only once and not at each call. The function is then global
    /// in BPF and returns a number.
    bool verified_separately = false;
    /// For verified_separately: name of the type of context to which parameter 0 points, or kTaggedContext. Other
    /// parameters are MapOrNull pointers, because the kernel allows 0 for them. If this name is empty, all parameters
    /// are numbers.
    std::string context_type;
    std::deque<Instr> instrs;
    std::vector<Block> blocks; ///< basic blocks; blocks[0] is the entry
    std::vector<StackSlot> slots;

    Function() = default;
    Function(const Function&) = default;
    Function& operator=(const Function&) = default;
    /// The move is noexcept, because a vector that grows otherwise copies its functions. A default one would not be
    /// noexcept, because that of std::deque is not. Without it, copying took a quarter of the compile time of a
    /// thousand clauses.
    Function(Function&&) noexcept = default;
    Function& operator=(Function&&) noexcept = default;
    ~Function() = default;
};

/// A BPF map. If a size is zero here, the loader sets it.
struct Map {
    std::string name;
    uint32_t type = 0; ///< kind of BPF map, BPF_MAP_TYPE_*
    uint32_t key_size = 4;
    uint32_t value_size = 8;
    uint32_t max_entries = 1;
    uint32_t flags = 0;
};

/// A named object in a data section. The IR refers to it by DataAddr.
struct Data {
    std::string name;
    std::string section; ///< section of the object: ".bss", ".data", ".rodata", ".data.ecb", …
    uint32_t size = 0;
    uint32_t align = 8;
    std::vector<uint8_t> bytes; ///< initial content; empty in section .bss
};

struct Module {
    std::vector<Function> functions; ///< functions of the module, in any order
    std::vector<Map> maps;
    std::vector<Data> data;
    bool extends_signs = false;   ///< whether code may use sign-extending moves and loads (BPF cpu v4)
    uint32_t runtime_stack = 128; ///< maximum stack depth of a bpf-runtime function with callees
};

/// Position of generated code that belongs to no D source text. In contrast, line 0 and column 0 mean that the position
/// is unknown: it is then that of the code before.
inline constexpr Span kNoText{nullptr, nullptr, 0, 0, 0, 1};

/// Appends instructions to a function and keeps the lists of predecessors up to date. Does not fold constants; the
/// passes in opt/ do.
class Builder {
public:
    /// Selects the entry block, which is created if it does not exist.
    explicit Builder(Function& function);

    Function& function() { return *function_; }
    /// Sets the source position of the instructions that are built from now on.
    void at(const Span& span) { at_ = span; }
    const Span& at() const { return at_; }

    BlockId block();           ///< creates an empty block
    void enter(BlockId block); ///< selects the block to which instructions are appended
    void is_cold();            ///< marks the block that enter() has selected as rarely executed
    BlockId current() const { return current_; }
    bool terminated() const; ///< returns whether the block to which code is appended has a terminator

    uint32_t slot(uint32_t size, uint32_t align = 8); ///< creates a stack slot

    Value constant(int64_t value);
    Value param(uint32_t number);
    Value stack_addr(uint32_t slot);
    Value map_ref(uint32_t map);
    Value data_addr(uint32_t data, uint32_t region, int64_t offset = 0);
    Value pc(uint32_t statement); ///< appends Op::PcConst: an index by which a fault report finds its statement
    Value binary(Op op, Value a, Value b);
    Value unary(Op op, Value a, uint8_t width = 8); ///< appends Neg, SExt, ZExt or BSwap
    Value readable(Value address, uint32_t cast);   ///< appends Op::Readable; `cast` is the BTF id of bpf_rdonly_cast()
    Value load(uint8_t width, Value address, int64_t offset = 0, Mem yields = Mem::None, uint32_t region = 0);
    void store(uint8_t width, Value address, int64_t offset, Value value);
    void atomic_add(uint8_t width, Value address, int64_t offset, Value value);
    /// yields the word's value before the addition
    Value atomic_fetch_add(uint8_t width, Value address, int64_t offset, Value value);
    Value atomic_xchg(uint8_t width, Value address, int64_t offset, Value value);
    /// Yields the word's value before the exchange.
    Value atomic_cas(uint8_t width, Value address, int64_t offset, Value expected, Value desired);
    Value call_helper(int32_t helper, std::vector<Value> args, Mem yields = Mem::None, uint32_t region = 0);
    Value call_runtime(std::string name, std::vector<Value> args, Mem yields = Mem::None, uint32_t region = 0);
    Value call_local(uint32_t function, std::vector<Value> args);
    /// Appends a phi to a block whose predecessors all exist. `args` are in the order in which the edges to the block
    /// were created.
    Value phi(std::vector<Value> args, Mem yields = Mem::None, uint32_t region = 0);
    /// Returns a copy of a MapOrNull pointer as Mem::MapValue, a pointer that is not null. Call it only where the
    /// program has tested the pointer.
    Value not_null(Value pointer);

    void jump(BlockId target);
    void branch(Op cmp, Value a, Value b, BlockId yes, BlockId no);
    void ret(Value value = kNone);

    // Builds the code of two branches and their join. Each branch ends with a jump to the join, unless it has its own
    // terminator. Yields the result of `yes()` if control came through `yes_block`, that of `no()` if through
    // `no_block`.
    template <typename Yes, typename No>
    Value join(BlockId yes_block, BlockId no_block, Yes yes, No no, Mem yields = Mem::None, uint32_t region = 0);
    /// Builds an if/else with a value: that of `yes()` if the comparison is true, else that of `no()`.
    template <typename Yes, typename No>
    Value select(Op cmp, Value a, Value b, Yes yes, No no, Mem yields = Mem::None, uint32_t region = 0);
    /// Yields the value `yes` if the comparison is true, else the value `no`.
    Value select(Op cmp, Value a, Value b, Value yes, Value no);
    /// Builds an if/else: the code of `yes()` runs if the comparison is true, else that of `no()`.
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

/// Return the IR in a stable text form for tests and -S; ir.cpp describes the grammar.
std::string to_string(const Function& function);
std::string to_string(const Module& module);

} // namespace dt::ir
