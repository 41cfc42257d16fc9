// Converts an ELF file to an Image: sections to one code vector and data, symbols to functions, BTF to map definitions,
// relocations to the references of image.hpp. libbpf does the same before it loads programs into the kernel.
#include "engine/program/image.hpp"

#include <bpf/btf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace dt::vm {

namespace {

constexpr uint32_t kRelocation64_64 = 1;  // relocation type R_BPF_64_64, of the instruction ld_imm64
constexpr uint32_t kRelocation64_32 = 10; // relocation type R_BPF_64_32, of the instruction call
constexpr uint64_t kMaxData = 1 << 28;    // maximum size in bytes of all data sections together

struct ElfClose {
    void operator()(Elf* elf) const { elf_end(elf); }
};
struct BtfFree {
    void operator()(btf* btf) const { btf__free(btf); }
};

bool starts_with(std::string_view text, std::string_view prefix)
{
    return text.substr(0, prefix.size()) == prefix;
}

class Parser {
public:
    explicit Parser(std::span<const uint8_t> bytes) : bytes_(bytes) {}

    Result<Image> run()
    {
        elf_version(EV_CURRENT);
        // libelf takes a writable pointer but only reads here.
        elf_.reset(elf_memory(reinterpret_cast<char*>(const_cast<uint8_t*>(bytes_.data())), bytes_.size()));
        if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || elf_getshdrstrndx(elf_.get(), &names_) != 0)
            return Error{"not an ELF file"};
        if (!read_sections() || !read_functions() || !read_maps() || !relocate())
            return Error{error_};
        return std::move(image_);
    }

private:
    struct SymbolTarget {
        enum class Kind : uint8_t { None, Code, Data, Maps } kind = Kind::None;
        uint32_t index = 0; ///< for Code: index of the first instruction; for Data: index of the section in the image
    };

    bool fail(std::string message)
    {
        error_ = std::move(message);
        return false;
    }

    bool read_sections()
    {
        Elf_Scn* scn = nullptr;
        while ((scn = elf_nextscn(elf_.get(), scn))) {
            GElf_Shdr header;
            if (!gelf_getshdr(scn, &header))
                return fail("unreadable section header");
            const char* const text = elf_strptr(elf_.get(), names_, header.sh_name);
            if (!text)
                return fail("unreadable section name");
            const std::string name = text;
            places_.resize(elf_ndxscn(scn) + 1);
            section_names_.resize(places_.size());
            section_names_.back() = name;
            Elf_Data* data = elf_getdata(scn, nullptr);
            if (header.sh_type == SHT_SYMTAB)
                symbols_ = data;
            else if (name == ".maps")
                places_.back() = {SymbolTarget::Kind::Maps, 0};
            else if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0)
                add_code(data);
            else if (name == ".BTF" && data && data->d_size)
                btf_.reset(btf__new(data->d_buf, static_cast<uint32_t>(data->d_size)));
            else if ((starts_with(name, ".data") || starts_with(name, ".rodata") || starts_with(name, ".bss")) &&
                     !add_data(name, header, data))
                return false;
            if (header.sh_type == SHT_SYMTAB)
                strings_ = header.sh_link;
        }
        return symbols_ || fail("no symbol table");
    }

    void add_code(const Elf_Data* data)
    {
        places_.back() = {SymbolTarget::Kind::Code, static_cast<uint32_t>(image_.code.size())};
        if (!data || !data->d_size)
            return;
        const std::size_t count = data->d_size / sizeof(bpf_insn);
        image_.code.resize(image_.code.size() + count);
        std::memcpy(image_.code.data() + places_.back().index, data->d_buf, count * sizeof(bpf_insn));
    }

    /// Adds a data section. The size of a zeroed section is only a number in the section header, which may be wrong. So
    /// the total size of data is limited.
    bool add_data(const std::string& name, const GElf_Shdr& header, const Elf_Data* data)
    {
        if (header.sh_size > kMaxData - data_size_)
            return fail("section " + name + " is too large");
        data_size_ += header.sh_size;
        places_.back() = {SymbolTarget::Kind::Data, static_cast<uint32_t>(image_.sections.size())};
        Section section{name, std::vector<uint8_t>(header.sh_size), !starts_with(name, ".rodata")};
        if (header.sh_type != SHT_NOBITS && data && data->d_buf)
            std::memcpy(section.bytes.data(), data->d_buf, std::min<std::size_t>(data->d_size, section.bytes.size()));
        image_.sections.push_back(std::move(section));
        return true;
    }

    std::string symbol_name(const GElf_Sym& symbol) const
    {
        const char* name = elf_strptr(elf_.get(), strings_, symbol.st_name);
        return name ? name : "";
    }

    const SymbolTarget* place(const GElf_Sym& symbol) const
    {
        return symbol.st_shndx < places_.size() ? &places_[symbol.st_shndx] : nullptr;
    }

    template <typename Visit> void for_each_symbol(Visit visit) const
    {
        GElf_Sym symbol;
        for (int i = 0; gelf_getsym(symbols_, i, &symbol); ++i)
            visit(symbol);
    }

    bool read_functions()
    {
        for_each_symbol([&](const GElf_Sym& symbol) {
            const SymbolTarget* where = place(symbol);
            if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !where || where->kind != SymbolTarget::Kind::Code)
                return;
            Function f;
            f.name = symbol_name(symbol);
            f.section = section_names_[symbol.st_shndx];
            f.first = where->index + static_cast<uint32_t>(symbol.st_value / sizeof(bpf_insn));
            f.count = static_cast<uint32_t>(symbol.st_size / sizeof(bpf_insn));
            if (uint64_t{f.first} + f.count <= image_.code.size() && f.count > 0)
                image_.functions.push_back(std::move(f));
        });
        return true;
    }

    // ---- maps

    const btf_type* plain(uint32_t id) const
    {
        const btf_type* type = btf__type_by_id(btf_.get(), id);
        // maximum length of a chain of typedefs and qualifiers; a damaged file may contain a cycle
        constexpr int kMaxNames = 64;
        for (int i = 0; type && (btf_is_mod(type) || btf_is_typedef(type)); ++i)
            type = i < kMaxNames ? btf__type_by_id(btf_.get(), type->type) : nullptr;
        return type;
    }

    /// Returns a number of a map definition, such as max_entries. BTF encodes it as the length of an array to which the
    /// member points.
    std::optional<uint32_t> number(const btf_type* member) const
    {
        if (!member || !btf_is_ptr(member))
            return std::nullopt;
        const btf_type* array = plain(member->type);
        return array && btf_is_array(array) ? std::optional<uint32_t>(btf_array(array)->nelems) : std::nullopt;
    }

    bool read_map(const GElf_Sym& symbol)
    {
        MapSpec spec;
        spec.name = symbol_name(symbol);
        spec.key_size = spec.value_size = 0;
        const int32_t id = btf_ ? btf__find_by_name_kind(btf_.get(), spec.name.c_str(), BTF_KIND_VAR) : -1;
        if (id < 0)
            return fail("map " + spec.name + " has no BTF definition");
        const btf_type* const variable = btf__type_by_id(btf_.get(), static_cast<uint32_t>(id));
        const btf_type* definition = variable ? plain(variable->type) : nullptr;
        if (!definition || !btf_is_struct(definition))
            return fail("map " + spec.name + " is not defined by a struct");
        const btf_member* member = btf_members(definition);
        for (uint32_t i = 0; i < btf_vlen(definition); ++i, ++member) {
            const char* const text = btf__name_by_offset(btf_.get(), member->name_off);
            const btf_type* type = plain(member->type);
            if (!text || !type)
                return fail("map " + spec.name + " has a damaged definition");
            const std::string_view name = text;
            struct {
                std::string_view name;
                uint32_t* to;
            } const numbers[] = {
                {"type", &spec.type},
                {"key_size", &spec.key_size},
                {"value_size", &spec.value_size},
                {"max_entries", &spec.max_entries},
                {"map_flags", &spec.flags},
            };
            for (const auto& entry : numbers)
                if (name == entry.name) {
                    const auto value = number(type);
                    if (!value)
                        return fail("map " + spec.name + ": " + std::string(name) + " is not a number");
                    *entry.to = *value;
                }
            if ((name == "key" || name == "value") && btf_is_ptr(type))
                (name == "key" ? spec.key_size : spec.value_size) =
                    static_cast<uint32_t>(btf__resolve_size(btf_.get(), type->type));
        }
        map_offsets_.push_back(symbol.st_value);
        image_.maps.push_back(std::move(spec));
        return true;
    }

    bool read_maps()
    {
        bool good = true;
        for_each_symbol([&](const GElf_Sym& symbol) {
            const SymbolTarget* where = place(symbol);
            if (good && where && where->kind == SymbolTarget::Kind::Maps && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT)
                good = read_map(symbol);
        });
        return good;
    }

    // ---- relocations

    bool relocate()
    {
        Elf_Scn* scn = nullptr;
        while ((scn = elf_nextscn(elf_.get(), scn))) {
            GElf_Shdr header;
            if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_REL || header.sh_info >= places_.size())
                continue;
            const SymbolTarget& target = places_[header.sh_info];
            Elf_Data* data = elf_getdata(scn, nullptr);
            if (target.kind != SymbolTarget::Kind::Code || !data)
                continue;
            GElf_Rel relocation;
            for (int i = 0; gelf_getrel(data, i, &relocation); ++i)
                if (!relocate_one(target, relocation))
                    return false;
        }
        return true;
    }

    bool relocate_one(const SymbolTarget& section, const GElf_Rel& relocation)
    {
        const uint64_t at = section.index + relocation.r_offset / sizeof(bpf_insn);
        GElf_Sym symbol;
        if (!gelf_getsym(symbols_, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol) ||
            at >= image_.code.size())
            return fail("bad relocation");
        const SymbolTarget* where = place(symbol);
        if (!where || where->kind == SymbolTarget::Kind::None)
            return fail("undefined symbol " + symbol_name(symbol));
        bpf_insn& insn = image_.code[at];
        switch (GELF_R_TYPE(relocation.r_info)) {
        case kRelocation64_64:
            return at + 1 < image_.code.size() ? load_address(insn, image_.code[at + 1], *where, symbol)
                                               : fail("bad relocation");
        case kRelocation64_32: {
            if (where->kind != SymbolTarget::Kind::Code)
                return fail("call of " + symbol_name(symbol) + ", which is not code");
            // The call's immediate plus 1 is the distance in instructions from the symbol to the callee.
            const int64_t callee =
                where->index + static_cast<int64_t>(symbol.st_value / sizeof(bpf_insn)) + insn.imm + 1;
            insn.imm = static_cast<int32_t>(callee - static_cast<int64_t>(at) - 1);
            insn.src_reg = BPF_PSEUDO_CALL;
            return true;
        }
        default:
            return fail("unknown relocation type " + std::to_string(GELF_R_TYPE(relocation.r_info)));
        }
    }

    bool load_address(bpf_insn& low, bpf_insn& high, const SymbolTarget& where, const GElf_Sym& symbol)
    {
        const int64_t offset = static_cast<int64_t>(symbol.st_value) + low.imm;
        switch (where.kind) {
        case SymbolTarget::Kind::Data:
            low.src_reg = BPF_PSEUDO_MAP_VALUE;
            low.imm = static_cast<int32_t>(where.index);
            high.imm = static_cast<int32_t>(offset);
            return true;
        case SymbolTarget::Kind::Code:
            low.src_reg = BPF_PSEUDO_FUNC;
            low.imm = static_cast<int32_t>(where.index + offset / static_cast<int64_t>(sizeof(bpf_insn)));
            return true;
        default:
            for (std::size_t i = 0; i < map_offsets_.size(); ++i)
                if (map_offsets_[i] == static_cast<uint64_t>(offset)) {
                    low.src_reg = BPF_PSEUDO_MAP_FD;
                    low.imm = static_cast<int32_t>(i);
                    return true;
                }
            return fail("a reference to .maps does not point to a map");
        }
    }

    std::span<const uint8_t> bytes_;
    std::unique_ptr<Elf, ElfClose> elf_;
    std::unique_ptr<btf, BtfFree> btf_;
    std::size_t names_ = 0, strings_ = 0;
    Elf_Data* symbols_ = nullptr;
    std::vector<SymbolTarget> places_; ///< position of each ELF section's content in the image
    std::vector<std::string> section_names_;
    std::vector<uint64_t> map_offsets_; ///< offset of each map's definition in .maps, by map index
    Image image_;
    std::string error_;
    uint64_t data_size_ = 0; ///< size in bytes of all data sections that were added so far
};

} // namespace

MapSpec* Image::map(std::string_view name)
{
    for (MapSpec& spec : maps)
        if (spec.name == name)
            return &spec;
    return nullptr;
}

Section* Image::section(std::string_view name)
{
    for (Section& section : sections)
        if (section.name == name)
            return &section;
    return nullptr;
}

const Function* Image::function(std::string_view name) const
{
    for (const Function& f : functions)
        if (f.name == name)
            return &f;
    return nullptr;
}

Result<Image> parse(std::span<const uint8_t> elf)
{
    return Parser(elf).run();
}

} // namespace dt::vm
