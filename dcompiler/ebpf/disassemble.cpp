// Prints instructions and relocations. It decodes the bytes, so it can also print code that this compiler has not made.
#include "dcompiler/ebpf/disassemble.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "dcompiler/ebpf/machine_code.hpp"

namespace dt {
namespace {

using ebpf::Code;
using ebpf::CodeReference;
using ebpf::Relocation;

constexpr std::size_t kCommentColumn = 30; // column of a printed line where comments begin

#define DT_HELPER_NAME(name) "bpf_" #name
constexpr const char* kHelpers[] = {__BPF_FUNC_MAPPER(DT_HELPER_NAME)};
#undef DT_HELPER_NAME

constexpr const char* kAlu[16] = {"add", "sub", "mul", "div", "or",   "and", "lsh", "rsh",
                                  "neg", "mod", "xor", "mov", "arsh", "end", "?",   "?"};
constexpr const char* kJumps[16] = {"ja",   "jeq",  "jgt", "jge", "jset", "jne",  "jsgt", "jsge",
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
    case BPF_B:
        return "b";
    case BPF_H:
        return "h";
    case BPF_W:
        return "w";
    default:
        return "dw";
    }
}

std::string mnemonic(const std::string& name, const std::string& rest)
{
    return print("%-4s %s", name.c_str(), rest.c_str());
}

class Rows {
public:
    Rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references)
        : insns_(insns), references_(references)
    {
    }

    std::string text()
    {
        std::string out = "INS  OFF    OPCODE                  INSTRUCTION\n";
        for (uint32_t i = 0; i < insns_.size(); ++i) {
            const bpf_insn& insn = insns_[i];
            comment_.clear();
            // An instruction with code 0 is the second half of a 64-bit constant and has no text.
            const std::string text = insn.code == 0 ? std::string{} : instruction(i);
            std::string row = print("%04u %05u: %02x %x %x %04x %08x", i, i * 8, insn.code, insn.dst_reg, insn.src_reg,
                                    static_cast<uint16_t>(insn.off), static_cast<uint32_t>(insn.imm));
            if (!text.empty())
                row += "    " + text;
            if (!comment_.empty())
                row +=
                    std::string(text.size() < kCommentColumn ? kCommentColumn - text.size() : 1, ' ') + "! " + comment_;
            out += row + "\n";
        }
        return out;
    }

private:
    const CodeReference* reference_at(uint32_t insn) const
    {
        const auto found =
            std::lower_bound(references_.begin(), references_.end(), insn,
                             [](const CodeReference& reference, uint32_t i) { return reference.insn < i; });
        return found != references_.end() && found->insn == insn ? &*found : nullptr;
    }

    std::string instruction(uint32_t i)
    {
        const bpf_insn& insn = insns_[i];
        switch (BPF_CLASS(insn.code)) {
        case BPF_LD:
            return wide(i);
        case BPF_LDX:
            return mnemonic((BPF_MODE(insn.code) == abi::kModeMemSx ? "lds" : "ld") +
                                std::string(size_letters(insn.code)),
                            reg(insn.dst_reg) + ", " + place(insn.src_reg, insn.off));
        case BPF_ST:
            return mnemonic(std::string("st") + size_letters(insn.code),
                            place(insn.dst_reg, insn.off) + ", " + std::to_string(insn.imm));
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
        const bpf_insn& insn = insns_[i];
        const uint64_t value = static_cast<uint32_t>(insn.imm) | uint64_t{static_cast<uint32_t>(insns_[i + 1].imm)}
                                                                     << 32;
        if (const CodeReference* reference = reference_at(i)) {
            const int64_t offset = reference->offset.value_or(static_cast<int64_t>(value));
            comment_ = reference->name + (offset != 0 ? print("%+" PRId64, offset) : std::string{});
        }
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
        const bpf_insn& insn = insns_[i];
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

    std::string callee(uint32_t i)
    {
        if (const CodeReference* reference = reference_at(i))
            return reference->name;
        if (insns_[i].src_reg == BPF_PSEUDO_CALL) {
            comment_ = print("-> %03u", i + 1 + static_cast<uint32_t>(insns_[i].imm));
            return std::to_string(insns_[i].imm);
        }
        return ebpf::helper_name(insns_[i].imm);
    }

    static std::string alu(const bpf_insn& insn)
    {
        const uint8_t op = BPF_OP(insn.code);
        if (op == BPF_END)
            return mnemonic((BPF_SRC(insn.code) == BPF_TO_BE ? "be" : "le") + std::to_string(insn.imm),
                            reg(insn.dst_reg));
        // A non-zero `off` makes a division signed, and a move sign-extending from that number of bits.
        const std::string name = (insn.off != 0 && op != BPF_MOV ? "s" : "") + std::string(kAlu[op >> 4]) +
                                 (insn.off != 0 && op == BPF_MOV ? "s" + std::to_string(insn.off) : "") +
                                 (BPF_CLASS(insn.code) == BPF_ALU ? "32" : "");
        if (op == BPF_NEG)
            return mnemonic(name, reg(insn.dst_reg));
        return mnemonic(name, reg(insn.dst_reg) + ", " +
                                  (BPF_SRC(insn.code) == BPF_X ? reg(insn.src_reg) : std::to_string(insn.imm)));
    }

    std::span<const bpf_insn> insns_;
    std::span<const CodeReference> references_;
    std::string comment_;
};

std::string name_of(const ir::Module& module, const Relocation& relocation)
{
    switch (relocation.kind) {
    case Relocation::Kind::Map:
        return module.maps[relocation.index].name;
    case Relocation::Kind::Data:
        return module.data[relocation.index].name;
    case Relocation::Kind::Local:
        return module.functions[relocation.index].name;
    default:
        return relocation.name;
    }
}

std::vector<CodeReference> references_of(const ir::Module& module, const Code& code)
{
    std::vector<CodeReference> references;
    for (const Relocation& relocation : code.relocations)
        references.push_back({relocation.insn,
                              name_of(module, relocation),
                              relocation.kind >= Relocation::Kind::Local,
                              relocation.kind == Relocation::Kind::Runtime,
                              {}});
    return references;
}

} // namespace

std::string ebpf::helper_name(int32_t number)
{
    const auto helper = static_cast<uint32_t>(number);
    return helper < std::size(kHelpers) ? kHelpers[helper] : std::to_string(number);
}

std::string ebpf::instruction_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references)
{
    return Rows(insns, references).text();
}

std::string ebpf::relocation_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references)
{
    if (references.empty())
        return {};
    std::string out = "\nBPF               OFFSET   VALUE    NAME\n";
    for (const CodeReference& reference : references) {
        const uint32_t offset =
            reference.is_call ? 0 : static_cast<uint32_t>(reference.offset.value_or(insns[reference.insn].imm));
        out += print("%-17s %-8u %-8s ", reference.is_call ? "R_BPF_INSN_DISP32" : "R_BPF_INSN_64", reference.insn * 8,
                     reference.undefined ? "*UND*" : print("%x", offset).c_str()) +
               reference.name + "\n";
    }
    return out;
}

std::string disassemble(const ir::Module& module, std::size_t function, std::string_view heading,
                        const VariableTable& variables)
{
    const ir::Function& f = module.functions[function];
    const std::string what = !heading.empty()    ? std::string(heading)
                             : f.section.empty() ? "function"
                                                 : "program " + f.section;
    const std::string title = "\nDisassembly of " + what + ", <" + f.name + ">:\n";
    const auto code = ebpf::generate(module, function);
    if (!code)
        return title + code.error().message + "\n";
    const std::vector<CodeReference> references = references_of(module, code.value());
    const std::span<const bpf_insn> insns = code.value().insns;
    return title + ebpf::instruction_rows(insns, references) + (variables ? variables(insns.size() - 1) : "") +
           ebpf::relocation_rows(insns, references);
}

} // namespace dt
