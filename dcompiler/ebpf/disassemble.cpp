// The listing of -S: one instruction a row, with what is called, loaded or jumped to as a comment.
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "dcompiler/ebpf/code.hpp"
#include "dcompiler/object/emit.hpp"

namespace dt {
namespace {

using ebpf::Code;
using ebpf::Relocation;

constexpr std::size_t kCommentColumn = 30; // within the instruction text

#define DT_HELPER_NAME(name) "bpf_" #name
constexpr const char* kHelpers[] = {__BPF_FUNC_MAPPER(DT_HELPER_NAME)};
#undef DT_HELPER_NAME

constexpr const char* kAlu[16] = {"add", "sub", "mul", "div", "or",  "and", "lsh", "rsh",
                                  "neg", "mod", "xor", "mov", "arsh", "end", "?",  "?"};
constexpr const char* kJumps[16] = {"ja",  "jeq",  "jgt",  "jge", "jset", "jne",  "jsgt", "jsge",
                                    "call", "exit", "jlt", "jle", "jslt", "jsle", "?",    "?"};

[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

std::string reg(unsigned number)
{
    return number == ebpf::kFrame ? "%fp" : "%r" + std::to_string(number);
}

std::string place(unsigned base, int offset)
{
    const std::string at = "[" + reg(base);
    return (offset == 0 ? at : at + print("%+d", offset)) + "]";
}

const char* size_letters(uint8_t code)
{
    switch (BPF_SIZE(code)) {
    case BPF_B: return "b";
    case BPF_H: return "h";
    case BPF_W: return "w";
    default: return "dw";
    }
}

std::string mnemonic(const std::string& name, const std::string& rest)
{
    return print("%-4s %s", name.c_str(), rest.c_str());
}

class Listing {
public:
    Listing(const ir::Module& module, const Code& code) : module_(module), code_(code) {}

    std::string rows()
    {
        std::string out = "INS  OFF    OPCODE                  INSTRUCTION\n";
        for (uint32_t i = 0; i < code_.insns.size(); ++i) {
            const bpf_insn& insn = code_.insns[i];
            comment_.clear();
            const std::string text = insn.code == 0 ? std::string{} : instruction(i); // 0: second half of a 64-bit constant
            std::string row = print("%04u %05u: %02x %x %x %04x %08x", i, i * 8, insn.code, insn.dst_reg, insn.src_reg,
                                    static_cast<uint16_t>(insn.off), static_cast<uint32_t>(insn.imm));
            if (!text.empty())
                row += "    " + text;
            if (!comment_.empty())
                row += std::string(text.size() < kCommentColumn ? kCommentColumn - text.size() : 1, ' ') + "! " + comment_;
            out += row + "\n";
        }
        return out;
    }

    std::string relocations() const
    {
        if (code_.relocations.empty())
            return {};
        std::string out = "\nBPF               OFFSET   VALUE    NAME\n";
        for (const Relocation& relocation : code_.relocations) {
            const bool call = relocation.kind >= Relocation::Kind::Local;
            const bool undefined = relocation.kind == Relocation::Kind::Runtime;
            const std::string value = undefined ? "*UND*" : print("%x", call ? 0u : static_cast<uint32_t>(code_.insns[relocation.insn].imm));
            out += print("%-17s %-8u %-8s %s\n", call ? "R_BPF_INSN_DISP32" : "R_BPF_INSN_64", relocation.insn * 8, value.c_str(),
                         name(relocation).c_str());
        }
        return out;
    }

private:
    std::string name(const Relocation& relocation) const
    {
        switch (relocation.kind) {
        case Relocation::Kind::Map: return module_.maps[relocation.index].name;
        case Relocation::Kind::Data: return module_.data[relocation.index].name;
        case Relocation::Kind::Local: return module_.functions[relocation.index].name;
        default: return relocation.name;
        }
    }

    const Relocation* relocation_at(uint32_t insn) const
    {
        for (const Relocation& relocation : code_.relocations)
            if (relocation.insn == insn)
                return &relocation;
        return nullptr;
    }

    std::string instruction(uint32_t i)
    {
        const bpf_insn& insn = code_.insns[i];
        switch (BPF_CLASS(insn.code)) {
        case BPF_LD:
            return wide(i);
        case BPF_LDX:
            return mnemonic(std::string("ld") + size_letters(insn.code), reg(insn.dst_reg) + ", " + place(insn.src_reg, insn.off));
        case BPF_ST:
            return mnemonic(std::string("st") + size_letters(insn.code), place(insn.dst_reg, insn.off) + ", " + std::to_string(insn.imm));
        case BPF_STX:
            return store(insn);
        case BPF_JMP:
            return jump(i);
        default:
            return alu(insn);
        }
    }

    std::string wide(uint32_t i)
    {
        const bpf_insn& insn = code_.insns[i];
        const uint64_t value = static_cast<uint32_t>(insn.imm) | uint64_t{static_cast<uint32_t>(code_.insns[i + 1].imm)} << 32;
        if (const Relocation* relocation = relocation_at(i))
            comment_ = name(*relocation) + (value != 0 ? print("+%" PRIu64, value) : std::string{});
        return mnemonic("lddw", reg(insn.dst_reg) + print(", 0x%" PRIx64, value));
    }

    static std::string store(const bpf_insn& insn)
    {
        const std::string operands = place(insn.dst_reg, insn.off) + ", " + reg(insn.src_reg);
        if (BPF_MODE(insn.code) != BPF_ATOMIC)
            return mnemonic(std::string("st") + size_letters(insn.code), operands);
        const char* name = insn.imm == BPF_XCHG ? "xchg" : insn.imm == BPF_CMPXCHG ? "cmpxchg" : "xadd";
        return mnemonic(name + std::string(size_letters(insn.code)), operands);
    }

    std::string jump(uint32_t i)
    {
        const bpf_insn& insn = code_.insns[i];
        const std::string name = kJumps[BPF_OP(insn.code) >> 4];
        if (BPF_OP(insn.code) == BPF_EXIT)
            return name;
        if (BPF_OP(insn.code) == BPF_CALL)
            return mnemonic(name, callee(i));
        comment_ = print("-> %03u", i + 1 + static_cast<uint32_t>(static_cast<int32_t>(insn.off)));
        if (BPF_OP(insn.code) == BPF_JA)
            return mnemonic(name, std::to_string(insn.off));
        const std::string right = BPF_SRC(insn.code) == BPF_X ? reg(insn.src_reg) : std::to_string(insn.imm);
        return mnemonic(name, reg(insn.dst_reg) + ", " + right + ", " + std::to_string(insn.off));
    }

    std::string callee(uint32_t i) const
    {
        if (const Relocation* relocation = relocation_at(i))
            return name(*relocation);
        const auto helper = static_cast<uint32_t>(code_.insns[i].imm);
        return helper < std::size(kHelpers) ? kHelpers[helper] : std::to_string(helper);
    }

    static std::string alu(const bpf_insn& insn)
    {
        const uint8_t op = BPF_OP(insn.code);
        if (op == BPF_END)
            return mnemonic((BPF_SRC(insn.code) == BPF_TO_BE ? "be" : "le") + std::to_string(insn.imm), reg(insn.dst_reg));
        const std::string name = std::string(kAlu[op >> 4]) + (BPF_CLASS(insn.code) == BPF_ALU ? "32" : "");
        if (op == BPF_NEG)
            return mnemonic(name, reg(insn.dst_reg));
        return mnemonic(name, reg(insn.dst_reg) + ", " + (BPF_SRC(insn.code) == BPF_X ? reg(insn.src_reg) : std::to_string(insn.imm)));
    }

    const ir::Module& module_;
    const Code& code_;
    std::string comment_;
};

} // namespace

std::string disassemble(const ir::Module& module, std::size_t function, std::string_view heading, std::string_view variables)
{
    const ir::Function& f = module.functions[function];
    const std::string what = !heading.empty() ? std::string(heading) : f.section.empty() ? "function" : "program " + f.section;
    const std::string title = "\nDisassembly of " + what + ", <" + f.name + ">:\n";
    const auto code = ebpf::generate(module, function);
    if (!code)
        return title + code.error().message + "\n";
    Listing listing(module, code.value());
    return title + listing.rows() + std::string(variables) + listing.relocations();
}

} // namespace dt
