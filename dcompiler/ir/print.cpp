// Prints the IR in a stable text form, for snapshots and for reading.
//
//   module   = { "map" NAME "type" N "key" N "value" N "entries" N [ "flags" N ] }
//              { "data" NAME "in" SECTION "size" N } { function }
//   function = "function" NAME "(" N ")" [ "section" SECTION ] ":" { slot } { block }
//   slot     = "  slot" N "size" N "align" N
//   block    = "b" N ":" [ "<-" "b" N { "," "b" N } ] { "  " instruction }
//   instruction = [ "%" N "=" ] OPCODE [ "." WIDTH ] operands [ ":" MEMORY [ "[" REGION "]" ] ]
//
// Values are numbered in order of appearance, so that a pass that only renumbers values leaves the text unchanged.
#include <unordered_map>

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {
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
