// Analysis of blocks, joins, functions, and the limits for chains of calls. Single instructions: proof_step.cpp.
#include "bpf-runtime/vm/proof.hpp"

#include <algorithm>

#include "bpf-runtime/vm/instruction.hpp"

namespace dt::vm {

namespace {

constexpr uint32_t kMeetingsToWiden = 6;
constexpr uint64_t kStepsPerInstruction = 400; // limit for the whole analysis

bool is_jump(const bpf_insn& insn)
{
    const uint8_t kind = BPF_CLASS(insn.code);
    return (kind == BPF_JMP || kind == BPF_JMP32) && insn.code != (BPF_JMP | BPF_CALL) &&
           insn.code != (BPF_JMP | BPF_EXIT);
}

} // namespace

uint16_t State::live() const
{
    uint16_t mask = 0;
    for (std::size_t i = 0; i < registers.size(); ++i)
        if (registers[i].kind != Value::Kind::Nothing)
            mask = static_cast<uint16_t>(mask | 1u << i);
    return mask;
}

Proof::Proof(const Image& image) : image_(image) {}

std::string Proof::run()
{
    find_blocks();
    find_roots();
    if (waiting_.empty())
        return "every function is called by another";
    while (!waiting_.empty() && refusal_.empty()) {
        const uint32_t first = *waiting_.begin();
        waiting_.erase(waiting_.begin());
        walk(functions_[first]);
    }
    return refusal_.empty() ? check_calls() : refusal_;
}

void Proof::find_blocks()
{
    leaders_.assign(image_.code.size(), false);
    const auto lead = [&](uint32_t pc) {
        if (pc < leaders_.size())
            leaders_[pc] = true;
    };
    for (uint32_t pc = 0; pc < image_.code.size(); ++pc)
        if (is_jump(image_.code[pc])) {
            lead(jump_target(image_.code[pc], pc));
            lead(pc + 1);
        }
}

/// Finds the functions that no other calls. Only their context is guaranteed, by the virtual machine; other functions
/// get their arguments from callers.
void Proof::find_roots()
{
    std::set<uint32_t> called;
    for (uint32_t pc = 0; pc < image_.code.size(); ++pc) {
        const bpf_insn& insn = image_.code[pc];
        if (insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == BPF_PSEUDO_CALL)
            called.insert(jump_target(insn, pc));
        if (insn.code == (BPF_LD | BPF_IMM | BPF_DW) && insn.src_reg == BPF_PSEUDO_FUNC)
            called.insert(static_cast<uint32_t>(insn.imm));
    }
    for (const Function& function : image_.functions)
        if (!called.contains(function.first)) {
            State entry;
            entry.registers[1] = Value::pointer(Value::Kind::Context);
            entry.registers[kFrameRegister] = Value::pointer(Value::Kind::Stack);
            FunctionProof& proof = functions_[function.first];
            proof.first = function.first;
            proof.root = true;
            proof.entry = entry;
            waiting_.insert(function.first);
        }
}

void Proof::walk(FunctionProof& function)
{
    pending_.clear();
    reach(function, function.first, function.entry);
    while (!pending_.empty() && refusal_.empty()) {
        const uint32_t pc = *pending_.begin();
        pending_.erase(pending_.begin());
        walk_block(function, pc);
    }
}

void Proof::walk_block(FunctionProof& function, uint32_t pc)
{
    State state = function.blocks.at(pc);
    while (true) {
        if (++steps_ > kStepsPerInstruction * (image_.code.size() + 16)) {
            refusal_ = "the program has too many paths";
            return;
        }
        const Step done = step(function, state, pc);
        if (done.fails || !refusal_.empty())
            return;
        if (done.jumps)
            reach(function, done.target, after_jump(state, pc, true));
        if (!done.falls)
            return;
        if (done.jumps)
            return reach(function, done.next, after_jump(state, pc, false));
        if (leads(done.next))
            return reach(function, done.next, state);
        pc = done.next;
    }
}

/// Adds a path that leads to a block.
void Proof::reach(FunctionProof& function, uint32_t pc, const State& state)
{
    const auto [at, fresh] = function.blocks.try_emplace(pc, state);
    if (fresh || join_into(function, at->second, state, ++function.met[pc] > kMeetingsToWiden))
        pending_.insert(pc);
}

bool Proof::join_into(FunctionProof& function, State& into, const State& from, bool widen)
{
    bool changed = false;
    const auto meet = [&](Value& a, const Value& b) {
        const Value both = join(a, b, widen);
        if ((a.kind == Value::Kind::Stack || b.kind == Value::Kind::Stack) && both.kind != Value::Kind::Stack)
            function.tracked = true;
        changed |= !(both == a);
        a = both;
    };
    for (std::size_t i = 0; i < into.registers.size(); ++i)
        meet(into.registers[i], from.registers[i]);
    for (std::size_t i = 0; i < into.slots.size(); ++i)
        meet(into.slots[i], from.slots[i]);
    const auto written = into.written & from.written;
    changed |= written != into.written;
    into.written = written;
    return changed;
}

/// Adds a call of `callee` with these arguments.
void Proof::enter(FunctionProof& caller, uint32_t callee, const State& entry)
{
    caller.calls.insert(callee);
    const auto [at, fresh] = functions_.try_emplace(callee);
    FunctionProof& function = at->second;
    if (fresh) {
        function.first = callee;
        function.entry = entry;
        waiting_.insert(callee);
    } else if (join_into(function, function.entry, entry, ++function.met[~0u] > kMeetingsToWiden)) {
        waiting_.insert(callee);
    }
}

// ---- chains of calls

std::string Proof::check_calls()
{
    for (auto& [first, function] : functions_) {
        std::set<uint32_t> active, done;
        if (function.root && !chain(first, 0, 0, active))
            return refusal_;
        function.context = context_of(function, done);
    }
    return {};
}

/// The kernel adds the frames of a chain of calls, each rounded to 32 bytes.
bool Proof::chain(uint32_t first, uint32_t frames, uint32_t stack, std::set<uint32_t>& active)
{
    const FunctionProof& function = functions_.at(first);
    stack += (std::max<uint32_t>(function.depth, 1) + 31) & ~31u;
    if (++frames > kMostFrames || stack > kStackSize || !active.insert(first).second) {
        refusal_ = "calls may be nested too deeply";
        return false;
    }
    for (const uint32_t callee : function.calls)
        if (!chain(callee, frames, stack, active))
            return false;
    active.erase(first);
    return true;
}

uint32_t Proof::context_of(FunctionProof& function, std::set<uint32_t>& done)
{
    uint32_t most = function.context;
    if (done.insert(function.first).second)
        for (const uint32_t callee : function.calls)
            most = std::max(most, context_of(functions_.at(callee), done));
    return most;
}

} // namespace dt::vm
