// Finds runtime functions, so that only called functions and their callees are linked.
#include "dcompiler/object/runtime_index.hpp"

#include <bpf/btf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>

#include "base/elf_image.hpp"

namespace dt {
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

// Finds the object that defines a symbol. A file usually has the name of its function, with or without "dt_".
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
