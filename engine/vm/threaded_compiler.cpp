// Compiles functions, blocks and single instructions to threaded code, and merges operations.
#include "engine/vm/threaded_compiler.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"
#include "engine/vm/threaded.hpp"

namespace dt::vm {

namespace {

// marks the absence of a following instruction; no instruction has this index
constexpr uint64_t kNoFollower = uint64_t{1} << 32;
constexpr ThreadedCode kFirstDirect = ThreadedCode::Context, kFirstCounted = ThreadedCode::Operate;

bool is_small(uint64_t value)
{
    return static_cast<int64_t>(value) == static_cast<int32_t>(value);
}

/// Returns the facts about the base pointer of the load at `pc`; empty if the instruction is not a load.
Value base_of(const Image& image, const State& state, uint32_t pc)
{
    if (pc >= image.code.size() || BPF_CLASS(image.code[pc].code) != BPF_LDX || image.code[pc].src_reg > kFrameRegister)
        return {};
    return state.registers[image.code[pc].src_reg];
}

} // namespace

std::unique_ptr<CompiledCode> compile_threaded(const Image& image, Proof& proof, const CompileContext& around)
{
    return ThreadedCompiler(image, proof, around).run();
}

std::unique_ptr<CompiledCode> ThreadedCompiler::run()
{
    auto code = std::make_unique<CompiledCode>();
    code->enter = enter_threaded;
    std::map<uint32_t, uint32_t> direct;
    for (auto& [first, function] : proof_.functions()) {
        const Survey known = survey(image_, proof_, function, *context_.environment);
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

/// Replaces indices of operations by addresses, because the operations do not move from now on.
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

/// Compiles the direct variant of a function. Returns nothing if it needs an operation that direct functions lack.
/// Compiles the function twice: the first time shows which registers are never read, and the second time omits writes
/// to them.
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
    // removes selections of constants without an operation in threaded code
    std::erase_if(choices_, [&](const auto& choice) {
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
            put(ThreadedCode::Context).to = 1;
        if (survey.registers.contains(kFrameRegister)) {
            Operation& op = put(ThreadedCode::Constant);
            op.to = kFrameRegister;
            op.value = static_cast<int64_t>(context_.stack_end);
        }
        return;
    }
    if (!current_->root)
        put(ThreadedCode::Arguments);
    Operation& op = put(ThreadedCode::Begin);
    op.small = static_cast<int32_t>(current_->depth);
    op.value = current_->tracked;
}

void ThreadedCompiler::block(const Block& block, uint64_t follower)
{
    blocks_[block.first] = static_cast<uint32_t>(out_.size());
    if (!direct_) {
        Operation& op =
            put(block.loops || block.first == current_->first ? ThreadedCode::SpendChecked : ThreadedCode::Spend);
        op.value = block.count;
        op.pc = block.first;
    }
    // If no jump leads to the block, control enters it only from the previous operation. The block's first operation
    // can then be merged with that one.
    if (!direct_ || targets_of_jumps_->contains(block.first))
        first_of_block_ = out_.size();
    State state = current_->blocks.at(block.first);
    for (uint32_t pc = block.first;;) {
        const uint16_t live = state.live();
        const Value base = base_of(image_, state, pc);
        const Step step = proof_.step(*current_, state, pc);
        if (step.fails) {
            Operation& op = put(ThreadedCode::Refuse);
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
        put(ThreadedCode::Exit);
        return;
    }
    jumps_[static_cast<uint32_t>(out_.size())] = pc;
    put(ThreadedCode::Jump);
}

/// Compiles an instruction. Returns false if the instruction ends the block.
bool ThreadedCompiler::instruction(const InstructionSite& at)
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
        put(ThreadedCode::Exit);
    else
        jump(at);
    return false;
}

// ---- operations

Operation& ThreadedCompiler::put(ThreadedCode code)
{
    Operation& op = out_.emplace_back();
    change(op, code);
    return op;
}

void ThreadedCompiler::change(Operation& op, ThreadedCode code)
{
    op.code = reinterpret_cast<const void*>(static_cast<uintptr_t>(code));
}

ThreadedCode ThreadedCompiler::code_of(const Operation& op)
{
    return static_cast<ThreadedCode>(reinterpret_cast<uintptr_t>(op.code));
}

/// Returns a mask that contains all registers an operation uses, and possibly more.
uint16_t ThreadedCompiler::reads(const Operation& op)
{
    const ThreadedCode code = code_of(op);
    if (code == ThreadedCode::Constant || code == ThreadedCode::Context || code >= ThreadedCode::Load1JumpEq)
        return 0;
    if (code >= ThreadedCode::Load1 && code <= ThreadedCode::Load4SignedMask)
        return static_cast<uint16_t>(1u << op.from);
    if (code >= kFirstDirect)
        return static_cast<uint16_t>(1u << op.to);
    return static_cast<uint16_t>(1u | 1u << op.to | 1u << op.from);
}

/// Returns the previous operation if it only loads register `to` and zeroes its high bits, otherwise null. With
/// `masked`, the operation must also apply a mask to the loaded value.
Operation* ThreadedCompiler::load_in_front(uint8_t to, bool masked)
{
    if (out_.size() == first_of_block_)
        return nullptr;
    Operation& op = out_.back();
    const ThreadedCode first = masked ? ThreadedCode::Load1Mask : ThreadedCode::Load1,
                       last = masked ? ThreadedCode::Load8Mask : ThreadedCode::Load8;
    return code_of(op) >= first && code_of(op) <= last && op.to == to ? &op : nullptr;
}

/// Removes the previous operation if it only sets register `to` to a constant. The next operation will overwrite that
/// register.
void ThreadedCompiler::drop_constant(uint8_t to)
{
    if (out_.size() > first_of_block_ && code_of(out_.back()) == ThreadedCode::Constant && out_.back().to == to)
        out_.pop_back();
}

// Compiles single instructions to threaded code, and merges some with the previous operation.

namespace {

/// Returns the operation that stands `rows` positions after `first` in the operation table.
ThreadedCode after(ThreadedCode first, std::size_t rows)
{
    return static_cast<ThreadedCode>(static_cast<std::size_t>(first) + rows);
}

std::size_t place_of_width(uint32_t width)
{
    return width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3;
}

/// Returns the index of a comparison in DT_COMPARISONS.
std::size_t place_of(const bpf_insn& insn)
{
    constexpr std::array<uint8_t, 11> kOrder = {BPF_JEQ,  BPF_JNE,  BPF_JGT,  BPF_JGE,  BPF_JLT, BPF_JLE,
                                                BPF_JSET, BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE};
    std::size_t place = BPF_CLASS(insn.code) == BPF_JMP32 ? kOrder.size() : 0;
    for (std::size_t i = 0; kOrder[i] != BPF_OP(insn.code); ++i)
        ++place;
    return place;
}
// kNarrowComparisons and kComparisons: numbers of comparisons with a narrow form, and of all. kWays and kWaysOfLoaded:
// number of operations that DT_LEAVE and DT_LOAD_COMPARE define for each comparison.
constexpr std::size_t kNarrowComparisons = 11, kComparisons = 22, kWays = 4, kWaysOfLoaded = 5;
constexpr int64_t kNotContext = -1;

/// Returns the operation that applies a BPF operator to two registers, or nothing if there is none. Its variants
/// (constant operand, 32 bits) follow it in the table.
std::optional<ThreadedCode> binary(uint8_t op)
{
    switch (op) {
    case BPF_ADD:
        return ThreadedCode::Add;
    case BPF_SUB:
        return ThreadedCode::Sub;
    case BPF_MUL:
        return ThreadedCode::Mul;
    case BPF_OR:
        return ThreadedCode::Or;
    case BPF_AND:
        return ThreadedCode::And;
    case BPF_XOR:
        return ThreadedCode::Xor;
    case BPF_LSH:
        return ThreadedCode::Lsh;
    case BPF_RSH:
        return ThreadedCode::Rsh;
    case BPF_ARSH:
        return ThreadedCode::Arsh;
    default:
        return std::nullopt;
    }
}

} // namespace

// ---- arithmetic

void ThreadedCompiler::arithmetic(const bpf_insn& insn)
{
    const uint8_t code = BPF_OP(insn.code);
    const bool wide = BPF_CLASS(insn.code) == BPF_ALU64, by_register = BPF_SRC(insn.code) == BPF_X && code != BPF_NEG;
    if (code == BPF_END)
        return byte_swap(insn);
    const auto family = binary(code);
    if (code == BPF_AND && !by_register)
        if (Operation* load = load_in_front(insn.dst_reg); load && (wide || code_of(*load) != ThreadedCode::Load8)) {
            change(*load, after(code_of(*load), static_cast<std::size_t>(ThreadedCode::Load1Mask) -
                                                    static_cast<std::size_t>(ThreadedCode::Load1)));
            load->small = insn.imm;
            return;
        }
    if (code == BPF_MOV && !by_register)
        return constant(insn.dst_reg,
                        wide ? static_cast<uint64_t>(int64_t{insn.imm}) : static_cast<uint32_t>(insn.imm));
    Operation& op = code == BPF_MOV && !insn.off ? put(wide ? ThreadedCode::Move : ThreadedCode::Move32)
                    : family                     ? put(after(*family, (by_register ? 0u : 1u) + (wide ? 0u : 2u)))
                             : put(by_register ? ThreadedCode::Operate : ThreadedCode::OperateValue);
    op.to = insn.dst_reg;
    op.from = by_register ? insn.src_reg : 0;
    op.value = insn.imm;
    if (const Operator compute = wide ? operator64(code, insn.off) : operator32(code, insn.off);
        !family && (code != BPF_MOV || insn.off))
        op.compute = compute;
}

void ThreadedCompiler::byte_swap(const bpf_insn& insn)
{
    const bool swap = BPF_CLASS(insn.code) == BPF_ALU64 || BPF_SRC(insn.code) == BPF_TO_BE;
    if (!swap && insn.imm == 64)
        return;
    Operation& op = put(swap ? ThreadedCode::Swap : insn.imm == 32 ? ThreadedCode::Move32 : ThreadedCode::AndValue);
    op.to = op.from = insn.dst_reg;
    op.value = swap ? insn.imm : 0xffff;
}

void ThreadedCompiler::constant(uint8_t to, uint64_t value)
{
    if (!(read_ >> to & 1))
        return;
    Operation& op = put(ThreadedCode::Constant);
    op.to = to;
    op.value = static_cast<int64_t>(value);
}

void ThreadedCompiler::load_immediate(const bpf_insn& insn, uint32_t pc)
{
    const int32_t high = image_.code[pc + 1].imm;
    const auto index = static_cast<uint32_t>(insn.imm);
    switch (insn.src_reg) {
    case BPF_PSEUDO_MAP_FD:
        return constant(insn.dst_reg, kMapReference | index);
    case BPF_PSEUDO_FUNC:
        return constant(insn.dst_reg, kFunctionReference | index);
    case BPF_PSEUDO_MAP_VALUE:
        return constant(insn.dst_reg, context_.sections[index] + static_cast<uint64_t>(int64_t{high}));
    default:
        return constant(insn.dst_reg, index | static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32);
    }
}

// ---- memory

void ThreadedCompiler::load(const InstructionSite& at)
{
    const bpf_insn& insn = at.insn;
    const uint32_t width = width_of(insn.code);
    const bool with_sign = BPF_MODE(insn.code) == kModeMemSx && width < 8;
    if (at.step.on_stack && !at.step.written) {
        Operation& check = put(ThreadedCode::Written);
        check.from = insn.src_reg;
        check.offset = insn.off;
        check.small = static_cast<int32_t>(width);
        check.value = at.step.stack_byte;
        check.pc = at.pc;
    }
    Operation& op = put(after(at.step.proven ? ThreadedCode::Load1 : ThreadedCode::Load1Checked,
                              place_of_width(width) + (with_sign ? 4 : 0)));
    op.to = insn.dst_reg;
    op.from = insn.src_reg;
    op.offset = insn.off;
    op.pc = at.pc;
    // Stores the load's offset in the context, in case the load is merged with a later operation.
    const bool known = direct_ && at.base.kind == Value::Kind::Context && at.base.low == at.base.high &&
                       at.base.low >= 0 && at.base.low <= INT16_MAX;
    const int64_t place = known ? at.base.low + insn.off : kNotContext;
    op.value = place >= 0 && place <= INT16_MAX ? place : kNotContext;
}

void ThreadedCompiler::store(const InstructionSite& at)
{
    const bpf_insn& insn = at.insn;
    if (is_atomic(insn))
        return atomic(at);
    const uint32_t width = width_of(insn.code);
    const bool by_register = BPF_CLASS(insn.code) == BPF_STX;
    Operation& op =
        put(at.step.proven ? after(ThreadedCode::Store1, place_of_width(width) * 2 + (by_register ? 0u : 1u))
                           : ThreadedCode::StoreChecked);
    op.to = insn.dst_reg;
    op.from = by_register ? insn.src_reg : kNoRegister;
    op.offset = insn.off;
    op.small = static_cast<int32_t>(width);
    op.value = insn.imm;
    op.pc = at.pc;
    if (!at.step.on_stack || !current_->tracked || at.step.written)
        return;
    Operation& mark = put(ThreadedCode::Mark);
    mark.value = at.step.stack_byte;
    mark.small = static_cast<int32_t>(width);
}

void ThreadedCompiler::atomic(const InstructionSite& at)
{
    Operation& op = put(ThreadedCode::Atomic);
    op.to = at.insn.dst_reg;
    op.from = at.insn.src_reg;
    op.offset = at.insn.off;
    op.small = at.insn.imm;
    op.value = width_of(at.insn.code);
    op.pc = at.step.proven ? 0 : uint64_t{at.pc} + 1;
}

// ---- control

/// Returns the negated comparison, or nothing if there is none.
std::optional<ThreadedCompiler::Test> ThreadedCompiler::opposite(const Test& test)
{
    constexpr std::size_t kBits = 6, kOpposites[] = {1, 0, 5, 4, 3, 2, kBits, 10, 9, 8, 7};
    const std::size_t place = test.place % kNarrowComparisons;
    if (place == kBits)
        return std::nullopt;
    return Test{test.place - place + kOpposites[place], test.value};
}

/// Returns an equivalent comparison if there is one: "x <= 4" for "x < 5".
ThreadedCompiler::Test ThreadedCompiler::other_bound(const Test& test)
{
    constexpr std::size_t kGt = 2, kGe = 3, kLt = 4, kLe = 5, kSgt = 7, kSge = 8, kSlt = 9, kSle = 10;
    const std::size_t place = test.place % kNarrowComparisons, wide = test.place - place;
    const bool with_sign = place >= kSgt;
    const bool least = test.value == (with_sign ? INT32_MIN : 0), most = test.value == (with_sign ? INT32_MAX : -1);
    if ((place == kGt || place == kSgt) && !most)
        return {wide + place - kGt + kGe, test.value + 1};
    if ((place == kLe || place == kSle) && !most)
        return {wide + place - kLe + kLt, test.value + 1};
    if ((place == kGe || place == kSge) && !least)
        return {wide + place - kGe + kGt, test.value - 1};
    if ((place == kLt || place == kSlt) && !least)
        return {wide + place - kLt + kLe, test.value - 1};
    return test;
}

/// Appends a comparison with a constant. If the previous operation loads the compared value from the context, both
/// become one merged operation. The operations for merged comparisons start at `loaded` in the operation table. Other
/// comparisons start at `alone`, with `rows` operations for each.
Operation& ThreadedCompiler::compare(uint8_t to, const Test& test, ThreadedCode loaded, ThreadedCode alone,
                                     std::size_t rows)
{
    Operation* op = load_in_front(to);
    if (op && op->value != kNotContext) {
        const std::size_t width =
            static_cast<std::size_t>(code_of(*op)) - static_cast<std::size_t>(ThreadedCode::Load1);
        change(*op, after(loaded, (width * kComparisons + test.place) * kWaysOfLoaded));
        op->offset = static_cast<int16_t>(op->value);
    } else {
        op = &put(after(alone, test.place * rows));
        op->to = to;
    }
    op->value = test.value;
    return *op;
}

/// Merges the comparison with the load and mask before it. Returns null if no load and mask precede it, or if the
/// comparison is not for equality.
Operation* ThreadedCompiler::leave_by_mask(uint8_t to, const Test& test)
{
    // number of comparisons for equality; these are the first comparisons in DT_COMPARISONS
    constexpr std::size_t kEqualities = 2;
    const std::size_t place = test.place % kNarrowComparisons;
    Operation* op = load_in_front(to, true);
    if (!op || op->value == kNotContext || place >= kEqualities)
        return nullptr;
    const std::size_t width =
        static_cast<std::size_t>(code_of(*op)) - static_cast<std::size_t>(ThreadedCode::Load1Mask);
    const std::size_t narrow = test.place < kNarrowComparisons ? 0 : kEqualities;
    change(*op, after(ThreadedCode::Load1MaskLeaveEq, width * 2 * kEqualities + narrow + place));
    op->offset = static_cast<int16_t>(op->value);
    op->value = test.value;
    return op;
}

/// Merges the last two operations. Both must make the same comparison. The first must leave the function, and the
/// second must leave or return.
bool ThreadedCompiler::join()
{
    if (out_.size() < std::max(first_of_block_, last_of_two_) + 2)
        return false;
    Operation& first = out_[out_.size() - 2];
    const auto code = static_cast<std::size_t>(code_of(first)), second = static_cast<std::size_t>(code_of(out_.back()));
    const auto alone = static_cast<std::size_t>(ThreadedCode::LeaveEq),
               chooses = static_cast<std::size_t>(ThreadedCode::ChooseEq),
               loaded = static_cast<std::size_t>(ThreadedCode::Load1LeaveEq),
               masked = static_cast<std::size_t>(ThreadedCode::Load1MaskLeaveEq);
    const bool leaves = (code >= alone && code < chooses && (code - alone) % kWays == 0) ||
                        (code >= loaded && code < masked && (code - loaded) % kWaysOfLoaded == 0);
    if (!leaves || second < code || second > code + 1)
        return false;
    change(first, after(code_of(first), second == code ? 2 : 3));
    last_of_two_ = out_.size();
    return true;
}

void ThreadedCompiler::jump(const InstructionSite& at)
{
    const bpf_insn& insn = at.insn;
    if (BPF_OP(insn.code) == BPF_JA)
        return go_to(at.step.target, at.follower);
    if (BPF_SRC(insn.code) == BPF_X) {
        Operation& op = put(after(ThreadedCode::JumpEq, place_of(insn) * 2));
        op.to = insn.dst_reg;
        op.from = insn.src_reg;
        jumps_[static_cast<uint32_t>(out_.size() - 1)] = at.step.target;
        return go_to(at.step.next, at.follower);
    }
    if (const auto chosen = choices_.find(at.step.next); chosen != choices_.end())
        return choose(at, chosen->second);
    if (!leave(at)) {
        compare(insn.dst_reg, {place_of(insn), insn.imm}, ThreadedCode::Load1JumpEq, ThreadedCode::JumpEqValue, 2);
        jumps_[static_cast<uint32_t>(out_.size() - 1)] = at.step.target;
    }
    go_to(at.step.next, at.follower);
}

/// Compiles a jump to the function's end as an operation that returns the result, which the compiler already knows.
bool ThreadedCompiler::leave(const InstructionSite& at)
{
    if (!direct_ || !is_exit(image_.code[at.step.target]))
        return false;
    const Value result = proof_.after_jump(at.state, at.pc, true).registers[0];
    if (!result.is_constant())
        return false;
    const Test test{place_of(at.insn), at.insn.imm};
    Operation* op = leave_by_mask(at.insn.dst_reg, test);
    if (!op)
        op = &compare(at.insn.dst_reg, test, ThreadedCode::Load1LeaveEq, ThreadedCode::LeaveEq, kWays);
    op->pc = static_cast<uint64_t>(result.low);
    join();
    return true;
}

/// Compiles a jump that only selects 0 or 1 as the function's result.
bool ThreadedCompiler::returns(const InstructionSite& at, const Choice& choice)
{
    if (choice.number != 0 || !is_exit(image_.code[at.step.target]) || choice.jumped > 1 || choice.fell > 1)
        return false;
    const Test jumps{place_of(at.insn), at.insn.imm};
    const auto test = choice.jumped ? opposite(jumps) : std::optional(jumps);
    if (!test)
        return false;
    Operation& op = compare(at.insn.dst_reg, *test, ThreadedCode::Load1ReturnNotEq, ThreadedCode::ReturnNotEq, kWays);
    if (join())
        return true;
    const ThreadedCode code = code_of(op);
    const std::size_t rows = code >= ThreadedCode::Load1JumpEq ? kWaysOfLoaded : kWays;
    const Test other = other_bound(*test);
    change(op, static_cast<ThreadedCode>(static_cast<std::size_t>(code) + other.place * rows - test->place * rows));
    op.value = other.value;
    if (!join()) {
        change(op, code);
        op.value = test->value;
    }
    return true;
}

/// Compiles the selection of one of two constants; the register need not already hold `jumped`.
void ThreadedCompiler::choose(const InstructionSite& at, const Choice& choice)
{
    if (choice.number != at.insn.dst_reg)
        drop_constant(choice.number);
    if (returns(at, choice))
        return;
    Operation& op = put(after(ThreadedCode::ChooseEq, place_of(at.insn)));
    op.to = at.insn.dst_reg;
    op.from = choice.number;
    op.value = at.insn.imm;
    op.small = static_cast<int32_t>(choice.jumped ^ choice.fell);
    op.pc = choice.fell;
    go_to(at.step.target, at.follower);
}

void ThreadedCompiler::call(const Step& step)
{
    calls_[static_cast<uint32_t>(out_.size())] = step.target;
    put(ThreadedCode::Call);
}

void ThreadedCompiler::call_helper(const bpf_insn& insn, uint32_t pc)
{
    if (const auto from = reading(insn.imm, *context_.environment)) {
        Operation& op = put(from->width == 4 ? ThreadedCode::Reading4 : ThreadedCode::Reading8);
        op.value = static_cast<int64_t>(reinterpret_cast<uintptr_t>(from->from));
        op.small = from->swapped;
        return;
    }
    Operation& op = put(ThreadedCode::Help);
    op.value = static_cast<int64_t>(reinterpret_cast<uintptr_t>(find_helper(insn.imm)));
    op.pc = pc;
}

} // namespace dt::vm
