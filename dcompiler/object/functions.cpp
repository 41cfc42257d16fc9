// Reads functions from the finished ELF file: linking moves functions and resolves calls, so their code is final only
// there.
#include "dcompiler/object/functions.hpp"

#include <algorithm>
#include <cstring>

#include "base/elf_image.hpp"

namespace dt {
namespace {

constexpr uint64_t kInsn = sizeof(bpf_insn);

class Reader {
public:
    explicit Reader(std::span<const uint8_t> image) : elf_(open_image(image)) {}

    Result<std::vector<ObjectFunction>> run()
    {
        if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || !elf64_getehdr(elf_.get()) || !read_symbols())
            return Error{"not an object file"};
        std::vector<ObjectFunction> functions;
        for (const Elf64_Sym& symbol : sorted_functions())
            functions.push_back(function(symbol));
        return functions;
    }

private:
    bool read_symbols()
    {
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section));) {
            const Elf64_Shdr* header = elf64_getshdr(section);
            const Elf_Data* data = header && header->sh_type == SHT_SYMTAB ? elf_getdata(section, nullptr) : nullptr;
            if (!data)
                continue;
            strings_ = header->sh_link;
            symbols_ = {static_cast<const Elf64_Sym*>(data->d_buf), data->d_size / sizeof(Elf64_Sym)};
            return true;
        }
        return false;
    }

    std::vector<Elf64_Sym> sorted_functions() const
    {
        std::vector<Elf64_Sym> functions;
        std::copy_if(symbols_.begin(), symbols_.end(), std::back_inserter(functions), [](const Elf64_Sym& symbol) {
            return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
        });
        std::stable_sort(functions.begin(), functions.end(), [](const Elf64_Sym& a, const Elf64_Sym& b) {
            return a.st_shndx != b.st_shndx ? a.st_shndx < b.st_shndx : a.st_value < b.st_value;
        });
        return functions;
    }

    std::string name(const Elf64_Sym& symbol) const
    {
        const char* text = elf_strptr(elf_.get(), strings_, symbol.st_name);
        return text ? text : "";
    }

    ObjectFunction function(const Elf64_Sym& symbol) const
    {
        ObjectFunction result{name(symbol), {}, {}};
        Elf_Scn* section = elf_getscn(elf_.get(), symbol.st_shndx);
        const Elf_Data* data = section ? elf_getdata(section, nullptr) : nullptr;
        if (!data || symbol.st_value > data->d_size || symbol.st_size > data->d_size - symbol.st_value)
            return result;
        result.insns.resize(symbol.st_size / kInsn);
        std::memcpy(result.insns.data(), static_cast<const char*>(data->d_buf) + symbol.st_value,
                    result.insns.size() * kInsn);
        add_references(symbol, result);
        return result;
    }

    void add_references(const Elf64_Sym& symbol, ObjectFunction& function) const
    {
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section));) {
            const Elf64_Shdr* header = elf64_getshdr(section);
            const Elf_Data* data = header && header->sh_type == SHT_REL && header->sh_info == symbol.st_shndx
                                       ? elf_getdata(section, nullptr)
                                       : nullptr;
            const std::size_t count = data ? data->d_size / sizeof(Elf64_Rel) : 0;
            for (std::size_t i = 0; i < count; ++i) {
                const Elf64_Rel& relocation = static_cast<const Elf64_Rel*>(data->d_buf)[i];
                const uint64_t index = (relocation.r_offset - symbol.st_value) / kInsn;
                if (relocation.r_offset >= symbol.st_value && index < function.insns.size() &&
                    ELF64_R_SYM(relocation.r_info) < symbols_.size())
                    function.references.push_back(
                        reference(relocation, static_cast<uint32_t>(index), function.insns[index]));
            }
        }
        std::sort(function.references.begin(), function.references.end(),
                  [](const ebpf::CodeReference& a, const ebpf::CodeReference& b) { return a.insn < b.insn; });
    }

    /// Returns the target of a relocation. A call of a static function has no symbol: its target is a position in a
    /// section, which the instruction contains relative to the next instruction.
    ebpf::CodeReference reference(const Elf64_Rel& relocation, uint32_t index, const bpf_insn& insn) const
    {
        const Elf64_Sym& target = symbols_[ELF64_R_SYM(relocation.r_info)];
        const bool is_call = ELF64_R_TYPE(relocation.r_info) == kRelocCall;
        if (ELF64_ST_TYPE(target.st_info) != STT_SECTION || !is_call)
            return {index, name(target), is_call, target.st_shndx == SHN_UNDEF, {}};
        const uint64_t place = (static_cast<uint64_t>(int64_t{insn.imm}) + 1) * kInsn;
        const auto callee = std::find_if(symbols_.begin(), symbols_.end(), [&](const Elf64_Sym& symbol) {
            return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx == target.st_shndx &&
                   symbol.st_value == place;
        });
        return {index, callee != symbols_.end() ? name(*callee) : "?", true, false, {}};
    }

    ElfHandle elf_;
    uint32_t strings_ = 0;
    std::span<const Elf64_Sym> symbols_;
};

} // namespace

Result<std::vector<ObjectFunction>> read_functions(std::span<const uint8_t> elf)
{
    return Reader(elf).run();
}

} // namespace dt
