#include "test/fuzz/vm_programs.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace dt::vm::programs {

namespace {

constexpr std::size_t kMaxChosen = 24;
constexpr uint8_t kStackWords = 8; // number of stack words that the added first instructions initialize
using Code = std::vector<bpf_insn>;

void add(Code& code, int op, int dst, int src, int off, int32_t imm)
{
    bpf_insn insn{};
    insn.code = static_cast<uint8_t>(op);
    insn.dst_reg = dst & 15;
    insn.src_reg = src & 15;
    insn.off = static_cast<int16_t>(off);
    insn.imm = imm;
    code.push_back(insn);
}

void add_reference(Code& code, int dst, int kind, int32_t low, int32_t high)
{
    add(code, BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, low);
    add(code, 0, 0, 0, 0, high);
}

/// Adds instructions that initialize the registers: R1 is the context, R8 the lowest initialized byte of the stack
/// frame, R9 the data section. R7 and the other registers contain numbers.
void add_beginning(Code& code)
{
    for (int word = 1; word <= kStackWords; ++word)
        for (const int half : {0, 4})
            add(code, BPF_ST | BPF_MEM | BPF_W, 10, 0, -8 * word + half, 0x01010101 * (word < 3 ? 1 : word));
    for (const int number : {0, 2, 3, 4, 5, 6, 7})
        add(code, BPF_ALU64 | BPF_MOV | BPF_K, number, 0, 0, number * 0x1234567 - 1);
    add(code, BPF_ALU64 | BPF_MOV | BPF_X, 8, 10, 0, 0);
    add(code, BPF_ALU64 | BPF_ADD | BPF_K, 8, 0, 0, -8 * kStackWords);
    add_reference(code, 9, BPF_PSEUDO_MAP_VALUE, 0, 16);
}

/// Adds a map lookup: R0 = the map's value for the key at the end of the stack frame. Optionally adds a comparison of
/// R0 with null.
void add_lookup(Code& code, uint8_t map, bool compare)
{
    add_reference(code, 1, BPF_PSEUDO_MAP_FD, map & 1, 0);
    add(code, BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0);
    add(code, BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -8);
    if (map & 2) {
        add(code, BPF_ALU64 | BPF_MOV | BPF_X, 3, 10, 0, 0);
        add(code, BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, -16);
        add(code, BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 0);
    }
    add(code, BPF_JMP | BPF_CALL, 0, 0, 0, map & 2 ? BPF_FUNC_map_update_elem : BPF_FUNC_map_lookup_elem);
    for (int number = 1; number <= 5; ++number)
        add(code, BPF_ALU64 | BPF_MOV | BPF_K, number, 0, 0, number);
    if (compare)
        add(code, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, map >> 4, 0);
}

void add_call(Code& code, uint8_t which, int8_t distance)
{
    constexpr int32_t kHelpers[] = {
        BPF_FUNC_ktime_get_ns,     BPF_FUNC_get_smp_processor_id, BPF_FUNC_get_current_pid_tgid,
        BPF_FUNC_get_current_comm, BPF_FUNC_get_current_uid_gid,  BPF_FUNC_probe_read_kernel,
        BPF_FUNC_strncmp,          BPF_FUNC_get_current_task};
    if (which & 1) {
        add(code, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, distance);
    } else if (which & 2) {
        add(code, BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, which >> 2);
        add_reference(code, 2, BPF_PSEUDO_FUNC, static_cast<uint8_t>(distance), 0);
        add(code, BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 0);
        add(code, BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_loop);
    } else {
        add(code, BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 8);
        add(code, BPF_JMP | BPF_CALL, 0, 0, 0, kHelpers[which >> 2 & 7]);
    }
    for (int number = 1; number <= 5; ++number)
        add(code, BPF_ALU64 | BPF_MOV | BPF_K, number, 0, 0, number);
}

void add_memory(Code& code, uint8_t kind, int dst, int src, int8_t offset)
{
    constexpr int kSizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};
    constexpr int32_t kAtomics[] = {
        BPF_ADD,     BPF_OR | BPF_FETCH, BPF_XOR, BPF_AND | BPF_FETCH, BPF_ADD | BPF_FETCH, BPF_XCHG,
        BPF_CMPXCHG, BPF_XOR | BPF_FETCH};
    constexpr int kBases[] = {8, 9, 10, 1};
    const int size = kSizes[kind & 3], width = size == BPF_B ? 1 : size == BPF_H ? 2 : size == BPF_W ? 4 : 8;
    const int base = kind & 0xe0 ? kBases[kind >> 4 & 3] : dst;
    // R10 addresses the initialized stack words from their upper end, R8 from their lower end.
    const int off = base == 10 ? -(offset & 63 & -width) - width : base == dst ? offset : (offset & 31) / width * width;
    switch (kind >> 2 & 3) {
    case 0:
        return add(code, BPF_LDX | BPF_MEM | size, dst, base == dst ? src : base, off, 0);
    case 1:
        return add(code, BPF_STX | BPF_MEM | size, base, src, off, 0);
    case 2:
        return add(code, BPF_ST | BPF_MEM | size, base, 0, off, offset * 257);
    default:
        return add(code, BPF_STX | BPF_ATOMIC | (size | BPF_DW), base, src, off & ~7, kAtomics[kind >> 4 & 7]);
    }
}

void add_arithmetic(Code& code, uint8_t kind, int dst, int src, int8_t number)
{
    const int op = (kind >> 2) % 14 * 16;
    const bool wide = kind & 1, by_register = kind & 2;
    if (op == BPF_END)
        return add(code, (wide ? BPF_ALU64 : BPF_ALU) | BPF_END | (by_register && !wide ? BPF_TO_BE : 0), dst, 0, 0,
                   16 << (number & 3) % 3);
    const bool shift = op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH, division = op == BPF_DIV || op == BPF_MOD;
    const int off = division ? number & 1 : op == BPF_MOV && by_register && number & 1 ? 8 << (number >> 1 & 1) : 0;
    const int32_t imm = shift ? number & 31 : division && !number ? 3 : number;
    add(code, (wide ? BPF_ALU64 : BPF_ALU) | op | (by_register ? BPF_X : BPF_K), dst, by_register ? src : 0, off,
        by_register ? 0 : imm);
}

/// Adds a jump, mostly forward, because endless loops test little.
void add_jump(Code& code, uint8_t kind, int dst, int src, int8_t number)
{
    constexpr int kOps[] = {BPF_JEQ,  BPF_JGT, BPF_JGE, BPF_JSET, BPF_JNE,  BPF_JSGT,
                            BPF_JSGE, BPF_JLT, BPF_JLE, BPF_JSLT, BPF_JSLE, BPF_JA};
    const int op = kOps[(kind >> 2) % std::size(kOps)],
              off = (number & 0x70) == 0x70 && op != BPF_JA ? -(number & 7) - 1 : number & 3;
    const bool by_register = kind & 2 && op != BPF_JA;
    add(code, (kind & 1 && op != BPF_JA ? BPF_JMP32 : BPF_JMP) | op | (by_register ? BPF_X : BPF_K), dst,
        by_register ? src : 0, off, by_register || op == BPF_JA ? 0 : number >> 3);
}

/// Spreads the bytes of an input over the whole range of values, because inputs that are text contain only few
/// different bytes.
uint8_t spread(uint8_t byte)
{
    return static_cast<uint8_t>(byte * 167 ^ byte >> 3);
}

void add_chosen(Code& code, const uint8_t* bytes)
{
    const uint8_t choice = spread(bytes[0]), kind = spread(bytes[1]), registers = spread(bytes[2]);
    // R8 and R9 are rarely used as destinations, so that they remain pointers.
    const int dst = registers % (kind % 16 == 7 ? 10 : 8), src = registers / 8 % 11;
    const auto number = static_cast<int8_t>(spread(bytes[3]));
    switch (choice % 8) {
    case 0:
    case 1:
        return add_arithmetic(code, kind, dst, src, number);
    case 2:
        return add(code, BPF_ALU64 | (kind & 0x70 ? BPF_ADD : BPF_AND) | BPF_K, dst, 0, 0, number);
    case 3:
    case 4:
        return add_memory(code, kind, dst, src, number);
    case 5:
        return add_jump(code, kind, dst, src, number);
    case 6:
        return choice & 8 ? add_lookup(code, kind, number & 3) : add_call(code, kind, number);
    default:
        return add(code, BPF_ALU64 | BPF_MOV | BPF_X, dst, kind & 1 ? src : 8 + (kind & 2) / 2, 0, 0);
    }
}

} // namespace

Image program(const uint8_t* data, std::size_t size)
{
    Image image;
    if (data[0] == 'r') {
        image.code.resize((size - 1) / sizeof(bpf_insn));
        if (!image.code.empty())
            std::memcpy(image.code.data(), data + 1, image.code.size() * sizeof(bpf_insn));
    } else {
        add_beginning(image.code);
        // a program gets few instructions, because long programs usually end in a failure
        const std::size_t count = 1 + data[1] % kMaxChosen;
        for (std::size_t i = 2; i + 4 <= size && i < 2 + count * 4; i += 4)
            add_chosen(image.code, data + i);
        for (int i = 0; i < 8; ++i) // the instructions added here are the targets of the last jumps
            add(image.code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
    }
    image.functions.push_back({"f", "test", 0, static_cast<uint32_t>(image.code.size())});
    image.sections.push_back({".data", std::vector<uint8_t>(64, 0x5a), true});
    image.maps.push_back({"hash", BPF_MAP_TYPE_HASH, 8, 16, 4, 0});
    image.maps.push_back({"array", BPF_MAP_TYPE_ARRAY, 4, 8, 4, 0});
    return image;
}

bool Outcome::operator==(const Outcome& other) const
{
    if (ok != other.ok || (ok && (result != other.result || executed != other.executed)))
        return false;
    // If the instruction budget is exhausted, results may differ: compiled code checks the budget before a basic block,
    // the interpreter inside it.
    return (other.error == error && data == other.data) || (over_budget() && other.over_budget());
}

namespace {

/// Restores the virtual machine's data and maps to their state before the first run, so that all executors start alike.
void restore(VirtualMachine& vm)
{
    std::memset(vm.section(".data").data(), 0x5a, 64);
    for (const char* name : {"hash", "array"})
        for (const Bytes& key : vm.map(name)->keys()) {
            const auto value = vm.map(name)->value(key);
            std::memset(value.data(), 7, value.size());
        }
}

} // namespace

Outcome run(VirtualMachine& vm, bool checked, const uint8_t* context)
{
    restore(vm);
    vm.interpret_compiled(checked);
    Outcome outcome;
    const auto result = vm.run("f", {context, kContextSize});
    outcome.ok = result.ok();
    outcome.result = result.ok() ? result.value() : 0;
    outcome.error = result.ok() ? "" : result.error().message;
    outcome.executed = vm.executed();
    const auto section = vm.section(".data");
    outcome.data.assign(section.begin(), section.end());
    return outcome;
}

namespace {

// names of the executors, in the order of enum Executor
constexpr const char* kNames[] = {"checked", "threaded", "native"};

void tell(const char* name, const Outcome& outcome)
{
    std::fprintf(stderr, "%-9s %llu, %llu instructions, %s\n", name, static_cast<unsigned long long>(outcome.result),
                 static_cast<unsigned long long>(outcome.executed), outcome.error.c_str());
}

[[noreturn]] void give_up(const VirtualMachine& vm)
{
    for (std::size_t i = 0; i < vm.image().code.size(); ++i) {
        const bpf_insn& insn = vm.image().code[i];
        std::fprintf(stderr, "%zu: code 0x%02x dst %d src %d off %d imm %d\n", i, insn.code, insn.dst_reg, insn.src_reg,
                     insn.off, insn.imm);
    }
    std::abort();
}

/// Also compares the result of calling the function directly: for functions that can be called directly, the JIT
/// compiler makes a separate variant.
void compare_direct(VirtualMachine& vm, const Outcome& expected, const uint8_t* context)
{
    const auto entry = vm.entry("f");
    restore(vm);
    const uint64_t result = entry.value()(context, kContextSize);
    if (vm.failed() == expected.ok || (expected.ok && result != expected.result)) {
        tell(kNames[static_cast<std::size_t>(vm.executor())], expected);
        std::fprintf(stderr, "called directly: %llu\n", static_cast<unsigned long long>(result));
        give_up(vm);
    }
}

} // namespace

bool executors_agree(VirtualMachine& vm, const uint8_t* context)
{
    vm.budget = kBudget;
    bool replaces = false;
    for (const bpf_insn& insn : vm.image().code)
        replaces = replaces || (insn.code == (BPF_JMP | BPF_CALL) && insn.imm == BPF_FUNC_map_update_elem);
    if (!vm.compile(Executor::Threaded).ok()) {
        (void)run(vm, true, context);
        return false;
    }
    // Creates the only element of the map. If a program replaces the element's value, its results are not compared: the
    // new value gets another address, so a second run may have another result.
    (void)vm.map("hash")->update(Bytes(8, 1), Bytes(16, 7), BPF_ANY, 0);
    const Outcome checked = run(vm, true, context);
    for (const Executor executor : {Executor::Threaded, Executor::Native}) {
        (void)vm.compile(executor);
        if (vm.executor() != executor)
            continue; // there is no JIT compiler for this processor
        const Outcome outcome = run(vm, false, context);
        // Errors about the stack size may differ: compiled code counts the stack of the whole function, the interpreter
        // only the stack used so far.
        const bool counted = outcome.error.find("bytes of stack") != std::string::npos;
        if (!(outcome == checked) && !counted && !replaces) {
            tell("checked", checked);
            tell(kNames[static_cast<std::size_t>(executor)], outcome);
            give_up(vm);
        }
        if (!replaces)
            compare_direct(vm, outcome, context);
    }
    return true;
}

} // namespace dt::vm::programs
