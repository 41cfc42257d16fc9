// Compiles functions, blocks, calls and jumps, and the routines that all functions share. jit_x86_64_instructions.cpp
// compiles arithmetic and memory accesses.
#include "engine/vm/jit_x86_64.hpp"

#include <algorithm>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"
#include "engine/vm/jit.hpp"

namespace dt::vm {

using namespace x86;

namespace {

// stands for "no following instruction", because no instruction has this index
constexpr uint64_t kNowhere = uint64_t{1} << 32;
constexpr std::size_t kFunctionAlignment = 64; // alignment of functions in bytes, which suits instruction fetch
constexpr std::size_t kLargestCode = 256u << 20;

/// Registers with values of the program that a call of a host function may overwrite, so that a routine must save them.
constexpr Reg kPassing[] = {rax, rdi, rsi, rdx, rcx, r8, r9};
constexpr Reg kPreserved[] = {rbp, rbx, r12, r13, r14, r15};

template <typename Pointer> uint64_t number(Pointer pointer)
{
    return reinterpret_cast<uint64_t>(pointer);
}

} // namespace

bool has_compiler()
{
    return true;
}

Result<std::unique_ptr<CompiledCode>> compile_native(const Image& image, Proof& proof, const CompileContext& around)
{
    return X86Compiler(image, proof, around).run();
}

X86Compiler::X86Compiler(const Image& image, Proof& proof, const CompileContext& around)
    : image_(image), proof_(proof), context_(around)
{
    for (Label* label : {&enter_, &access_, &refuse_, &budget_, &clear_})
        *label = out_.label();
}

Result<std::unique_ptr<CompiledCode>> X86Compiler::run()
{
    routines();
    for (auto& [first, proof] : proof_.functions()) {
        function(proof);
        if (out_.size() > kLargestCode)
            return Error{"not compiled: the machine code is too large"};
    }
    out_.link();
    auto memory = ExecutableMemory::hold(out_.bytes());
    if (!memory)
        return memory.error();
    auto code = std::make_unique<CompiledCode>();
    code->memory = std::move(*memory);
    const uint8_t* start = code->memory.start();
    code->enter = reinterpret_cast<CompiledCode::Enter>(number(start + out_.place(enter_)));
    for (const auto& [first, proof] : proof_.functions()) {
        CompiledFunction& function = code->functions[first];
        function.code = start + out_.place(functions_.at(first));
        function.context = proof.context;
        function.root = proof.root;
    }
    for (const auto& [first, direct] : direct_functions_) {
        CompiledFunction& function = code->functions[first];
        function.direct = reinterpret_cast<decltype(function.direct)>(number(start + out_.place(direct.label)));
        function.most = direct.most;
    }
    return code;
}

// ---- shared routines

void X86Compiler::routines()
{
    enter_routine();
    access_routine();
    refuse_routine();
    budget_routine();
    clear_routine();
}

/// Generates CompiledCode::Enter, the function by which the host enters compiled code.
void X86Compiler::enter_routine()
{
    out_.bind(enter_);
    out_.landing_pad();
    for (const Reg reg : kPreserved)
        out_.push(reg);
    out_.alu(Alu::Sub, rsp, 8);
    out_.move(kMachine, rdi);
    out_.move(rax, rsi);
    out_.move(rdi, rdx);
    out_.move(rsi, rcx);
    out_.move(kFrame, r8);
    out_.load(kBudget, kRemaining, 8);
    out_.call(rax);
    out_.store(kRemaining, kBudget, 8);
    out_.alu(Alu::Add, rsp, 8);
    std::for_each(std::rbegin(kPreserved), std::rend(kPreserved), [&](Reg reg) { out_.pop(reg); });
    out_.leave_function();
}

void X86Compiler::call_support(const void* function)
{
    out_.move(rdi, kMachine);
    out_.move(rax, number(function));
    out_.call(rax);
}

/// Generates the routine for a checked access. Input: r11 is the address, r10 the index of the instruction. Result: r11
/// is the host address, or 0 after a failure. The program's registers are preserved.
void X86Compiler::access_routine()
{
    out_.bind(access_);
    for (const Reg reg : kPassing)
        out_.push(reg);
    out_.move(rsi, r11);
    out_.move(rdx, r10, false);
    call_support(reinterpret_cast<const void*>(&JitSupport::access));
    out_.move(r11, rax);
    std::for_each(std::rbegin(kPassing), std::rend(kPassing), [&](Reg reg) { out_.pop(reg); });
    out_.leave_function();
}

/// Generates the routine for a failed check, which ends the run with an error. Input: r10 is the index of the
/// instruction, r11 the mask of registers that hold a value.
void X86Compiler::refuse_routine()
{
    out_.bind(refuse_);
    for (std::size_t i = 0; i < std::size(kRegisters); ++i)
        out_.store(register_slot(i), kRegisters[i], 8);
    out_.store(kRemaining, kBudget, 8);
    out_.alu(Alu::Sub, rsp, 8);
    out_.move(rsi, r10, false);
    out_.move(rdx, r11, false);
    call_support(reinterpret_cast<const void*>(&JitSupport::refuse));
    out_.alu(Alu::Add, rsp, 8);
    out_.load(kBudget, kRemaining, 8);
    out_.leave_function();
}

/// Generates the routine that ends the run because the budget is exhausted. Input: r10 is the index of the instruction.
void X86Compiler::budget_routine()
{
    out_.bind(budget_);
    out_.store(kRemaining, kBudget, 8);
    out_.alu(Alu::Sub, rsp, 8);
    out_.move(rsi, r10, false);
    call_support(reinterpret_cast<const void*>(&JitSupport::over_budget));
    out_.alu(Alu::Add, rsp, 8);
    out_.load(kBudget, kRemaining, 8);
    out_.leave_function();
}

void X86Compiler::clear_routine()
{
    out_.bind(clear_);
    for (const Reg reg : kPassing)
        out_.push(reg);
    call_support(reinterpret_cast<const void*>(&JitSupport::clear_frame));
    std::for_each(std::rbegin(kPassing), std::rend(kPassing), [&](Reg reg) { out_.pop(reg); });
    out_.leave_function();
}

// ---- functions

Label X86Compiler::function_label(uint32_t first)
{
    const auto [at, fresh] = functions_.try_emplace(first);
    if (fresh)
        at->second = out_.label();
    return at->second;
}

Label X86Compiler::block_label(uint32_t pc)
{
    const auto [at, fresh] = blocks_.try_emplace(pc);
    if (fresh)
        at->second = out_.label();
    return at->second;
}

void X86Compiler::function(FunctionProof& proof)
{
    const Survey known = survey(image_, proof_, proof, *context_.environment);
    variant(proof, known, function_label(proof.first), false);
    if (!proof.root || !known.direct)
        return;
    const Label label = out_.label();
    variant(proof, known, label, true);
    direct_functions_[proof.first] = {label, known.count};
}

void X86Compiler::variant(FunctionProof& proof, const Survey& survey, Label label, bool direct)
{
    current_ = &proof;
    direct_ = direct;
    choices_ = direct ? survey.choices : std::map<uint32_t, Choice>();
    blocks_.clear();
    saved_.clear();
    failed_ = out_.label();
    for (const uint8_t number : survey.registers)
        if (number >= 6 && number <= kFrameRegister && (direct || number < kFrameRegister))
            saved_.push_back(kRegisters[number]);
    out_.align(kFunctionAlignment);
    out_.bind(label);
    prologue();
    std::vector<Block> blocks = survey.blocks;
    std::erase_if(blocks, [&](const Block& block) { return choices_.contains(block.first); });
    for (std::size_t i = 0; i < blocks.size(); ++i)
        block(blocks[i], i + 1 < blocks.size() ? blocks[i + 1].first : kNowhere);
    while (!cold_code_.empty()) {
        const auto write = std::move(cold_code_.back());
        cold_code_.pop_back();
        write();
    }
    out_.bind(failed_);
    if (direct)
        return;
    out_.alu(Alu::Xor, rax, rax, false);
    epilogue();
}

void X86Compiler::prologue()
{
    out_.landing_pad();
    for (const Reg reg : saved_)
        out_.push(reg);
    if (direct_) {
        if (!saved_.empty() && saved_.back() == kFrame)
            out_.move(kFrame, context_.stack_end);
        return;
    }
    if (saved_.size() % 2 == 0)
        out_.alu(Alu::Sub, rsp, 8);
    out_.store(in_frame(offsetof(Frame, depth)), static_cast<int32_t>(current_->depth), 4);
    if (current_->tracked)
        clear_marks();
}

void X86Compiler::epilogue()
{
    if (!direct_ && saved_.size() % 2 == 0)
        out_.alu(Alu::Add, rsp, 8);
    std::for_each(saved_.rbegin(), saved_.rend(), [&](Reg reg) { out_.pop(reg); });
    out_.leave_function();
}

/// Marks the frame's stack bytes as unwritten. The bytes that the function uses are cleared inline. If other bytes are
/// marked too, a call clears the whole frame.
void X86Compiler::clear_marks()
{
    const Label all = out_.label(), back = out_.label();
    const auto words = static_cast<int32_t>((current_->depth + 7) / 8);
    out_.alu(Alu::Cmp, in_frame(offsetof(Frame, dirty)), words * 8, false);
    out_.jump(Condition::Above, all);
    out_.bind(back);
    for (int32_t word = 1; word <= words; ++word)
        out_.store(in_frame(offsetof(Frame, written) + kStackSize - static_cast<std::size_t>(word) * 8), 0, 8);
    out_.store(in_frame(offsetof(Frame, dirty)), words * 8, 4);
    cold_code_.push_back([=, this] {
        out_.bind(all);
        out_.call(clear_);
        out_.jump(back);
    });
}

void X86Compiler::block(const Block& block, uint64_t follower)
{
    out_.bind(block_label(block.first));
    if (!direct_)
        count(block);
    State state = current_->blocks.at(block.first);
    for (uint32_t pc = block.first;;) {
        const uint16_t live = state.live();
        const Step step = proof_.step(*current_, state, pc);
        if (step.fails)
            return refuse(pc, live);
        if (!instruction(image_.code[pc], pc, step, follower))
            return;
        pc = step.next;
        if (proof_.leads(pc))
            return go_to(pc, follower);
    }
}

/// Subtracts the number of instructions in the block from the budget. At the start of a loop or callback, also checks
/// that the budget is not exhausted.
void X86Compiler::count(const Block& block)
{
    out_.alu(Alu::Sub, kBudget, static_cast<int32_t>(block.count));
    if (block.loops || block.first == current_->first) {
        const Label over = out_.label();
        out_.jump(Condition::Sign, over);
        cold_code_.push_back([=, this, pc = block.first] {
            out_.bind(over);
            out_.move(r10, pc);
            out_.call(budget_);
            out_.jump(failed_);
        });
    }
}

void X86Compiler::go_to(uint32_t pc, uint64_t follower)
{
    if (pc == follower)
        return;
    if (direct_ && image_.code[pc].code == (BPF_JMP | BPF_EXIT))
        return epilogue();
    out_.jump(block_label(pc));
}

void X86Compiler::refuse(uint32_t pc, uint16_t live)
{
    out_.move(r10, pc);
    out_.move(r11, live);
    out_.call(refuse_);
    out_.jump(failed_);
}

/// Compiles an instruction. Returns false if the instruction ends the block.
bool X86Compiler::instruction(const bpf_insn& insn, uint32_t pc, const Step& step, uint64_t follower)
{
    switch (BPF_CLASS(insn.code)) {
    case BPF_ALU:
    case BPF_ALU64:
        arithmetic(insn);
        return true;
    case BPF_LD:
        load_immediate(insn, pc);
        return true;
    case BPF_LDX:
        load(insn, pc, step);
        return true;
    case BPF_ST:
    case BPF_STX:
        store(insn, pc, step);
        return true;
    default:
        break;
    }
    if (insn.code == (BPF_JMP | BPF_CALL)) {
        if (insn.src_reg == BPF_PSEUDO_CALL)
            call(step);
        else
            call_helper(insn, pc);
        return true;
    }
    if (insn.code == (BPF_JMP | BPF_EXIT))
        epilogue();
    else
        jump(insn, step, follower);
    return false;
}

// ---- calls

void X86Compiler::call(const Step& step)
{
    out_.alu(Alu::Add, kFrame, static_cast<int32_t>(sizeof(Frame)));
    out_.increment(kDepth, false);
    out_.call(function_label(step.target));
    out_.increment(kDepth, true);
    out_.alu(Alu::Sub, kFrame, static_cast<int32_t>(sizeof(Frame)));
    out_.alu(Alu::Cmp, kFailed, 0, false);
    out_.jump(Condition::NotEqual, failed_);
}

void X86Compiler::call_helper(const bpf_insn& insn, uint32_t pc)
{
    if (const auto from = reading(insn.imm, *context_.environment)) {
        out_.move(rax, number(from->from));
        out_.load(rax, {rax, 0}, from->width);
        if (from->swapped)
            out_.shift(Shift::Rol, rax, 32, true);
        return;
    }
    const HelperEntry* helper = find_helper(insn.imm);
    for (std::size_t i = 0; i < helper->arguments; ++i)
        out_.store(argument_slot(i), kRegisters[i + 1], 8);
    out_.store(kRemaining, kBudget, 8);
    out_.move(rsi, number(helper));
    out_.move(rdx, pc);
    call_support(reinterpret_cast<const void*>(&JitSupport::helper));
    out_.load(kBudget, kRemaining, 8);
    out_.alu(Alu::Cmp, kFailed, 0, false);
    out_.jump(Condition::NotEqual, failed_);
}

// Compiles jumps, and replaces some of them by conditional moves.
//
// In eBPF a truth value is a jump over one constant: "r0 = 1; if r1 > 5 goto +1; r0 = 0". The processor mispredicts
// such jumps when events vary. A conditional move selects one of two values by the processor's flags and needs no
// prediction. It replaces the jump if both values are constants, because then no computation is wasted on the value
// that is not selected. Another condition is that no other jump has the same target.

namespace {

Condition condition_of(uint8_t op)
{
    switch (op) {
    case BPF_JEQ:
        return Condition::Equal;
    case BPF_JGT:
        return Condition::Above;
    case BPF_JGE:
        return Condition::AboveEqual;
    case BPF_JLT:
        return Condition::Below;
    case BPF_JLE:
        return Condition::BelowEqual;
    case BPF_JSGT:
        return Condition::Greater;
    case BPF_JSGE:
        return Condition::GreaterEqual;
    case BPF_JSLT:
        return Condition::Less;
    case BPF_JSLE:
        return Condition::LessEqual;
    default: // BPF_JNE; for BPF_JSET, a test instruction has set the flags
        return Condition::NotEqual;
    }
}

} // namespace

void X86Compiler::jump(const bpf_insn& insn, const Step& step, uint64_t follower)
{
    if (BPF_OP(insn.code) == BPF_JA)
        return go_to(step.target, follower);
    if (const auto chosen = choices_.find(step.next); chosen != choices_.end()) {
        choose(insn, chosen->second);
        return go_to(step.target, follower);
    }
    compare(insn);
    out_.jump(condition_of(BPF_OP(insn.code)), block_label(step.target));
    go_to(step.next, follower);
}

/// Emits the comparison that sets the processor flags for condition_of().
void X86Compiler::compare(const bpf_insn& insn)
{
    const uint8_t op = BPF_OP(insn.code);
    const bool wide = BPF_CLASS(insn.code) == BPF_JMP;
    const Reg left = kRegisters[insn.dst_reg], right = kRegisters[insn.src_reg < 11 ? insn.src_reg : 0];
    if (BPF_SRC(insn.code) == BPF_X) {
        if (op == BPF_JSET)
            out_.test(left, right, wide);
        else
            out_.alu(Alu::Cmp, left, right, wide);
    } else if (op == BPF_JSET) {
        out_.test(left, insn.imm, wide);
    } else if (insn.imm == 0) {
        out_.test(left, left, wide); // the test instruction sets the same flags as a comparison with 0
    } else {
        out_.alu(Alu::Cmp, left, insn.imm, wide);
    }
}

/// Compiles a Choice, which sets a register to one of two constants, `jumped` or `fell`. Before the comparison, the
/// register already holds `jumped`.
void X86Compiler::choose(const bpf_insn& insn, const Choice& choice)
{
    const Condition jumps = condition_of(BPF_OP(insn.code));
    const Reg to = kRegisters[choice.number];
    if (choice.jumped <= 1 && choice.fell <= 1) {
        compare(insn);
        return out_.set(choice.jumped ? jumps : opposite(jumps), to);
    }
    out_.move(r10, choice.fell); // this move must precede the comparison, because a move may change the flags
    compare(insn);
    out_.move_if(opposite(jumps), to, r10);
}

} // namespace dt::vm
