// Compiles functions and blocks, and merges operations. Single instructions: threaded_instructions.cpp.
#include "bpf-runtime/vm/threaded_compiler.hpp"

#include <algorithm>
#include <span>

#include "bpf-runtime/vm/instruction.hpp"

namespace dt::vm {

namespace {

constexpr uint64_t kNoFollower = uint64_t{1} << 32; // no instruction has this number
constexpr Code kFirstDirect = Code::Context, kFirstCounted = Code::Operate;

bool is_small(uint64_t value)
{
    return static_cast<int64_t>(value) == static_cast<int32_t>(value);
}

/// Returns the facts about the pointer that a load reads through.
Value base_of(const Image& image, const State& state, uint32_t pc)
{
    if (pc >= image.code.size() || BPF_CLASS(image.code[pc].code) != BPF_LDX || image.code[pc].src_reg > kFrameRegister)
        return {};
    return state.registers[image.code[pc].src_reg];
}

} // namespace

std::unique_ptr<CompiledCode> compile_threaded(const Image& image, Proof& proof, const Surroundings& around)
{
    return ThreadedCompiler(image, proof, around).run();
}

std::unique_ptr<CompiledCode> ThreadedCompiler::run()
{
    auto code = std::make_unique<CompiledCode>();
    code->enter = enter_threaded;
    std::map<uint32_t, uint32_t> direct;
    for (auto& [first, function] : proof_.functions()) {
        const Survey known = survey(image_, proof_, function, *around_.environment);
        functions_[first] = variant(function, known, false);
        is_direct_.resize(out_.size(), false);
        CompiledFunction& made = code->functions[first];
        made.context = function.context;
        made.root = function.root;
        if (!function.root || !known.direct)
            continue;
        const auto place = direct_variant(function, known);
        if (!place)
            continue;
        direct[first] = *place;
        const DirectFunction whole = threaded_whole(code_of(out_[*place]));
        made.direct = whole ? whole : call_threaded;
        made.most = known.count;
    }
    link(*code);
    for (auto& [first, made] : code->functions) {
        made.code = &code->operations[functions_.at(first)];
        if (made.direct)
            made.operations = &code->operations[direct.at(first)];
    }
    return code;
}

/// Replaces numbers by addresses, because operations move no more.
void ThreadedCompiler::link(CompiledCode& code)
{
    code.operations = std::move(out_);
    for (std::size_t i = 0; i < code.operations.size(); ++i) {
        Operation& op = code.operations[i];
        op.code = threaded_codes(is_direct_[i])[static_cast<std::size_t>(code_of(op))];
    }
    for (const auto& [from, to] : targets_)
        code.operations[from].target = &code.operations[to];
    for (const auto& [from, function] : calls_)
        code.operations[from].target = &code.operations[functions_.at(function)];
}

/// Compiles the direct variant; nothing if it needs an operation that direct functions lack. Compiles twice, because
/// the second time it knows the registers that are never read and omits writes to them.
std::optional<uint32_t> ThreadedCompiler::direct_variant(FunctionProof& function, const Survey& survey)
{
    const auto place = static_cast<uint32_t>(out_.size());
    variant(function, survey, true);
    const auto made = std::span(out_).subspan(place);
    const bool all_there =
        std::all_of(made.begin(), made.end(), [](const Operation& op) { return code_of(op) < kFirstCounted; });
    read_ = 0;
    for (const Operation& op : made)
        read_ = static_cast<uint16_t>(read_ | reads(op));
    out_.resize(place);
    targets_.erase(targets_.lower_bound(place), targets_.end());
    if (all_there)
        variant(function, survey, true);
    read_ = kAllRegisters;
    is_direct_.resize(out_.size(), true);
    return all_there ? std::optional(place) : std::nullopt;
}

uint32_t ThreadedCompiler::variant(FunctionProof& function, const Survey& survey, bool direct)
{
    const auto place = static_cast<uint32_t>(out_.size());
    current_ = &function;
    direct_ = direct;
    choices_ = direct ? survey.choices : std::map<uint32_t, Choice>();
    std::erase_if(choices_, [&](const auto& choice) { // choices for which there is no operation
        return BPF_SRC(image_.code[choice.first - 1].code) == BPF_X ||
               !is_small(choice.second.jumped ^ choice.second.fell);
    });
    blocks_.clear();
    jumps_.clear();
    targets_of_jumps_ = &survey.targets;
    first_of_block_ = last_of_two_ = place;
    begin(survey);
    std::vector<Block> blocks = survey.blocks;
    std::erase_if(blocks, [&](const Block& block) { return choices_.contains(block.first); });
    for (std::size_t i = 0; i < blocks.size(); ++i)
        block(blocks[i], i + 1 < blocks.size() ? blocks[i + 1].first : kNoFollower);
    for (const auto& [from, block] : jumps_)
        targets_[from] = blocks_.at(block);
    return place;
}

void ThreadedCompiler::begin(const Survey& survey)
{
    if (direct_) {
        if (read_ >> 1 & 1)
            put(Code::Context).to = 1;
        if (survey.registers.contains(kFrameRegister)) {
            Operation& op = put(Code::Constant);
            op.to = kFrameRegister;
            op.value = static_cast<int64_t>(around_.stack_end);
        }
        return;
    }
    if (!current_->root)
        put(Code::Arguments);
    Operation& op = put(Code::Begin);
    op.small = static_cast<int32_t>(current_->depth);
    op.value = current_->tracked;
}

void ThreadedCompiler::block(const Block& block, uint64_t follower)
{
    blocks_[block.first] = static_cast<uint32_t>(out_.size());
    if (!direct_) {
        Operation& op = put(block.loops || block.first == current_->first ? Code::SpendChecked : Code::Spend);
        op.value = block.count;
        op.pc = block.first;
    }
    if (!direct_ || targets_of_jumps_->contains(block.first)) // otherwise entered only from the previous operation
        first_of_block_ = out_.size();
    State state = current_->blocks.at(block.first);
    for (uint32_t pc = block.first;;) {
        const uint16_t live = state.live();
        const Value base = base_of(image_, state, pc);
        const Step step = proof_.step(*current_, state, pc);
        if (step.fails) {
            Operation& op = put(Code::Refuse);
            op.small = live;
            op.pc = pc;
            return;
        }
        if (!instruction({image_.code[pc], pc, step, base, state, follower}))
            return;
        pc = step.next;
        if (proof_.leads(pc))
            return go_to(pc, follower);
    }
}

void ThreadedCompiler::go_to(uint32_t pc, uint64_t follower)
{
    if (pc == follower)
        return;
    if (direct_ && is_exit(image_.code[pc])) {
        put(Code::Exit);
        return;
    }
    jumps_[static_cast<uint32_t>(out_.size())] = pc;
    put(Code::Jump);
}

/// Returns false if the instruction ends the block.
bool ThreadedCompiler::instruction(const Place& at)
{
    switch (BPF_CLASS(at.insn.code)) {
    case BPF_ALU:
    case BPF_ALU64:
        arithmetic(at.insn);
        return true;
    case BPF_LD:
        load_immediate(at.insn, at.pc);
        return true;
    case BPF_LDX:
        load(at);
        return true;
    case BPF_ST:
    case BPF_STX:
        store(at);
        return true;
    default:
        break;
    }
    if (at.insn.code == (BPF_JMP | BPF_CALL)) {
        if (at.insn.src_reg == BPF_PSEUDO_CALL)
            call(at.step);
        else
            call_helper(at.insn, at.pc);
        return true;
    }
    if (is_exit(at.insn))
        put(Code::Exit);
    else
        jump(at);
    return false;
}

// ---- operations

Operation& ThreadedCompiler::put(Code code)
{
    Operation& op = out_.emplace_back();
    change(op, code);
    return op;
}

void ThreadedCompiler::change(Operation& op, Code code)
{
    op.code = reinterpret_cast<const void*>(static_cast<uintptr_t>(code));
}

Code ThreadedCompiler::code_of(const Operation& op)
{
    return static_cast<Code>(reinterpret_cast<uintptr_t>(op.code));
}

/// Returns a mask of the registers that an operation uses, and possibly more.
uint16_t ThreadedCompiler::reads(const Operation& op)
{
    const Code code = code_of(op);
    if (code == Code::Constant || code == Code::Context || code >= Code::Load1JumpEq)
        return 0;
    if (code >= Code::Load1 && code <= Code::Load4SignedMask)
        return static_cast<uint16_t>(1u << op.from);
    if (code >= kFirstDirect)
        return static_cast<uint16_t>(1u << op.to);
    return static_cast<uint16_t>(1u | 1u << op.to | 1u << op.from);
}

/// Returns the previous operation if it only loads this register with zero high bits (`masked`: and masks the result),
/// otherwise null.
Operation* ThreadedCompiler::load_in_front(uint8_t to, bool masked)
{
    if (out_.size() == first_of_block_)
        return nullptr;
    Operation& op = out_.back();
    const Code first = masked ? Code::Load1Mask : Code::Load1, last = masked ? Code::Load8Mask : Code::Load8;
    return code_of(op) >= first && code_of(op) <= last && op.to == to ? &op : nullptr;
}

/// Removes the previous operation if it sets this register, which is about to be overwritten.
void ThreadedCompiler::drop_constant(uint8_t to)
{
    if (out_.size() > first_of_block_ && code_of(out_.back()) == Code::Constant && out_.back().to == to)
        out_.pop_back();
}

} // namespace dt::vm
