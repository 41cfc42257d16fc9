// Implements Builder, which appends instructions to a function, and prints the IR. Lowering, passes and tests create IR
// only through the builder.
//
// The builder sets properties that follow from a single instruction, such as the range of a narrow load or the memory
// kind of pointer + number. It keeps the predecessors of a block in the order in which edges were created; phis rely on
// this order. It does not fold constants.
#include "dcompiler/ir/ir.hpp"

#include <cassert>
#include <unordered_map>
#include <utility>

namespace dt::ir {
namespace {

constexpr Range kBool{0, 1};

} // namespace

Builder::Builder(Function& function) : function_(&function)
{
    if (function.blocks.empty())
        function.blocks.emplace_back();
}

BlockId Builder::block()
{
    function_->blocks.emplace_back();
    return static_cast<BlockId>(function_->blocks.size() - 1);
}

void Builder::enter(BlockId block)
{
    assert(block < function_->blocks.size());
    current_ = block;
}

void Builder::is_cold()
{
    function_->blocks[current_].is_cold = true;
}

bool Builder::terminated() const
{
    const Block& block = function_->blocks[current_];
    return !block.instrs.empty() && is(function_->instrs[block.instrs.back()].op, OpClass::End);
}

uint32_t Builder::slot(uint32_t size, uint32_t align)
{
    function_->slots.push_back({size, align});
    return static_cast<uint32_t>(function_->slots.size() - 1);
}

// Appends an instruction. If the block already has a terminator, the instruction can never run. It then goes to a block
// without predecessors, which later stages skip.
Value Builder::append(Instr instr)
{
    if (terminated())
        enter(block());
    instr.at = at_;
    const Value value = static_cast<Value>(function_->instrs.size());
    function_->instrs.push_back(std::move(instr));
    function_->blocks[current_].instrs.push_back(value);
    return value;
}

Value Builder::constant(int64_t value)
{
    return append({.op = Op::Const, .range = {value, value}, .imm = value});
}

Value Builder::param(uint32_t number)
{
    Instr instr{.op = Op::Param, .imm = number};
    if (number < function_->param_mem.size())
        instr.mem = function_->param_mem[number];
    if (number < function_->param_region.size())
        instr.region = function_->param_region[number];
    return append(std::move(instr));
}

Value Builder::stack_addr(uint32_t slot)
{
    return append({.op = Op::StackAddr, .mem = Mem::Stack, .region = function_->slots[slot].size, .imm = slot});
}

Value Builder::map_ref(uint32_t map)
{
    return append({.op = Op::MapRef, .mem = Mem::Map, .imm = map});
}

Value Builder::data_addr(uint32_t data, uint32_t region, int64_t offset)
{
    return append({.op = Op::DataAddr, .mem = Mem::MapValue, .region = region, .imm = data, .imm2 = offset});
}

Value Builder::pc(uint32_t statement)
{
    return append({.op = Op::PcConst, .range = {0, 1 << 20}, .imm = statement});
}

// Appends a binary operation. The result of pointer ± number points into the same region; the difference of two
// pointers is a number.
Value Builder::binary(Op op, Value a, Value b)
{
    Instr instr{.op = op, .a = a, .b = b};
    const Instr& left = function_->instrs[a];
    const Instr& right = function_->instrs[b];
    if (is_comparison(op)) {
        instr.range = kBool;
    } else if ((op == Op::Add || op == Op::Sub) && left.mem != Mem::None && right.mem == Mem::None) {
        instr.mem = left.mem;
        instr.region = left.region;
    } else if (op == Op::Add && left.mem == Mem::None && right.mem != Mem::None) {
        instr.mem = right.mem;
        instr.region = right.region;
    }
    return append(std::move(instr));
}

Value Builder::readable(Value address, uint32_t cast)
{
    return append({.op = Op::Readable, .mem = Mem::Btf, .a = address, .imm = cast});
}

Value Builder::unary(Op op, Value a, uint8_t width)
{
    Instr instr{.op = op, .width = width, .a = a};
    if (has(op, kWidth))
        instr.range = range_of_width(width, op == Op::SExt);
    return append(std::move(instr));
}

Value Builder::load(uint8_t width, Value address, int64_t offset, Mem yields, uint32_t region)
{
    return append({.op = Op::Load,
                   .width = width,
                   .mem = yields,
                   .region = region,
                   .range = range_of_width(width, false),
                   .a = address,
                   .imm = offset});
}

void Builder::store(uint8_t width, Value address, int64_t offset, Value value)
{
    append({.op = Op::Store, .width = width, .a = address, .b = value, .imm = offset});
}

void Builder::atomic_add(uint8_t width, Value address, int64_t offset, Value value)
{
    append({.op = Op::AtomicAdd, .width = width, .a = address, .b = value, .imm = offset});
}

Value Builder::atomic_fetch_add(uint8_t width, Value address, int64_t offset, Value value)
{
    return append({.op = Op::AtomicFetchAdd,
                   .width = width,
                   .range = range_of_width(width, false),
                   .a = address,
                   .b = value,
                   .imm = offset});
}

Value Builder::atomic_xchg(uint8_t width, Value address, int64_t offset, Value value)
{
    return append({.op = Op::AtomicXchg,
                   .width = width,
                   .range = range_of_width(width, false),
                   .a = address,
                   .b = value,
                   .imm = offset});
}

Value Builder::atomic_cas(uint8_t width, Value address, int64_t offset, Value expected, Value desired)
{
    return append({.op = Op::AtomicCas,
                   .width = width,
                   .range = range_of_width(width, false),
                   .a = address,
                   .b = expected,
                   .imm = offset,
                   .args = {desired}});
}

Value Builder::call_helper(int32_t helper, std::vector<Value> args, Mem yields, uint32_t region)
{
    return append({.op = Op::CallHelper, .mem = yields, .region = region, .imm = helper, .args = std::move(args)});
}

Value Builder::call_runtime(std::string name, std::vector<Value> args, Mem yields, uint32_t region)
{
    return append(
        {.op = Op::CallRuntime, .mem = yields, .region = region, .args = std::move(args), .name = std::move(name)});
}

Value Builder::call_local(uint32_t function, std::vector<Value> args)
{
    return append({.op = Op::CallLocal, .imm = function, .args = std::move(args)});
}

// Appends a phi. Phis precede all other instructions of their block, even if they are appended later.
Value Builder::phi(std::vector<Value> args, Mem yields, uint32_t region)
{
    Block& block = function_->blocks[current_];
    assert(args.size() == block.preds.size());
    const Value value = static_cast<Value>(function_->instrs.size());
    Instr instr{.op = Op::Phi, .mem = yields, .region = region, .args = std::move(args)};
    instr.at = at_;
    function_->instrs.push_back(std::move(instr));
    auto place = block.instrs.begin();
    while (place != block.instrs.end() && function_->instrs[*place].op == Op::Phi)
        ++place;
    block.instrs.insert(place, value);
    return value;
}

Value Builder::not_null(Value pointer)
{
    const Instr& of = function_->instrs[pointer];
    const Mem mem = of.mem == Mem::MapOrNull ? Mem::MapValue : of.mem;
    return append({.op = Op::NonNull, .mem = mem, .region = of.region, .a = pointer});
}

void Builder::jump(BlockId target)
{
    append({.op = Op::Jump, .targets = {target, 0}});
    function_->blocks[target].preds.push_back(current_);
}

void Builder::branch(Op cmp, Value a, Value b, BlockId yes, BlockId no)
{
    append({.op = Op::Branch, .cmp = cmp, .a = a, .b = b, .targets = {yes, no}});
    function_->blocks[yes].preds.push_back(current_);
    function_->blocks[no].preds.push_back(current_);
}

/// Ends one branch of an if/else with a jump to `join`, unless it has a terminator already.
void Builder::leave(BlockId join)
{
    if (!terminated())
        jump(join);
}

Value Builder::select(Op cmp, Value a, Value b, Value yes, Value no)
{
    return select(
        cmp, a, b, [yes] { return yes; }, [no] { return no; });
}

void Builder::ret(Value value)
{
    append({.op = Op::Return, .a = value});
}

// Prints the IR in a stable text form, for comparison with expected output in tests, and for reading.
//
//   module   = { "map" NAME "type" N "key" N "value" N "entries" N [ "flags" N ] }
//              { "data" NAME "in" SECTION "size" N } { function }
//   function = "function" NAME "(" N ")" [ "section" SECTION ] ":" { slot } { block }
//   slot     = "  slot" N "size" N "align" N
//   block    = "b" N ":" [ "<-" "b" N { "," "b" N } ] { "  " instruction }
//   instruction = [ "%" N "=" ] OPCODE [ "." WIDTH ] operands [ ":" MEMORY [ "[" REGION "]" ] ]
//
// The printed IR numbers values in the order of appearance, not by their index. So a pass that only changes indices
// leaves the text unchanged.

namespace {

constexpr const char* kMemory[] = {"", "context", "stack", "value", "value_or_null", "btf", "kernel", "user", "map"};

class Printer {
public:
    explicit Printer(const Function& function, const Module* module) : f_(function), module_(module) {}

    std::string run()
    {
        out_ = "function " + f_.name + "(" + std::to_string(f_.params) + ")";
        if (!f_.section.empty())
            out_ += " section " + f_.section;
        out_ += ":\n";
        for (std::size_t i = 0; i < f_.slots.size(); ++i)
            out_ += "  slot " + std::to_string(i) + " size " + std::to_string(f_.slots[i].size) + " align " +
                    std::to_string(f_.slots[i].align) + "\n";
        for (const Block& block : f_.blocks)
            for (const Value value : block.instrs)
                if (!has(f_.instrs[value].op, kNoResult))
                    names_.emplace(value, names_.size());
        for (std::size_t i = 0; i < f_.blocks.size(); ++i)
            block(static_cast<BlockId>(i));
        return out_;
    }

private:
    static std::string label(BlockId id) { return "b" + std::to_string(id); }

    void block(BlockId id)
    {
        const Block& b = f_.blocks[id];
        if (b.instrs.empty())
            return;
        out_ += label(id) + ":";
        for (std::size_t i = 0; i < b.preds.size(); ++i)
            out_ += (i == 0 ? " <- " : ", ") + label(b.preds[i]);
        out_ += "\n";
        for (const Value value : b.instrs)
            out_ += "  " + instruction(value) + "\n";
    }

    std::string name(Value value) const
    {
        if (value == kNone)
            return "none";
        const auto found = names_.find(value);
        return found == names_.end() ? "%?" + std::to_string(value) : "%" + std::to_string(found->second);
    }

    std::string address(Value base, int64_t offset) const
    {
        if (offset == 0)
            return "[" + name(base) + "]";
        return "[" + name(base) + (offset < 0 ? " - " : " + ") + std::to_string(offset < 0 ? -offset : offset) + "]";
    }

    std::string list(const std::vector<Value>& values) const
    {
        std::string text;
        for (const Value value : values)
            text += (text.empty() ? "" : ", ") + name(value);
        return text;
    }

    std::string callee(const Instr& i) const
    {
        if (i.op == Op::CallRuntime)
            return i.name;
        if (i.op == Op::CallLocal && module_ && static_cast<std::size_t>(i.imm) < module_->functions.size())
            return module_->functions[static_cast<std::size_t>(i.imm)].name;
        return std::to_string(i.imm);
    }

    std::string operands(const Instr& i) const
    {
        switch (facts(i.op).kind) {
        case OpClass::Leaf:
            return (i.op == Op::PcConst ? std::string{} : " " + std::to_string(i.imm)) +
                   (i.imm2 != 0 ? " + " + std::to_string(i.imm2) : "");
        case OpClass::Access:
            return " " + address(i.a, i.imm) + (i.b == kNone ? "" : ", " + name(i.b)) +
                   (i.args.empty() ? "" : ", " + list(i.args));
        case OpClass::Call:
            return " " + callee(i) + "(" + list(i.args) + ")";
        case OpClass::Phi:
            return " " + list(i.args);
        case OpClass::End:
            if (i.op == Op::Branch)
                return std::string(" ") + facts(i.cmp).text + " " + name(i.a) + ", " + name(i.b) + ", " +
                       label(i.targets[0]) + ", " + label(i.targets[1]);
            return i.op == Op::Jump ? " " + label(i.targets[0]) : i.a == kNone ? std::string{} : " " + name(i.a);
        default:
            return " " + name(i.a) + (i.b == kNone ? std::string{} : ", " + name(i.b));
        }
    }

    std::string instruction(Value value) const
    {
        const Instr& i = f_.instrs[value];
        std::string text = has(i.op, kNoResult) ? std::string{} : name(value) + " = ";
        text += facts(i.op).text;
        if (has(i.op, kWidth))
            text += "." + std::to_string(i.width);
        text += operands(i);
        if (i.mem != Mem::None) {
            text += std::string(" : ") + kMemory[static_cast<std::size_t>(i.mem)];
            if (i.region != 0)
                text += "[" + std::to_string(i.region) + "]";
        }
        return text;
    }

    const Function& f_;
    const Module* module_;
    std::unordered_map<Value, std::size_t> names_;
    std::string out_;
};

} // namespace

std::string to_string(const Function& function)
{
    return Printer(function, nullptr).run();
}

std::string to_string(const Module& module)
{
    std::string out;
    for (const Map& map : module.maps) {
        out += "map " + map.name + " type " + std::to_string(map.type) + " key " + std::to_string(map.key_size) +
               " value " + std::to_string(map.value_size) + " entries " + std::to_string(map.max_entries);
        out += map.flags != 0 ? " flags " + std::to_string(map.flags) + "\n" : "\n";
    }
    for (const Data& data : module.data)
        out += "data " + data.name + " in " + data.section + " size " + std::to_string(data.size) + "\n";
    for (const Function& function : module.functions)
        out += (out.empty() ? "" : "\n") + Printer(function, &module).run();
    return out;
}

} // namespace dt::ir
