// The description is DOF in a section of its own. It has a reference to each function that has sites, which the linker,
// or in a position-independent program the loader, replaces by where the function is; the section is writable for that.
// The linker shall keep it, though nothing refers to it.
#include "libdtrace/usdt/link.hpp"

#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <map>

#include "base/memory_file.hpp"
#include "libdtrace/usdt/dof.hpp"
#include "machine/machine.hpp"

namespace dt::usdt {
namespace {

constexpr std::size_t kMostSites = 65535; // of a probe in a function: the description counts with 16 bits

/// A provider's probes in their functions.
struct Described {
    std::vector<DofProbe> probes;
    std::vector<std::string> symbols; ///< of the functions of probes[i]
};

const DefinedProbe* probe_of(const DefinedProvider& provider, const std::string& name)
{
    const auto found = std::find_if(provider.probes.begin(), provider.probes.end(),
                                    [&](const DefinedProbe& probe) { return probe.name == name; });
    return found == provider.probes.end() ? nullptr : &*found;
}

std::vector<std::string> texts(const std::vector<const Type*>& types)
{
    std::vector<std::string> result;
    std::transform(types.begin(), types.end(), std::back_inserter(result),
                   [](const Type* type) { return to_string(type); });
    return result;
}

Result<Described> described(const DefinedProvider& provider, const std::vector<CallSite>& sites)
{
    Described result;
    std::map<std::pair<std::string, std::string>, std::size_t> places; // by symbol and probe
    for (const CallSite& site : sites) {
        if (site.name.provider != provider.name)
            continue;
        const DefinedProbe* const defined = probe_of(provider, site.name.probe);
        if (!defined)
            return Error{"undefined probe " + site.name.probe + " for probe provider " + provider.name + " (function " +
                         site.function + " fires it)"};
        const auto [place, is_new] = places.try_emplace({site.symbol, site.name.probe}, result.probes.size());
        if (is_new) {
            result.probes.push_back({provider.name,
                                     defined->name,
                                     site.function,
                                     {},
                                     {},
                                     defined->declared,
                                     texts(defined->output),
                                     defined->mapping});
            result.symbols.push_back(site.symbol);
        }
        DofProbe& probe = result.probes[place->second];
        (site.name.asks ? probe.asking : probe.sites).push_back(site.offset);
        if (probe.sites.size() > kMostSites || probe.asking.size() > kMostSites)
            return Error{"too many sites of " + provider.name + ":::" + defined->name + " in function " +
                         site.function};
    }
    return result;
}

/// The ELF file: the description, its relocations, the symbols these name.
class LinkedObject {
public:
    explicit LinkedObject(const machine::Machine& machine) : machine_(machine) {}

    void add(const Dof& dof, const std::vector<std::string>& symbols)
    {
        const std::size_t base = dof_.size();
        dof_.insert(dof_.end(), dof.bytes.begin(), dof.bytes.end());
        for (std::size_t i = 0; i < symbols.size(); ++i)
            relocations_.push_back(
                {base + dof.addresses[i], ELF64_R_INFO(symbol(symbols[i]), machine_.relocations.word), 0});
    }

    const std::vector<uint8_t>& dof() const { return dof_; }

    Result<std::vector<uint8_t>> write()
    {
        auto file = MemoryFile::make("usdt");
        if (!file)
            return file.error();
        elf_version(EV_CURRENT);
        Elf* const elf = elf_begin(file->fd(), ELF_C_WRITE, nullptr);
        const bool written = elf && fill(elf) && elf_update(elf, ELF_C_WRITE) >= 0;
        const std::string problem = written ? "" : elf_errmsg(-1);
        elf_end(elf);
        if (!written)
            return Error{"cannot write: " + problem};
        return file->read();
    }

private:
    enum SectionIndex : uint32_t { kDof = 1, kRelocations, kSymbols, kStrings, kNames, kStackNote };

    uint32_t symbol(const std::string& name)
    {
        const auto [known, is_new] = known_.try_emplace(name, static_cast<uint32_t>(symbols_.size()));
        if (is_new) {
            symbols_.push_back({static_cast<Elf64_Word>(strings_.size()), ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
                                STV_DEFAULT, SHN_UNDEF, 0, 0});
            strings_ += name + '\0';
        }
        return known->second;
    }

    Elf_Scn* section(Elf* elf, const char* name, uint32_t type, uint64_t flags, void* bytes, std::size_t size,
                     Elf_Type kind)
    {
        Elf_Scn* const made = elf_newscn(elf);
        Elf64_Shdr* const header = made ? elf64_getshdr(made) : nullptr;
        Elf_Data* const data = made ? elf_newdata(made) : nullptr;
        if (!header || !data)
            return nullptr;
        header->sh_name = static_cast<Elf64_Word>(names_.size());
        names_ += std::string(name) + '\0';
        header->sh_type = type;
        header->sh_flags = flags;
        header->sh_addralign = data->d_align = kind == ELF_T_BYTE && type != kDofSectionType ? 1 : 8;
        data->d_buf = bytes;
        data->d_size = size;
        data->d_type = kind;
        data->d_version = EV_CURRENT;
        return made;
    }

    static void link(Elf_Scn* section, uint32_t link, uint32_t info, uint64_t entry)
    {
        Elf64_Shdr* const header = elf64_getshdr(section);
        header->sh_link = link;
        header->sh_info = info;
        header->sh_entsize = entry;
    }

    bool fill(Elf* elf)
    {
        Elf64_Ehdr* const header = elf64_newehdr(elf);
        if (!header)
            return false;
        header->e_ident[EI_DATA] = ELFDATA2LSB;
        header->e_ident[EI_OSABI] = ELFOSABI_GNU; // as SHF_GNU_RETAIN asks
        header->e_type = ET_REL;
        header->e_machine = machine_.elf;
        header->e_version = EV_CURRENT;
        header->e_shstrndx = kNames;
        section(elf, kDofSection, kDofSectionType, SHF_ALLOC | SHF_WRITE | SHF_GNU_RETAIN, dof_.data(), dof_.size(),
                ELF_T_BYTE);
        Elf_Scn* const relocations = section(elf, ".rela.SUNW_dof", SHT_RELA, SHF_INFO_LINK, relocations_.data(),
                                             relocations_.size() * sizeof(Elf64_Rela), ELF_T_RELA);
        Elf_Scn* const symbols =
            section(elf, ".symtab", SHT_SYMTAB, 0, symbols_.data(), symbols_.size() * sizeof(Elf64_Sym), ELF_T_SYM);
        section(elf, ".strtab", SHT_STRTAB, 0, strings_.data(), strings_.size(), ELF_T_BYTE);
        Elf_Scn* const names = section(elf, ".shstrtab", SHT_STRTAB, 0, nullptr, 0, ELF_T_BYTE);
        if (!section(elf, ".note.GNU-stack", SHT_PROGBITS, 0, nullptr, 0, ELF_T_BYTE))
            return false;
        link(relocations, kSymbols, kDof, sizeof(Elf64_Rela));
        link(symbols, kStrings, kFirstGlobal, sizeof(Elf64_Sym));
        Elf_Data* const data = elf_getdata(names, nullptr);
        data->d_buf = names_.data();
        data->d_size = names_.size();
        return true;
    }

    static constexpr uint32_t kFirstGlobal = 2;
    const machine::Machine& machine_;
    std::vector<uint8_t> dof_;
    std::vector<Elf64_Rela> relocations_;
    std::string strings_ = std::string("\0___SUNW_dof\0", 13), names_ = std::string(1, '\0');
    std::vector<Elf64_Sym> symbols_ = {{}, {1, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), STV_DEFAULT, kDof, 0, 0}};
    std::map<std::string, uint32_t> known_;
};

} // namespace

Result<std::vector<CallSite>> take_call_sites(const std::vector<std::string>& objects)
{
    std::vector<CallSite> sites;
    for (const std::string& object : objects) {
        auto taken = take_call_sites(object);
        if (!taken)
            return Error{object + ": " + taken.error().message, taken.error().code};
        if (!sites.empty() && !taken->empty() && taken->front().machine != sites.front().machine)
            return Error{object + ": an object file for another machine than those before it"};
        sites.insert(sites.end(), taken->begin(), taken->end());
    }
    return sites;
}

Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, LinkedForm form)
{
    LinkedObject object(sites.empty() ? machine::native() : *sites.front().machine);
    for (const DefinedProvider* provider : providers) {
        auto probes = described(*provider, sites);
        if (!probes)
            return probes.error();
        if (!probes->probes.empty())
            object.add(make_dof(*provider, probes->probes), probes->symbols);
    }
    if (object.dof().empty())
        return Error{"No probe sites found for declared provider"};
    return form == LinkedForm::Dof ? Result<std::vector<uint8_t>>(object.dof()) : object.write();
}

} // namespace dt::usdt
