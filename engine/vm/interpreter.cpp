// Executes instructions: steps, frames and checks. The results of operators come from operators.cpp.
#include "engine/vm/interpreter.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"

namespace dt::vm {

namespace {

/// Apparent stack addresses of an interpreted program; frames are far apart, so that overruns are detected.
constexpr uint64_t kHighestFrame = 0x7ff000000000, kFrameDistance = 0x10000;

/// Maximum budget of a run in instructions. The limit leaves room for larger counts: a block is counted before it runs,
/// so the count of a run may exceed its budget.
constexpr uint64_t kMaxBudget = uint64_t{1} << 62;

std::string hex(uint64_t value)
{
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

uint64_t read_number(const uint8_t* from, uint32_t width)
{
    uint64_t value = 0;
    std::memcpy(&value, from, width); // BPF programs here are little-endian, like their host
    return value;
}

} // namespace

Interpreter::Interpreter(VirtualMachine& vm) : vm_(vm)
{
    machine_.owner = this;
    for (std::size_t i = 0; i < kMaxFrames; ++i) {
        (void)vm_.memory_.lend_at(kHighestFrame - i * kFrameDistance, frames_[i].stack, Kind::Stack, true);
        stacks_[i] = {reinterpret_cast<uint64_t>(frames_[i].stack.data()), kStackSize, frames_[i].stack.data(),
                      Kind::Stack, true};
    }
}

Result<uint64_t> Interpreter::run(uint32_t first, uint64_t context)
{
    compiled_ = false;
    error_.reset();
    machine_.depth = 0;
    r_[1] = context;
    live_ = 1u << 1;
    if (!execute(first))
        return *error_;
    return r_[0];
}

void Interpreter::fail(const std::string& message)
{
    if (!error_)
        error_ = Error{where() + message};
    machine_.failed = 1;
}

std::string Interpreter::where() const
{
    const Function* best = nullptr;
    for (const Function& f : vm_.image_.functions)
        if (f.first <= pc_ && pc_ < f.first + f.count)
            best = &f;
    if (!best)
        return "instruction " + std::to_string(pc_) + ": ";
    return "instruction " + std::to_string(pc_ - best->first) + " of " + best->name + ": ";
}

// ---- frames

uint64_t Interpreter::frame_address(std::size_t depth) const
{
    return vm_.code_ ? reinterpret_cast<uint64_t>(frames_[depth].stack.data()) : kHighestFrame - depth * kFrameDistance;
}

bool Interpreter::push(uint32_t return_pc)
{
    if (machine_.depth == kMaxFrames) {
        fail("more than 8 frames");
        return false;
    }
    Frame& frame = frames_[machine_.depth];
    frame.return_pc = return_pc;
    std::copy(r_.begin() + 6, r_.begin() + 10, frame.saved.begin());
    frame.saved_live = live_;
    frame.depth = frame.dirty = 0;
    frame.written.fill(0);
    r_[kFrameRegister] = frame_address(machine_.depth) + kStackSize;
    ++machine_.depth;
    live_ = static_cast<uint16_t>((live_ & kArguments) | (1u << kFrameRegister));
    return true;
}

void Interpreter::pop()
{
    --machine_.depth;
    const Frame& frame = frames_[machine_.depth];
    std::copy(frame.saved.begin(), frame.saved.end(), r_.begin() + 6);
    // After a return, R0 is the result, R6 to R10 have the caller's values again, and R1 to R5 have no value.
    live_ = static_cast<uint16_t>((live_ & 1) | (frame.saved_live & 0x7c0));
    if (machine_.depth)
        r_[kFrameRegister] = frame_address(machine_.depth - 1) + kStackSize;
}

/// Like the kernel, adds up the frames of a chain of calls, each rounded up to 32 bytes.
bool Interpreter::use_stack(const Region& region, uint64_t address, uint64_t size, bool write)
{
    Frame& frame = frames_[static_cast<std::size_t>(region.host - frames_[0].stack.data()) / sizeof(Frame)];
    const std::size_t offset = address - region.address;
    if (const uint32_t used = static_cast<uint32_t>(kStackSize - offset); used > frame.depth && size) {
        frame.depth = used;
        uint32_t total = 0;
        for (std::size_t i = 0; i < machine_.depth; ++i)
            total += (std::max<uint32_t>(frames_[i].depth, 1) + 31) & ~31u;
        if (total > kStackSize) {
            fail("the frames together use " + std::to_string(total) + " bytes of stack");
            return false;
        }
    }
    if (write && size) {
        frame.dirty = std::max(frame.dirty, static_cast<uint32_t>(kStackSize - offset));
        std::memset(&frame.written[offset], 0xff, size);
    }
    for (std::size_t i = offset; !write && i < offset + size; ++i) {
        if (!frame.written[i]) {
            fail("stack byte " + std::to_string(static_cast<int>(i) - static_cast<int>(kStackSize)) +
                 " is read but was never written");
            return false;
        }
    }
    return true;
}

// ---- memory

namespace {

bool holds(const Region& region, uint64_t address, uint64_t size)
{
    const uint64_t offset = address - region.address;
    return offset <= region.size && size <= region.size - offset;
}

} // namespace

const Region* Interpreter::find(uint64_t address, uint64_t size) const
{
    if (compiled_) { // compiled code mostly accesses its context and its stacks, so these regions are examined first
        if (holds(context_, address, size))
            return &context_;
        for (std::size_t i = machine_.depth; i-- > 0;)
            if (holds(stacks_[i], address, size))
                return &stacks_[i];
    }
    const Region* region = vm_.memory_.find(address, size);
    const bool gone = region && region->kind == Kind::Stack &&
                      region->host >= frames_[0].stack.data() + machine_.depth * sizeof(Frame);
    return gone ? nullptr : region;
}

uint8_t* Interpreter::access(uint64_t address, uint64_t size, bool write)
{
    const Region* region = find(address, size);
    if (!region || !(write ? allows_store(*region) : allows_load(*region))) {
        fail((write ? "store of " : "load of ") + std::to_string(size) + " bytes at " + hex(address) +
             (region ? ": not allowed in this region" : ": no memory is there"));
        return nullptr;
    }
    if (region->kind == Kind::Stack && !use_stack(*region, address, size, write))
        return nullptr;
    return region->host + (address - region->address);
}

uint8_t* Interpreter::read(uint64_t address, uint64_t size)
{
    return access(address, size, false);
}

uint8_t* Interpreter::write(uint64_t address, uint64_t size)
{
    return access(address, size, true);
}

uint64_t Interpreter::expect(uint64_t value, uint64_t size)
{
    if (compiled_ && value && size >= sizeof(uint64_t)) {
        machine_.load_base = machine_.store_base = value;
        machine_.load_room = machine_.store_room = size - (sizeof(uint64_t) - 1);
    }
    return value;
}

bool Interpreter::load(const bpf_insn& insn)
{
    const uint8_t mode = BPF_MODE(insn.code);
    const uint32_t width = width_of(insn.code);
    if (mode != BPF_MEM && mode != kModeMemSx) {
        fail("unknown load mode");
        return false;
    }
    const uint64_t* base = reg(insn.src_reg);
    if (!base)
        return false;
    const uint64_t address = *base + static_cast<uint64_t>(static_cast<int64_t>(insn.off));
    const uint8_t* from = aligned(address, width) ? access(address, width, false) : nullptr;
    if (!from)
        return false;
    const uint64_t value = read_number(from, width);
    return set(insn.dst_reg, mode == kModeMemSx ? sign_extend(value, width * 8) : value);
}

bool Interpreter::aligned(uint64_t address, uint32_t width)
{
    if (address % width == 0 && (!compiled_ || context_.address % 8 == 0))
        return true;
    const Region* region = find(address, width);
    const bool strict = region && (region->kind == Kind::Stack || region->kind == Kind::Context);
    if (!strict || (address - region->address) % width == 0)
        return true; // the supported processors allow misaligned accesses to memory other than stacks and contexts
    fail("misaligned access of " + std::to_string(width) + " bytes at " + hex(address));
    return false;
}

bool Interpreter::store(const bpf_insn& insn)
{
    if (BPF_MODE(insn.code) == BPF_ATOMIC && BPF_CLASS(insn.code) == BPF_STX)
        return atomic(insn);
    if (BPF_MODE(insn.code) != BPF_MEM) {
        fail("unknown store mode");
        return false;
    }
    const uint32_t width = width_of(insn.code);
    const uint64_t* base = reg(insn.dst_reg);
    if (!base)
        return false;
    const uint64_t address = *base + static_cast<uint64_t>(static_cast<int64_t>(insn.off));
    uint64_t value = static_cast<uint64_t>(static_cast<int64_t>(insn.imm));
    if (BPF_CLASS(insn.code) == BPF_STX) {
        const uint64_t* source = reg(insn.src_reg);
        if (!source)
            return false;
        value = *source;
    }
    uint8_t* to = aligned(address, width) ? access(address, width, true) : nullptr;
    if (!to)
        return false;
    std::memcpy(to, &value, width);
    return true;
}

uint8_t* Interpreter::atomic_access(uint64_t address, uint32_t width)
{
    if (width < 4 || address % width) {
        fail("atomic operation on " + std::to_string(width) + " bytes at " + hex(address));
        return nullptr;
    }
    return access(address, width, false) ? access(address, width, true) : nullptr;
}

bool Interpreter::atomic(const bpf_insn& insn)
{
    const uint32_t width = width_of(insn.code);
    const uint64_t *base = reg(insn.dst_reg), *source = reg(insn.src_reg);
    if (!base || !source)
        return false;
    const uint64_t address = *base + static_cast<uint64_t>(static_cast<int64_t>(insn.off));
    uint8_t* to = atomic_access(address, width);
    if (!to)
        return false;
    const uint64_t none = 0, *expected = insn.imm == BPF_CMPXCHG ? reg(0) : &none;
    if (!expected)
        return false;
    if (insn.imm != BPF_CMPXCHG && insn.imm != BPF_XCHG && !atomic_operator(insn.imm & ~BPF_FETCH)) {
        fail("unknown atomic operation " + hex(static_cast<uint32_t>(insn.imm)));
        return false;
    }
    const uint64_t old = combine_atomically(to, width, insn.imm, *expected, *source);
    if (insn.imm == BPF_CMPXCHG)
        r_[0] = old;
    return insn.imm == BPF_CMPXCHG || !(insn.imm & BPF_FETCH) || set(insn.src_reg, old);
}

// ---- registers

uint64_t* Interpreter::reg(uint8_t number)
{
    if (number > kFrameRegister || !(live_ >> number & 1)) {
        fail("register R" + std::to_string(number) + " has no value");
        return nullptr;
    }
    return &r_[number];
}

bool Interpreter::set(uint8_t number, uint64_t value)
{
    if (number >= kFrameRegister) {
        fail("register R" + std::to_string(number) + " cannot be written");
        return false;
    }
    r_[number] = value;
    live_ = static_cast<uint16_t>(live_ | 1u << number);
    return true;
}

bool Interpreter::operand(const bpf_insn& insn, uint64_t& value)
{
    value = static_cast<uint64_t>(static_cast<int64_t>(insn.imm));
    if (BPF_SRC(insn.code) == BPF_K)
        return true;
    const uint64_t* source = reg(insn.src_reg);
    if (!source)
        return false;
    value = *source;
    return true;
}

// ---- arithmetic

bool Interpreter::arithmetic(const bpf_insn& insn)
{
    const uint8_t op = BPF_OP(insn.code);
    if (op == BPF_END)
        return byte_swap(insn);
    const bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
    uint64_t right = 0;
    if (op != BPF_NEG && !operand(insn, right))
        return false;
    if (op != BPF_NEG && never_valid(insn)) {
        fail("operand " + std::to_string(insn.imm) + " is never valid");
        return false;
    }
    const Operator compute = wide ? operator64(op, insn.off) : operator32(op, insn.off);
    if (!compute) {
        fail("unknown instruction " + hex(insn.code));
        return false;
    }
    uint64_t left = 0;
    if (op != BPF_MOV) {
        const uint64_t* target = reg(insn.dst_reg);
        if (!target)
            return false;
        left = *target;
    }
    return set(insn.dst_reg, compute(left, right));
}

bool Interpreter::byte_swap(const bpf_insn& insn)
{
    const uint64_t* target = reg(insn.dst_reg);
    if (!target)
        return false;
    // true for bswap, which swaps always; false for conversions to big or little endian, which swap only if necessary
    const bool always = BPF_CLASS(insn.code) == BPF_ALU64;
    if (insn.imm != 16 && insn.imm != 32 && insn.imm != 64) {
        fail("byte swap of " + std::to_string(insn.imm) + " bits");
        return false;
    }
    const uint64_t mask = insn.imm == 64 ? ~uint64_t{0} : (uint64_t{1} << insn.imm) - 1;
    const bool swap = always || BPF_SRC(insn.code) == BPF_TO_BE;
    return set(insn.dst_reg, swap ? __builtin_bswap64(*target) >> (64 - insn.imm) : *target & mask);
}

bool Interpreter::load_immediate(const bpf_insn& insn)
{
    const auto& code = vm_.image_.code;
    if (insn.code != (BPF_LD | BPF_IMM | BPF_DW) || pc_ + 1 >= code.size()) {
        fail("unknown instruction " + hex(insn.code));
        return false;
    }
    const bpf_insn& high = code[++pc_];
    const auto index = static_cast<uint32_t>(insn.imm);
    switch (insn.src_reg) {
    case 0:
        return set(insn.dst_reg, index | static_cast<uint64_t>(static_cast<uint32_t>(high.imm)) << 32);
    case BPF_PSEUDO_MAP_FD:
        return set(insn.dst_reg, kMapReference | index);
    case BPF_PSEUDO_FUNC:
        return set(insn.dst_reg, kFunctionReference | index);
    case BPF_PSEUDO_MAP_VALUE:
        if (index < vm_.section_addresses_.size())
            return set(insn.dst_reg,
                       vm_.section_addresses_[index] + static_cast<uint64_t>(static_cast<int64_t>(high.imm)));
        [[fallthrough]];
    default:
        fail("unknown reference");
        return false;
    }
}

// ---- control

bool Interpreter::jump(const bpf_insn& insn)
{
    const bool wide = BPF_CLASS(insn.code) == BPF_JMP;
    const uint8_t op = BPF_OP(insn.code);
    if (op == BPF_JA) {
        pc_ = jump_target(insn, pc_) - 1; // execute() adds 1 to pc_ afterwards
        return true;
    }
    uint64_t right = 0;
    const uint64_t* left = reg(insn.dst_reg);
    if (!left || !operand(insn, right))
        return false;
    const Comparison compare = wide ? comparison64(op) : comparison32(op);
    if (!compare) {
        fail("unknown instruction " + hex(insn.code));
        return false;
    }
    if (compare(*left, right))
        pc_ = jump_target(insn, pc_) - 1;
    return true;
}

bool Interpreter::call(const bpf_insn& insn)
{
    if (insn.src_reg == 0)
        return call_helper(insn.imm);
    if (insn.src_reg != BPF_PSEUDO_CALL) {
        fail("unknown kind of call");
        return false;
    }
    const uint32_t target = jump_target(insn, pc_);
    if (!push(pc_))
        return false;
    pc_ = target - 1; // execute() adds 1 to pc_ afterwards
    return true;
}

bool Interpreter::call_helper(int32_t id)
{
    const HelperEntry* helper = find_helper(id);
    if (!helper) {
        fail("helper " + std::to_string(id) + " is not known");
        return false;
    }
    Arguments arguments{};
    for (uint8_t i = 0; i < helper->arguments; ++i) {
        const uint64_t* value = reg(static_cast<uint8_t>(i + 1));
        if (!value)
            return false;
        arguments[i] = *value;
    }
    const uint64_t result = helper->run(*this, arguments);
    if (failed())
        return false;
    live_ = static_cast<uint16_t>(live_ & ~kArguments);
    return set(0, result);
}

std::optional<uint64_t> Interpreter::call(uint32_t first, uint64_t a, uint64_t b)
{
    const uint32_t back = pc_;
    if (compiled_)
        return call_compiled(first, a, b);
    r_[1] = a;
    r_[2] = b;
    live_ = static_cast<uint16_t>((live_ & ~kArguments) | 0x6);
    if (!execute(first))
        return std::nullopt;
    pc_ = back;
    return r_[0];
}

void Interpreter::fail_over_budget()
{
    fail("more than " + std::to_string(vm_.budget) + " instructions");
}

/// Runs from a function's first instruction to its exit. Returns false after a failure.
bool Interpreter::execute(uint32_t first)
{
    const std::size_t outside = machine_.depth;
    if (!push(pc_))
        return false;
    pc_ = first;
    while (machine_.depth > outside) {
        if (pc_ >= vm_.image_.code.size()) {
            fail("the program runs off its end");
            return false;
        }
        if (vm_.executed_++ >= vm_.budget) {
            fail_over_budget();
            return false;
        }
        if (!step())
            return false;
        ++pc_;
    }
    return true;
}

bool Interpreter::step()
{
    const bpf_insn& insn = vm_.image_.code[pc_];
    switch (BPF_CLASS(insn.code)) {
    case BPF_ALU:
    case BPF_ALU64:
        return arithmetic(insn);
    case BPF_LD:
        return load_immediate(insn);
    case BPF_LDX:
        return load(insn);
    case BPF_ST:
    case BPF_STX:
        return store(insn);
    default:
        break;
    }
    if (insn.code == (BPF_JMP | BPF_CALL))
        return call(insn);
    if (insn.code != (BPF_JMP | BPF_EXIT))
        return jump(insn);
    if (!reg(0))
        return false;
    pc_ = frames_[machine_.depth - 1].return_pc;
    pop();
    return true;
}

// ---- compiled code

std::optional<uint64_t> Interpreter::run(const CompiledFunction& function, const void* context, std::size_t size)
{
    compiled_ = true;
    if (error_)
        error_.reset();
    machine_.failed = 0;
    machine_.depth = 1;
    machine_.load_room = machine_.store_room = 0;
    const int64_t budget = static_cast<int64_t>(std::min<uint64_t>(vm_.budget, kMaxBudget));
    machine_.remaining = budget;
    static uint8_t nothing;
    // The const_cast is safe, because no instruction can store to the context.
    auto* bytes = context ? const_cast<uint8_t*>(static_cast<const uint8_t*>(context)) : &nothing;
    context_ = {reinterpret_cast<uint64_t>(bytes), size, bytes, Kind::Context, false};
    const uint64_t result =
        vm_.code_->enter(&machine_, function.code, context_.address, 0, frames_[0].stack.data() + kStackSize);
    vm_.executed_ = static_cast<uint64_t>(budget - machine_.remaining);
    if (machine_.failed) [[unlikely]]
        return std::nullopt;
    if (machine_.remaining < 0) [[unlikely]] {
        fail_over_budget();
        return std::nullopt;
    }
    return result;
}

/// Runs a helper's callback in its own frame.
std::optional<uint64_t> Interpreter::call_compiled(uint32_t first, uint64_t a, uint64_t b)
{
    const auto found = vm_.code_->functions.find(first);
    if (found == vm_.code_->functions.end() || machine_.depth == kMaxFrames) {
        fail("this callback was not compiled");
        return std::nullopt;
    }
    const uint32_t back = pc_;
    uint8_t* stack_end = frames_[machine_.depth++].stack.data() + kStackSize;
    const uint64_t result = vm_.code_->enter(&machine_, found->second.code, a, b, stack_end);
    --machine_.depth;
    pc_ = back;
    return machine_.failed ? std::nullopt : std::optional(result);
}

Map* Interpreter::map(uint64_t reference)
{
    const uint64_t index = reference & kReferenceMask;
    if ((reference & ~kReferenceMask) == kMapReference && index < vm_.maps_.size())
        return vm_.maps_[index].get();
    fail(hex(reference) + " is not a map");
    return nullptr;
}

std::optional<uint32_t> Interpreter::function(uint64_t reference)
{
    const uint64_t index = reference & kReferenceMask;
    if ((reference & ~kReferenceMask) == kFunctionReference && index < vm_.image_.code.size())
        return static_cast<uint32_t>(index);
    fail(hex(reference) + " is not a function");
    return std::nullopt;
}

} // namespace dt::vm
