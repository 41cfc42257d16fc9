// Writes the ELF file: code, maps, data, symbols, relocations and BTF as libbpf 1.x and the static linker expect them.
// Also links it with the functions of bpf-runtime that it calls.
//
// Programs are global functions in ELF sections whose names tell libbpf the attach type. Subprograms are in .text. They
// are static, so that the verifier follows calls into them, except those that it verifies separately. Each map, data
// object and function has its own symbol. A relocation refers to that symbol, and the instruction's immediate contains
// the offset from it. libelf writes to memory, without a temporary file.
#include "dcompiler/object/emit.hpp"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <set>

#include "base/descriptor.hpp"
#include "base/elf_image.hpp"
#include "dcompiler/ebpf/btf.hpp"
#include "dcompiler/ebpf/machine_code.hpp"
#include "dcompiler/ir/analysis.hpp"

namespace dt {
namespace {

bool is_global(const ir::Function& function)
{
    return !function.section.empty() || function.verified_separately;
}

constexpr char kLicense[] = "Dual BSD/GPL";
constexpr uint16_t kMachineBpf = 247;
constexpr uint32_t kRelocWide = 1; // relocation type R_BPF_64_64

struct Strings {
    std::string bytes = std::string(1, '\0');
    uint32_t add(const std::string& text)
    {
        const auto at = static_cast<uint32_t>(bytes.size());
        bytes.append(text).push_back('\0');
        return at;
    }
};

struct Section {
    std::string name;
    uint32_t type = SHT_PROGBITS;
    uint64_t flags = 0;
    uint64_t align = 1;
    std::vector<uint8_t> bytes;
    // Content of an ELF section that belongs to the module and may have megabytes. Used instead of `bytes`, to avoid a
    // copy.
    std::span<const uint8_t> others;
    uint64_t size = 0; // size of a section without content (type SHT_NOBITS)
    uint32_t link = 0, info = 0;
    uint64_t entry = 0;
};

class Emitter {
public:
    Emitter(const ir::Module& module, std::span<const RuntimeObject> runtime) : module_(module), index_(runtime) {}

    Result<std::vector<uint8_t>> run()
    {
        if (auto made = generate_all(); !made)
            return made.error();
        place_code();
        place_maps();
        place_data();
        auto btf = make_btf();
        if (!btf)
            return btf.error();
        add_contents();
        add_symbols();
        add_relocations();
        sections_.push_back(
            {.name = "license", .flags = SHF_ALLOC | SHF_WRITE, .bytes = {std::begin(kLicense), std::end(kLicense)}});
        sections_.push_back({.name = ".BTF", .align = 4, .bytes = std::move(btf->btf)});
        if (!code_.empty()) // BTF without content is omitted, because libbpf refuses it
            sections_.push_back({.name = ".BTF.ext", .align = 4, .bytes = std::move(btf->ext)});
        return write();
    }

    /// Returns the positions of instructions that report faults. Call it after run().
    std::vector<FaultPlace> fault_places() const
    {
        std::vector<FaultPlace> places;
        for (uint32_t i = 0; i < codes_.size(); ++i)
            for (const ebpf::PcUse& use : codes_[i].pcs) {
                const ir::Instr& instr = module_.functions[i].instrs[use.origin];
                places.push_back({i, static_cast<uint32_t>(instr.imm), use.insn, instr.at});
            }
        return places;
    }

private:
    Result<void> generate_all()
    {
        for (std::size_t i = 0; i < module_.functions.size(); ++i) {
            auto code = ebpf::generate(module_, i);
            if (!code)
                return code.error();
            codes_.push_back(std::move(code.value()));
        }
        return ebpf::check_stack(module_, codes_);
    }

    void place_code()
    {
        for (std::size_t i = 0; i < module_.functions.size(); ++i) {
            const ir::Function& function = module_.functions[i];
            const std::string name = function.section.empty() ? ".text" : function.section;
            auto section = std::find_if(code_.begin(), code_.end(), [&](const auto& s) { return s.name == name; });
            if (section == code_.end())
                section = code_.insert(code_.end(), ebpf::PlacedSection{.name = name});
            section->functions.push_back({&function, &codes_[i], section->size});
            section->size += static_cast<uint32_t>(codes_[i].insns.size() * sizeof(bpf_insn));
        }
    }

    void place_maps()
    {
        maps_.name = ".maps";
        for (uint32_t i = 0; i < module_.maps.size(); ++i) {
            const uint32_t size = ebpf::map_definition_size(module_.maps[i]);
            maps_.variables.push_back({i, maps_.size, size});
            maps_.size += size;
        }
    }

    void place_data()
    {
        for (uint32_t i = 0; i < module_.data.size(); ++i) {
            const ir::Data& data = module_.data[i];
            auto section =
                std::find_if(data_.begin(), data_.end(), [&](const auto& s) { return s.name == data.section; });
            if (section == data_.end())
                section = data_.insert(data_.end(), ebpf::PlacedData{.name = data.section});
            const uint32_t align = std::max(data.align, 1u);
            const uint32_t offset = (section->size + align - 1) / align * align;
            section->variables.push_back({i, offset, data.size});
            section->size = offset + data.size;
        }
    }

    Result<ebpf::BtfSections> make_btf()
    {
        ebpf::BtfInput input{
            .module = &module_, .code = code_, .data = data_, .maps = maps_.variables.empty() ? nullptr : &maps_};
        input.runtime = runtime_calls(module_);
        for (const std::string& name : input.runtime)
            if (const int object = index_.find(name); object >= 0)
                if (const struct btf* btf = index_.btf(static_cast<std::size_t>(object))) {
                    const int id = btf__find_by_name_kind(btf, name.c_str(), BTF_KIND_FUNC);
                    if (id > 0)
                        input.prototypes[name] = {btf, static_cast<uint32_t>(id)};
                }
        return ebpf::make_btf(input);
    }

    // ---- sections of the ELF file ---------------------------------------------------------------------------------

    uint32_t number(std::size_t index) const
    {
        return static_cast<uint32_t>(index + 1);
    } // section 0 is the null section

    void add_contents()
    {
        for (const ebpf::PlacedSection& placed : code_) {
            Section section{.name = placed.name, .flags = SHF_ALLOC | SHF_EXECINSTR, .align = 8};
            for (const ebpf::PlacedCode& function : placed.functions) {
                const auto* from = reinterpret_cast<const uint8_t*>(function.code->insns.data());
                section.bytes.insert(section.bytes.end(), from, from + function.code->insns.size() * sizeof(bpf_insn));
            }
            section_of_[placed.name] = number(sections_.size());
            sections_.push_back(std::move(section));
        }
        if (maps_.size != 0) {
            section_of_[maps_.name] = number(sections_.size());
            sections_.push_back({.name = maps_.name,
                                 .flags = SHF_ALLOC | SHF_WRITE,
                                 .align = 8,
                                 .bytes = std::vector<uint8_t>(maps_.size)});
        }
        for (const ebpf::PlacedData& placed : data_)
            add_data(placed);
    }

    void add_data(const ebpf::PlacedData& placed)
    {
        const bool zero = placed.name.starts_with(".bss");
        const bool constant = placed.name.starts_with(".rodata");
        Section section{.name = placed.name,
                        .type = zero ? uint32_t{SHT_NOBITS} : uint32_t{SHT_PROGBITS},
                        .flags = static_cast<uint64_t>(constant ? SHF_ALLOC : SHF_ALLOC | SHF_WRITE),
                        .align = 8,
                        .size = placed.size};
        const auto& first = module_.data[placed.variables.front().index].bytes;
        if (!zero && placed.variables.size() == 1 && first.size() == placed.size) {
            section.others = first;
        } else if (!zero) {
            section.bytes.resize(placed.size);
            for (const ebpf::PlacedVariable& variable : placed.variables) {
                const auto& bytes = module_.data[variable.index].bytes;
                std::copy_n(bytes.begin(), std::min<std::size_t>(bytes.size(), variable.size),
                            section.bytes.begin() + static_cast<std::ptrdiff_t>(variable.offset));
            }
        }
        section_of_[placed.name] = number(sections_.size());
        sections_.push_back(std::move(section));
    }

    // ---- symbols and relocations of the ELF file ------------------------------------------------------------------

    uint32_t symbol(const std::string& name, uint8_t bind, uint8_t type, uint32_t section, uint64_t value,
                    uint64_t size)
    {
        Elf64_Sym entry{};
        entry.st_name = names_.add(name);
        entry.st_info = static_cast<uint8_t>(ELF64_ST_INFO(bind, type));
        entry.st_shndx = static_cast<uint16_t>(section);
        entry.st_value = value;
        entry.st_size = size;
        symbols_.push_back(entry);
        return static_cast<uint32_t>(symbols_.size() - 1);
    }

    // Adds all symbols in the order that ELF requires: local symbols precede global ones.
    void add_symbols()
    {
        symbols_.push_back({});
        function_symbols_.resize(module_.functions.size());
        data_symbols_.resize(module_.data.size());
        add_symbols(false);
        first_global_ = static_cast<uint32_t>(symbols_.size());
        add_symbols(true);
        map_symbols_.resize(module_.maps.size());
        for (const ebpf::PlacedVariable& map : maps_.variables)
            map_symbols_[map.index] = symbol(module_.maps[map.index].name, STB_GLOBAL, STT_OBJECT,
                                             section_of_[maps_.name], map.offset, map.size);
        for (const std::string& name : runtime_calls(module_))
            runtime_symbols_[name] = symbol(name, STB_GLOBAL, STT_NOTYPE, SHN_UNDEF, 0, 0);
    }

    // Adds the symbols of functions and data: only the global ones if `global` is true, else only the local ones.
    void add_symbols(bool global)
    {
        const uint8_t bind = global ? STB_GLOBAL : STB_LOCAL;
        for (const ebpf::PlacedSection& section : code_)
            for (const ebpf::PlacedCode& placed : section.functions)
                if (global == is_global(*placed.function))
                    function_symbols_[static_cast<std::size_t>(placed.function - module_.functions.data())] =
                        symbol(placed.function->name, bind, STT_FUNC, section_of_[section.name], placed.offset,
                               placed.code->insns.size() * sizeof(bpf_insn));
        for (const ebpf::PlacedData& section : data_)
            for (const ebpf::PlacedVariable& data : section.variables)
                if (global == section.is_global(data))
                    data_symbols_[data.index] = symbol(module_.data[data.index].name, bind, STT_OBJECT,
                                                       section_of_[section.name], data.offset, data.size);
    }

    uint32_t target(const ebpf::Relocation& relocation)
    {
        switch (relocation.kind) {
        case ebpf::Relocation::Kind::Map:
            return map_symbols_[relocation.index];
        case ebpf::Relocation::Kind::Data:
            return data_symbols_[relocation.index];
        case ebpf::Relocation::Kind::Local:
            return function_symbols_[relocation.index];
        default:
            return runtime_symbols_[relocation.name];
        }
    }

    void add_relocations()
    {
        const uint32_t symtab = number(sections_.size() + relocated_sections());
        for (const ebpf::PlacedSection& placed : code_) {
            std::vector<Elf64_Rel> entries;
            for (const ebpf::PlacedCode& function : placed.functions)
                for (const ebpf::Relocation& relocation : function.code->relocations) {
                    const bool call = relocation.kind >= ebpf::Relocation::Kind::Local;
                    entries.push_back({function.offset + relocation.insn * sizeof(bpf_insn),
                                       ELF64_R_INFO(uint64_t{target(relocation)}, call ? kRelocCall : kRelocWide)});
                }
            if (entries.empty())
                continue;
            const auto* from = reinterpret_cast<const uint8_t*>(entries.data());
            sections_.push_back({.name = ".rel" + placed.name,
                                 .type = SHT_REL,
                                 .flags = SHF_INFO_LINK,
                                 .align = 8,
                                 .bytes = {from, from + entries.size() * sizeof(Elf64_Rel)},
                                 .link = symtab,
                                 .info = section_of_[placed.name],
                                 .entry = sizeof(Elf64_Rel)});
        }
        const auto* from = reinterpret_cast<const uint8_t*>(symbols_.data());
        sections_.push_back({.name = ".symtab",
                             .type = SHT_SYMTAB,
                             .align = 8,
                             .bytes = {from, from + symbols_.size() * sizeof(Elf64_Sym)},
                             .link = symtab + 1,
                             .info = first_global_,
                             .entry = sizeof(Elf64_Sym)});
        strtab_ = sections_.size();
        sections_.push_back({.name = ".strtab", .type = SHT_STRTAB});
    }

    std::size_t relocated_sections() const
    {
        return static_cast<std::size_t>(
            std::count_if(code_.begin(), code_.end(), [](const ebpf::PlacedSection& section) {
                return std::any_of(section.functions.begin(), section.functions.end(),
                                   [](const ebpf::PlacedCode& placed) { return !placed.code->relocations.empty(); });
            }));
    }

    // ---- writing the ELF file -------------------------------------------------------------------------------------

    Result<std::vector<uint8_t>> write()
    {
        auto file = MemoryFile::make("dtrace-object");
        if (!file)
            return file.error();
        elf_version(EV_CURRENT);
        const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_begin(file->fd(), ELF_C_WRITE, nullptr), elf_end);
        Elf64_Ehdr* header = elf ? elf64_newehdr(elf.get()) : nullptr;
        if (!header)
            return Error{std::string("cannot write an object file: ") + elf_errmsg(-1)};
        header->e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
        header->e_type = ET_REL;
        header->e_machine = kMachineBpf;
        header->e_shstrndx = static_cast<uint16_t>(number(strtab_));
        std::vector<uint32_t> section_names;
        for (const Section& section : sections_)
            section_names.push_back(names_.add(section.name));
        sections_[strtab_].bytes.assign(names_.bytes.begin(), names_.bytes.end());
        for (std::size_t i = 0; i < sections_.size(); ++i)
            if (!write_section(elf.get(), sections_[i], section_names[i]))
                return Error{std::string("cannot write an object file: ") + elf_errmsg(-1)};
        if (elf_update(elf.get(), ELF_C_WRITE) < 0)
            return Error{std::string("cannot write an object file: ") + elf_errmsg(-1)};
        return file->read();
    }

    static bool write_section(Elf* elf, Section& section, uint32_t name)
    {
        Elf_Scn* scn = elf_newscn(elf);
        Elf_Data* data = scn ? elf_newdata(scn) : nullptr;
        Elf64_Shdr* header = data ? elf64_getshdr(scn) : nullptr;
        if (!header)
            return false;
        const bool zero = section.type == SHT_NOBITS;
        data->d_type = ELF_T_BYTE; // all data have the host's byte order already, so libelf must not convert them
        const std::span<const uint8_t> bytes = section.others.empty() ? section.bytes : section.others;
        // const_cast is safe, because libelf only reads the buffer
        data->d_buf = zero ? nullptr : const_cast<uint8_t*>(bytes.data());
        data->d_size = zero ? section.size : bytes.size();
        data->d_align = section.align;
        data->d_version = EV_CURRENT;
        header->sh_name = name;
        header->sh_type = section.type;
        header->sh_flags = section.flags;
        header->sh_addralign = section.align;
        header->sh_link = section.link;
        header->sh_info = section.info;
        header->sh_entsize = section.entry;
        return true;
    }

    const ir::Module& module_;
    RuntimeIndex index_;
    std::vector<ebpf::Code> codes_;
    std::vector<ebpf::PlacedSection> code_;
    std::vector<ebpf::PlacedData> data_;
    ebpf::PlacedData maps_;
    std::vector<Section> sections_;
    std::map<std::string, uint32_t> section_of_, runtime_symbols_;
    std::vector<Elf64_Sym> symbols_;
    std::vector<uint32_t> function_symbols_, map_symbols_, data_symbols_;
    uint32_t first_global_ = 0;
    std::size_t strtab_ = 0;
    Strings names_;
};

} // namespace

Result<std::vector<uint8_t>> emit_elf(const ir::Module& module, std::span<const RuntimeObject> runtime,
                                      std::vector<FaultPlace>* faults)
{
    Emitter emitter(module, runtime);
    auto elf = emitter.run();
    if (elf && faults)
        *faults = emitter.fault_places();
    return elf;
}

std::vector<std::string> runtime_calls(const ir::Module& module)
{
    std::vector<std::string> names;
    for (const ir::Function& function : module.functions)
        for (const ir::BlockId block : ir::reverse_post_order(function))
            for (const ir::Value value : function.blocks[block].instrs) {
                const ir::Instr& instr = function.instrs[value];
                if (instr.op == ir::Op::CallRuntime && std::find(names.begin(), names.end(), instr.name) == names.end())
                    names.push_back(instr.name);
            }
    return names;
}

// Links the compiled object with objects of bpf-runtime, by libbpf's static linker.
//
// The linker of libbpf 1.1 accepts only file names, so objects are passed as memory files (memfd). Objects of
// bpf-runtime are selected by the undefined symbols, so that a script contains only the functions that it uses.

namespace {

Result<std::vector<std::size_t>> needed_objects(const std::vector<std::string>& calls,
                                                std::span<const RuntimeObject> runtime)
{
    RuntimeIndex index(runtime);
    std::deque<std::string> wanted(calls.begin(), calls.end());
    std::set<std::string> asked(calls.begin(), calls.end());
    std::vector<std::size_t> objects;
    std::set<std::size_t> taken;
    while (!wanted.empty()) {
        const std::string name = std::move(wanted.front());
        wanted.pop_front();
        const int found = index.find(name);
        if (found < 0)
            return Error{"the BPF runtime has no function " + name};
        const auto object = static_cast<std::size_t>(found);
        if (!taken.insert(object).second)
            continue;
        objects.push_back(object);
        for (const std::string& undefined : index.symbols(object).undefined)
            // Skips undefined symbols that are names of maps or data in the compiled object.
            if (index.find(undefined) >= 0 && asked.insert(undefined).second)
                wanted.push_back(undefined);
    }
    return objects;
}

Error linking(const std::string& what, int code)
{
    return {"cannot link with the runtime: " + what + ": " + std::strerror(code), code};
}

} // namespace

Result<std::vector<uint8_t>> link(std::span<const uint8_t> object, const std::vector<std::string>& calls,
                                  std::span<const RuntimeObject> runtime)
{
    if (calls.empty())
        return std::vector<uint8_t>(object.begin(), object.end());
    const auto objects = needed_objects(calls, runtime);
    if (!objects)
        return objects.error();
    auto output = MemoryFile::make("dtrace-linked");
    if (!output)
        return output.error();
    const std::unique_ptr<bpf_linker, decltype(&bpf_linker__free)> linker(
        bpf_linker__new(output->path().c_str(), nullptr), bpf_linker__free);
    if (!linker)
        return linking("start", errno);
    const auto add = [&](std::span<const uint8_t> bytes, const std::string& name) -> Result<void> {
        auto file = MemoryFile::make("dtrace-part");
        if (!file)
            return file.error();
        if (auto written = file->write(bytes); !written)
            return written;
        if (const int error = bpf_linker__add_file(linker.get(), file->path().c_str(), nullptr))
            return linking(name, -error);
        return {};
    };
    if (auto added = add(object, "program"); !added)
        return added.error();
    for (const std::size_t i : objects.value())
        if (auto added = add(runtime[i].elf, std::string(runtime[i].name)); !added)
            return added.error();
    if (const int error = bpf_linker__finalize(linker.get()))
        return linking("finish", -error);
    return output->read();
}

// Index by which bpf-runtime functions are found. So only called functions and their callees are linked.

namespace {

template <typename Fn> void each_section(Elf* elf, Fn&& fn)
{
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section))
        if (const Elf64_Shdr* header = elf64_getshdr(section))
            fn(section, *header);
}

} // namespace

Result<ObjectSymbols> read_symbols(std::span<const uint8_t> image)
{
    const ElfHandle elf = open_image(image);
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF || !elf64_getehdr(elf.get()))
        return Error{std::string("not an object file: ") + elf_errmsg(-1)};
    ObjectSymbols result;
    each_section(elf.get(), [&](Elf_Scn* section, const Elf64_Shdr& header) {
        if (header.sh_type != SHT_SYMTAB)
            return;
        const Elf_Data* data = elf_getdata(section, nullptr);
        for (std::size_t i = 1; data && i < data->d_size / sizeof(Elf64_Sym); ++i) {
            const Elf64_Sym& symbol = static_cast<const Elf64_Sym*>(data->d_buf)[i];
            const char* name = elf_strptr(elf.get(), header.sh_link, symbol.st_name);
            if (!name || !*name || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
                continue;
            if (symbol.st_shndx == SHN_UNDEF)
                result.undefined.emplace_back(name);
            else if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
                result.defined.emplace_back(name);
        }
    });
    return result;
}

struct RuntimeIndex::Entry {
    ObjectSymbols symbols;
    std::unique_ptr<struct btf, decltype(&btf__free)> btf{nullptr, btf__free};
    bool btf_read = false;
};

RuntimeIndex::RuntimeIndex(std::span<const RuntimeObject> objects) : objects_(objects), entries_(objects.size()) {}
RuntimeIndex::~RuntimeIndex() = default;

const ObjectSymbols& RuntimeIndex::symbols(std::size_t object)
{
    auto& entry = entries_[object];
    if (!entry) {
        entry = std::make_unique<Entry>();
        if (auto read = read_symbols(objects_[object].elf))
            entry->symbols = std::move(read.value());
    }
    return entry->symbols;
}

// Finds the object of bpf-runtime that defines a symbol. A file usually has the name of the function that it defines,
// with or without "dt_".
int RuntimeIndex::find(std::string_view symbol)
{
    const auto defines = [&](std::size_t object) {
        const auto& names = symbols(object).defined;
        return std::find(names.begin(), names.end(), symbol) != names.end();
    };
    const std::string_view bare = symbol.starts_with("dt_") ? symbol.substr(3) : symbol;
    for (std::size_t i = 0; i < objects_.size(); ++i)
        if ((objects_[i].name == symbol || objects_[i].name == bare) && defines(i))
            return static_cast<int>(i);
    for (std::size_t i = 0; i < objects_.size(); ++i)
        if (defines(i))
            return static_cast<int>(i);
    return -1;
}

const struct btf* RuntimeIndex::btf(std::size_t object)
{
    symbols(object);
    Entry& entry = *entries_[object];
    if (entry.btf_read)
        return entry.btf.get();
    entry.btf_read = true;
    const ElfHandle elf = open_image(objects_[object].elf);
    std::size_t names = 0;
    if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0)
        return nullptr;
    each_section(elf.get(), [&](Elf_Scn* section, const Elf64_Shdr& header) {
        const char* name = elf_strptr(elf.get(), names, header.sh_name);
        const Elf_Data* data = name && std::strcmp(name, ".BTF") == 0 ? elf_getdata(section, nullptr) : nullptr;
        if (data)
            entry.btf.reset(btf__new(data->d_buf, static_cast<uint32_t>(data->d_size)));
    });
    return entry.btf.get();
}

} // namespace dt
