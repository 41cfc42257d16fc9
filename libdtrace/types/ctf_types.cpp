// Converts CTF types to type nodes (class Type), using libctf. CTF data of traced programs are validated before libctf
// reads them.
//
// An archive of a kernel has one container per module. An archive of a program has one container per source file whose
// types conflict with those of other files. A parent container contains the types that all containers share. Containers
// are opened, and type nodes and struct members are created, only when they are needed.
#include "libdtrace/types/ctf_types.hpp"

#include <ctf-api.h>
#include <ctf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "libdtrace/elf/elf_file.hpp"

namespace dt {
namespace {

constexpr const char* kNoData = "Module does not contain any CTF data";

/// Number that identifies the parent container in the position of a type (TypePosition::part). It is a constant,
/// because libctf opens the parent again for each child, so that the parent has no index of its own.
constexpr uint64_t kOfParent = UINT32_MAX;

/// Content of an ELF section. The symbol table is one of the sections, because libctf needs it to find the types of
/// variables.
struct SectionBytes {
    std::string bytes;
    std::size_t entry_size = 0;

    ctf_sect_t view(const char* name) const { return {name, bytes.data(), bytes.size(), entry_size}; }
};

struct Sections {
    SectionBytes ctf, symbols, strings;
    bool is_32bit = false;
};

SectionBytes section_bytes(Elf_Scn* section, const GElf_Shdr& header)
{
    const Elf_Data* data = elf_rawdata(section, nullptr);
    const auto* bytes = data ? static_cast<const char*>(data->d_buf) : nullptr;
    return {bytes ? std::string(bytes, data->d_size) : std::string(), header.sh_entsize};
}

Sections read_elf(Elf* elf)
{
    Sections found;
    found.is_32bit = gelf_getclass(elf) == ELFCLASS32;
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return found;
    // The dynamic symbol table is preferred, because the .ctf section refers to it if it exists.
    uint32_t best = 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        const char* name = elf_strptr(elf, names, header.sh_name);
        if (name && std::strcmp(name, ".ctf") == 0)
            found.ctf = section_bytes(section, header);
        GElf_Shdr strings;
        const bool is_table = header.sh_type == SHT_DYNSYM || (header.sh_type == SHT_SYMTAB && best != SHT_DYNSYM);
        Elf_Scn* linked = is_table ? elf_getscn(elf, header.sh_link) : nullptr;
        if (linked && gelf_getshdr(linked, &strings)) {
            best = header.sh_type;
            found.symbols = section_bytes(section, header);
            found.strings = section_bytes(linked, strings);
        }
    }
    return found;
}

Result<std::string> read_whole(const std::string& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return Error{std::strerror(errno), errno};
    struct stat status {};
    std::string bytes;
    int error = fstat(fd, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (error == 0) {
        bytes.resize(static_cast<std::size_t>(status.st_size));
        std::size_t have = 0;
        for (ssize_t got = 1; got > 0 && have < bytes.size();) {
            got = ::read(fd, bytes.data() + have, bytes.size() - have);
            error = got < 0 ? errno : 0;
            have += got > 0 ? static_cast<std::size_t>(got) : 0;
        }
        bytes.resize(have);
    }
    close(fd);
    return error == 0 ? Result<std::string>(std::move(bytes)) : Error{std::strerror(error), error};
}

TypeKind record_kind(uint32_t kind)
{
    return kind == CTF_K_UNION ? TypeKind::Union : kind == CTF_K_ENUM ? TypeKind::Enum : TypeKind::Struct;
}

/// Creates the type nodes of one table, each only once.
class Importer final : public TypeSource::Imports {
public:
    Importer(TypeTable& table, AddressSpace space) : table_(table), space_(space) {}

    const Type* import(ctf_dict_t* dict, ctf_id_t id)
    {
        if (id == 0 || id == CTF_ERR)
            return table_.void_type();
        if (ctf_dict_t* parent = ctf_parent_dict(dict); parent && ctf_type_isparent(dict, id))
            dict = parent;
        if (const auto known = nodes_.find({dict, id}); known != nodes_.end())
            return known->second;
        const Type* node = make(dict, id);
        nodes_[{dict, id}] = node;
        entries_.try_emplace(node, Entry{dict, id});
        return node;
    }

    using Entry = std::pair<ctf_dict_t*, ctf_id_t>;
    /// Returns the CTF type from which a node was created.
    std::optional<Entry> entry_of(const Type* type) const
    {
        const auto known = entries_.find(type);
        return known == entries_.end() ? std::nullopt : std::optional(known->second);
    }

private:
    const Type* make(ctf_dict_t* dict, ctf_id_t id)
    {
        const int kind = ctf_type_kind(dict, id);
        ctf_encoding_t encoding;
        // A slice is CTF's bit-field: a bit range of a number or enum. It has the kind of the number or enum, but
        // unlike these it refers to another type.
        const bool number = kind == CTF_K_INTEGER || kind == CTF_K_FLOAT;
        if ((number || kind == CTF_K_ENUM) && ctf_type_reference(dict, id) != CTF_ERR)
            return import(dict, ctf_type_reference(dict, id));
        switch (kind) {
        case CTF_K_INTEGER:
        case CTF_K_FLOAT:
            return ctf_type_encoding(dict, id, &encoding) == 0 ? make_number(dict, id, encoding) : table_.void_type();
        case CTF_K_POINTER:
            return make_pointer(dict, id);
        case CTF_K_ARRAY: {
            ctf_arinfo_t array;
            return ctf_array_info(dict, id, &array) == 0
                       ? table_.array_of(import(dict, array.ctr_contents), array.ctr_nelems)
                       : table_.void_type();
        }
        case CTF_K_STRUCT:
        case CTF_K_UNION:
            return make_record(dict, id, record_kind(static_cast<uint32_t>(kind)));
        case CTF_K_ENUM:
            return make_enum(dict, id);
        case CTF_K_FORWARD: {
            Type* node =
                table_.make(record_kind(static_cast<uint32_t>(ctf_type_kind_forwarded(dict, id))), name(dict, id));
            node->incomplete = true;
            return node;
        }
        case CTF_K_TYPEDEF:
            if (ctf_type_encoding(dict, id, &encoding) == 0)
                return import(dict, ctf_type_reference(dict, id));
            return make_typedef(dict, id);
        case CTF_K_FUNCTION:
            return make_function(dict, id);
        case CTF_K_VOLATILE:
        case CTF_K_CONST:
        case CTF_K_RESTRICT:
            return import(dict, ctf_type_reference(dict, id));
        default:
            return table_.void_type();
        }
    }

    static std::string name(ctf_dict_t* dict, ctf_id_t id)
    {
        const char* text = ctf_type_name_raw(dict, id);
        return text ? text : "";
    }

    static uint64_t size(ctf_dict_t* dict, ctf_id_t id)
    {
        const ssize_t bytes = ctf_type_size(dict, id);
        return bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
    }

    const Type* make_number(ctf_dict_t* dict, ctf_id_t id, const ctf_encoding_t& encoding)
    {
        const std::string spelled = name(dict, id);
        const std::string_view spelling = d_spelling(spelled);
        const bool is_float = ctf_type_kind(dict, id) == CTF_K_FLOAT;
        const uint64_t bytes = size(dict, id);
        if (bytes == 0) // CTF describes `void` as a number of size 0
            return table_.void_type();
        // CTF has no format for _Float16, which is recognized by its size of two bytes.
        const uint32_t format = encoding.cte_format;
        const bool is_real =
            format == CTF_FP_SINGLE || format == CTF_FP_DOUBLE || format == CTF_FP_LDOUBLE || bytes == 2;
        if (is_float && (!is_real || !is_known_float(spelling, bytes)))
            return table_.array_of(table_.integer(1, false), bytes);
        const Type* known = table_.named(spelling);
        if (known && known->size == bytes && known->kind == (is_float ? TypeKind::Float : TypeKind::Integer))
            return known;
        Type* node = table_.make(is_float ? TypeKind::Float : TypeKind::Integer, std::string(spelling));
        node->size = bytes;
        node->is_char = spelling == "char" || spelling == "signed char";
        node->is_signed = !is_float && (node->is_char || (encoding.cte_format & CTF_INT_SIGNED));
        return node;
    }

    const Type* make_pointer(ctf_dict_t* dict, ctf_id_t id)
    {
        const uint64_t bytes = size(dict, id);
        return table_.pointer_to(import(dict, ctf_type_reference(dict, id)), space_, bytes == 4 ? 4 : 8);
    }

    const Type* make_typedef(ctf_dict_t* dict, ctf_id_t id)
    {
        Type* node = table_.make(TypeKind::Typedef, name(dict, id));
        nodes_[{dict, id}] = node;
        node->target = import(dict, ctf_type_reference(dict, id));
        node->size = node->target->resolve()->size;
        return node;
    }

    const Type* make_record(ctf_dict_t* dict, ctf_id_t id, TypeKind kind)
    {
        Type* node = table_.make(kind, name(dict, id));
        node->size = size(dict, id);
        node->complete = [this, dict, id](std::vector<Member>& members, std::vector<Enumerator>&) {
            ctf_next_t* position = nullptr;
            const char* member = nullptr;
            ctf_id_t type = 0;
            for (ssize_t bit; (bit = ctf_member_next(dict, id, &position, &member, &type, 0)) >= 0;) {
                Member made{member ? member : "", import(dict, type), static_cast<uint64_t>(bit), 0};
                if (const auto bits = slice(dict, type)) {
                    made.bit_offset += bits->cte_offset;
                    made.bit_size = bits->cte_bits;
                }
                members.push_back(std::move(made));
            }
            ctf_next_destroy(position);
        };
        return node;
    }

    /// Returns the position and size of the bits that a bit-field occupies in its type, or nothing if `id` is not a
    /// slice (bit-field).
    static std::optional<ctf_encoding_t> slice(ctf_dict_t* dict, ctf_id_t id)
    {
        const int kind = ctf_type_kind(dict, id);
        ctf_encoding_t encoding;
        if ((kind != CTF_K_INTEGER && kind != CTF_K_ENUM && kind != CTF_K_TYPEDEF) ||
            ctf_type_encoding(dict, id, &encoding) != 0)
            return {};
        const ctf_id_t whole = ctf_type_reference(dict, id);
        const uint64_t bytes = size(dict, whole == CTF_ERR ? id : whole);
        return encoding.cte_bits != 0 && encoding.cte_bits < bytes * 8 ? std::optional(encoding) : std::nullopt;
    }

    const Type* make_enum(ctf_dict_t* dict, ctf_id_t id)
    {
        Type* node = table_.make(TypeKind::Enum, name(dict, id));
        node->size = size(dict, id);
        node->is_signed = true;
        node->complete = [dict, id](std::vector<Member>&, std::vector<Enumerator>& enumerators) {
            ctf_next_t* position = nullptr;
            int value = 0;
            while (const char* enumerator = ctf_enum_next(dict, id, &position, &value))
                enumerators.push_back({enumerator, value});
            ctf_next_destroy(position);
        };
        return node;
    }

    const Type* make_function(ctf_dict_t* dict, ctf_id_t id)
    {
        Type* node = table_.make(TypeKind::Function);
        nodes_[{dict, id}] = node;
        node->target = table_.void_type();
        ctf_funcinfo_t info{};
        if (ctf_func_type_info(dict, id, &info) != 0)
            return node;
        node->target = import(dict, info.ctc_return);
        node->variadic = (info.ctc_flags & CTF_FUNC_VARARG) != 0;
        std::vector<ctf_id_t> parameters(info.ctc_argc);
        if (ctf_func_type_args(dict, id, info.ctc_argc, parameters.data()) == 0)
            for (const ctf_id_t parameter : parameters)
                node->parameters.push_back(import(dict, parameter));
        return node;
    }

    TypeTable& table_;
    AddressSpace space_;
    std::map<Entry, const Type*> nodes_;
    std::unordered_map<const Type*, Entry> entries_;
};

/// Looks up a name by the libctf function that belongs to the name's namespace.
ctf_id_t look_up(ctf_dict_t* dict, TypeNamespace space, const std::string& name)
{
    switch (space) {
    case TypeNamespace::Ordinary:
        return ctf_lookup_by_name(dict, name.c_str());
    case TypeNamespace::Struct:
        return ctf_lookup_by_name(dict, ("struct " + name).c_str());
    case TypeNamespace::Union:
        return ctf_lookup_by_name(dict, ("union " + name).c_str());
    case TypeNamespace::Enum:
        return ctf_lookup_by_name(dict, ("enum " + name).c_str());
    case TypeNamespace::Variable:
        if (const ctf_id_t found = ctf_lookup_by_symbol_name(dict, name.c_str()); found != CTF_ERR)
            return found;
        return ctf_lookup_variable(dict, name.c_str());
    case TypeNamespace::Function: {
        const ctf_id_t found = ctf_lookup_by_symbol_name(dict, name.c_str());
        return found != CTF_ERR && ctf_type_kind(dict, found) == CTF_K_FUNCTION ? found : CTF_ERR;
    }
    }
    return CTF_ERR;
}

} // namespace

struct CtfTypes::Impl {
    Sections sections; ///< the sections' memory; libctf reads it as long as the archive is open
    AddressSpace space = AddressSpace::Kernel;
    ctf_archive_t* archive = nullptr;
    std::vector<CtfContainer> containers; ///< the containers; the core container comes first
    /// for each validated container, the reason why it is invalid; empty if it is valid
    std::map<std::string, std::string, std::less<>> faults;
    std::map<std::string, ctf_dict_t*, std::less<>> dicts;

    ~Impl()
    {
        for (const auto& [name, dict] : dicts)
            if (dict)
                ctf_dict_close(dict);
        if (archive)
            ctf_close(archive);
    }

    /// Lists the containers and validates the shared ones. Modules are validated when they are needed, because a
    /// kernel's archive is large.
    std::optional<std::string> list()
    {
        auto split = split_ctf(sections.ctf.bytes);
        if (!split)
            return split.error().message;
        containers = std::move(split.value());
        const std::string_view first[] = {"shared_ctf", "vmlinux"};
        for (const std::string_view core : first)
            std::stable_partition(containers.begin(), containers.end(),
                                  [core](const CtfContainer& each) { return each.name == core; });
        const bool all = space == AddressSpace::User;
        for (const CtfContainer& each : containers)
            if (all || each.name == ".ctf" || each.name == "shared_ctf" || each.name == "vmlinux")
                if (const std::string& fault = fault_of(each); !fault.empty())
                    return fault;
        return {};
    }

    const std::string& fault_of(const CtfContainer& container)
    {
        const auto [entry, is_new] = faults.try_emplace(container.name);
        if (is_new)
            entry->second = find_ctf_fault(container.bytes).value_or("");
        return entry->second;
    }

    const CtfContainer* container(std::string_view name) const
    {
        const auto found = std::find_if(containers.begin(), containers.end(),
                                        [name](const CtfContainer& each) { return each.name == name; });
        return found == containers.end() ? nullptr : &*found;
    }

    ctf_dict_t* dict(const std::string& name)
    {
        const auto [entry, is_new] = dicts.try_emplace(name, nullptr);
        if (is_new) {
            if (!fault_of(*container(name)).empty())
                return nullptr;
            int error = 0;
            entry->second = ctf_dict_open(archive, name.c_str(), &error);
            if (entry->second && sections.is_32bit)
                ctf_setmodel(entry->second, CTF_MODEL_ILP32);
        }
        return entry->second;
    }

    Importer& importer(TypeTable& table, const CtfTypes& source) const
    {
        std::unique_ptr<Imports>& kept = table.imports_of(source);
        if (!kept)
            kept = std::make_unique<Importer>(table, space);
        return static_cast<Importer&>(*kept);
    }
};

CtfTypes::CtfTypes(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

CtfTypes::~CtfTypes() = default;

Result<std::unique_ptr<CtfTypes>> CtfTypes::open(const std::string& path, AddressSpace space)
{
    auto impl = std::make_unique<Impl>();
    impl->space = space;
    const ElfFile file(path);
    if (file.get()) {
        impl->sections = read_elf(file.get());
    } else {
        auto bytes = read_whole(path);
        if (!bytes)
            return bytes.error();
        impl->sections.ctf.bytes = std::move(bytes.value());
    }
    const Sections& sections = impl->sections;
    if (sections.ctf.bytes.empty())
        return Error{kNoData, ENODATA};
    if (const auto fault = impl->list())
        return Error{std::string(kNoData) + ": " + *fault, EINVAL};
    const ctf_sect_t ctf = sections.ctf.view(".ctf"), symbols = sections.symbols.view(".symtab"),
                     strings = sections.strings.view(".strtab");
    const bool linked = !sections.symbols.bytes.empty() && !sections.strings.bytes.empty();
    int error = 0;
    impl->archive = ctf_arc_bufopen(&ctf, linked ? &symbols : nullptr, linked ? &strings : nullptr, &error);
    if (!impl->archive)
        return Error{std::string(kNoData) + ": " + ctf_errmsg(error), EINVAL};
    return std::unique_ptr<CtfTypes>(new CtfTypes(std::move(impl)));
}

bool CtfTypes::has_module(std::string_view module) const
{
    return impl_->container(module) != nullptr;
}

std::string CtfTypes::problem(std::string_view module)
{
    const auto found = impl_->faults.find(module);
    return found == impl_->faults.end() || found->second.empty() ? "" : std::string(kNoData) + ": " + found->second;
}

const Type* CtfTypes::find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module)
{
    if (name.empty())
        return nullptr;
    Importer& importer = impl_->importer(table, *this);
    const bool one = has_module(module);
    const Type* incomplete = nullptr;
    for (const CtfContainer& each : impl_->containers) {
        ctf_dict_t* dict = !one || each.name == module ? impl_->dict(each.name) : nullptr;
        const ctf_id_t id = dict ? look_up(dict, space, std::string(name)) : CTF_ERR;
        if (id == CTF_ERR)
            continue;
        const Type* found = importer.import(dict, id);
        if (!found->incomplete)
            return found;
        incomplete = incomplete ? incomplete : found;
    }
    return incomplete;
}

std::optional<TypePosition> CtfTypes::place_of(TypeTable& table, const Type* type)
{
    const auto entry = impl_->importer(table, *this).entry_of(type);
    if (!entry)
        return {};
    uint64_t part = kOfParent;
    for (std::size_t i = 0; i < impl_->containers.size(); ++i)
        if (const auto opened = impl_->dicts.find(impl_->containers[i].name);
            opened != impl_->dicts.end() && opened->second == entry->first)
            part = i;
    return TypePosition{part, static_cast<uint64_t>(entry->second)};
}

const Type* CtfTypes::at(TypeTable& table, const TypePosition& place)
{
    for (std::size_t i = 0; i < impl_->containers.size(); ++i) {
        if (place.part != kOfParent && place.part != i)
            continue;
        ctf_dict_t* const dict = impl_->dict(impl_->containers[i].name);
        if (dict && (place.part == i || ctf_parent_dict(dict)))
            return impl_->importer(table, *this).import(dict, static_cast<ctf_id_t>(place.at));
    }
    return table.void_type();
}

// Validates CTF data before libctf uses it. A .ctf section comes from a file that the traced user may have written, and
// libctf follows its counts and offsets without checks. A struct that contains itself, or a pointer type that points to
// itself, would make recursive readers loop forever. The layout is defined in ctf.h. An archive is a table of
// containers. A container consists of a header and sections, which may be compressed. The type section is an array of
// records, each followed by its members.

namespace {

/// Maximum size of a decompressed container, ten times the size that the types of a whole kernel need.
constexpr std::size_t kMaxUnpackedTypes = std::size_t{256} << 20;

template <typename T> bool read(std::string_view bytes, uint64_t at, T& into)
{
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        return false;
    std::memcpy(&into, bytes.data() + at, sizeof(T));
    return true;
}

/// Returns the sections after the header, decompressed if necessary. Returns nothing if their size is wrong.
std::optional<std::string> body_of(std::string_view bytes, const ctf_header_t& header)
{
    const uint64_t size = uint64_t{header.cth_stroff} + header.cth_strlen;
    const std::string_view rest = bytes.substr(sizeof header);
    if (!(header.cth_flags & CTF_F_COMPRESS))
        return size <= rest.size() ? std::optional(std::string(rest.substr(0, size))) : std::nullopt;
    if (size > kMaxUnpackedTypes)
        return {};
    std::string body(size, '\0');
    uLongf got = size;
    const int result = uncompress(reinterpret_cast<Bytef*>(body.data()), &got,
                                  reinterpret_cast<const Bytef*>(rest.data()), rest.size());
    return result == Z_OK && got == size ? std::optional(std::move(body)) : std::nullopt;
}

/// Graph of references between types. Graphs with cycles or very long chains are rejected.
struct Graph {
    // Maximum length of a chain, because libctf follows references recursively.
    static constexpr std::size_t kMaxDepth = 500;

    std::vector<std::vector<uint32_t>> parts; ///< for each type id, the types that the type refers to

    /// Returns whether every chain of references from the type comes to an end, so that none contains a cycle. Searches
    /// depth-first with an explicit stack, because the untrusted file determines the depth.
    bool ends(uint32_t id)
    {
        enum : uint8_t { New, Open, Done };
        states_.resize(parts.size(), New);
        depths_.resize(parts.size(), 0);
        if (states_[id] != New)
            return true;
        std::vector<std::pair<uint32_t, std::size_t>> path{{id, 0}};
        states_[id] = Open;
        while (!path.empty()) {
            auto& [type, next] = path.back();
            if (next == parts[type].size()) {
                states_[type] = Done;
                const uint32_t depth = depths_[type] + 1;
                path.pop_back();
                if (!path.empty())
                    depths_[path.back().first] = std::max(depths_[path.back().first], depth);
                if (depth > kMaxDepth)
                    return false;
                continue;
            }
            const uint32_t part = parts[type][next++];
            if (part >= parts.size())
                continue;
            if (states_[part] == Open)
                return false;
            if (states_[part] == Done) {
                depths_[type] = std::max(depths_[type], depths_[part] + 1);
                continue;
            }
            states_[part] = Open;
            path.emplace_back(part, 0);
        }
        return true;
    }

private:
    std::vector<uint8_t> states_;
    std::vector<uint32_t> depths_;
};

/// Iterates over the records of a type section.
class TypeWalk {
public:
    TypeWalk(std::string_view types, bool is_child) : types_(types), own_(is_child ? CTF_MAX_PTYPE + 1U : 0U) {}

    std::optional<std::string> run()
    {
        graphs_[Whole].parts.emplace_back(); // adds an element for id 0, because ids begin with 1
        graphs_[Named].parts.emplace_back();
        for (uint64_t at = 0; at < types_.size();) {
            const auto size = record(at);
            if (!size)
                return "type " + std::to_string(graphs_[Whole].parts.size() - 1) + " is damaged";
            at += *size;
        }
        for (Graph& graph : graphs_)
            for (uint32_t id = 1; id < graph.parts.size(); ++id)
                if (!graph.ends(id))
                    return "type " + std::to_string(id) + " contains itself";
        return {};
    }

private:
    /// Adds the references of the record at `at` to the graphs. Returns the size of the record, or nothing if it is
    /// incomplete.
    std::optional<uint64_t> record(uint64_t at)
    {
        graphs_[Whole].parts.emplace_back();
        graphs_[Named].parts.emplace_back();
        ctf_stype_t head;
        if (!read(types_, at, head))
            return {};
        uint64_t head_size = sizeof head, size = head.ctt_size;
        if (head.ctt_size == CTF_LSIZE_SENT) {
            ctf_type_t large;
            if (!read(types_, at, large))
                return {};
            head_size = sizeof large;
            size = CTF_TYPE_LSIZE(&large);
        }
        const auto tail = tail_size(head, size, at + head_size);
        return tail && *tail <= types_.size() - at - head_size ? std::optional(head_size + *tail) : std::nullopt;
    }

    std::optional<uint64_t> tail_size(const ctf_stype_t& head, uint64_t size, uint64_t at)
    {
        const uint64_t count = CTF_V2_INFO_VLEN(head.ctt_info);
        switch (CTF_V2_INFO_KIND(head.ctt_info)) {
        case CTF_K_INTEGER:
        case CTF_K_FLOAT:
            return sizeof(uint32_t);
        case CTF_K_SLICE:
            return parts_at<ctf_slice_t>(at, 1, &ctf_slice_t::cts_type, true);
        case CTF_K_ARRAY:
            return parts_at<ctf_array_t>(at, 1, &ctf_array_t::cta_contents, true);
        case CTF_K_FUNCTION:
            note(Named, head.ctt_type);
            for (uint64_t i = 0; i < count; ++i)
                if (uint32_t parameter; read(types_, at + i * sizeof parameter, parameter))
                    note(Named, parameter);
            return sizeof(uint32_t) * (count + (count & 1));
        case CTF_K_STRUCT:
        case CTF_K_UNION:
            return size < CTF_LSTRUCT_THRESH ? parts_at<ctf_member_t>(at, count, &ctf_member_t::ctm_type, false)
                                             : parts_at<ctf_lmember_t>(at, count, &ctf_lmember_t::ctlm_type, false);
        case CTF_K_ENUM:
            return sizeof(ctf_enum_t) * count;
        case CTF_K_TYPEDEF:
        case CTF_K_VOLATILE:
        case CTF_K_CONST:
        case CTF_K_RESTRICT:
            note(Whole, head.ctt_type);
            [[fallthrough]];
        case CTF_K_POINTER:
            note(Named, head.ctt_type);
            return 0;
        case CTF_K_UNKNOWN:
        case CTF_K_FORWARD:
            return 0;
        default:
            return {};
        }
    }

    /// Reads `count` elements (such as members) of a type's record and adds their references to the graph Whole. If
    /// `named` is set, also adds the references to the graph Named. `named` is set for all types except structs and
    /// unions, because a cycle is valid only if it passes through a pointer in a struct or union.
    template <typename T> std::optional<uint64_t> parts_at(uint64_t at, uint64_t count, uint32_t T::*type, bool named)
    {
        for (uint64_t i = 0; i < count; ++i) {
            T part;
            if (!read(types_, at + i * sizeof(T), part))
                return {};
            note(Whole, part.*type);
            if (named)
                note(Named, part.*type);
        }
        return count * sizeof(T);
    }

    enum Which { Whole, Named };

    /// Adds a reference to the type. Ignores references to types of the parent container, because types of the parent
    /// cannot refer to this container.
    void note(Which which, uint32_t type)
    {
        if (type > own_)
            graphs_[which].parts.back().push_back(type - own_);
    }

    std::string_view types_;
    uint32_t own_;
    /// Graph Whole: references to the types that a type contains. Graph Named: references of types other than structs
    /// and unions. Neither graph may contain a cycle.
    Graph graphs_[2];
};

} // namespace

std::optional<std::string> find_ctf_fault(std::string_view bytes)
{
    ctf_header_t header;
    if (!read(bytes, 0, header) || header.cth_magic != CTF_MAGIC)
        return "not a CTF container";
    if (header.cth_version != CTF_VERSION_3)
        return "format version " + std::to_string(header.cth_version) + " is not supported";
    const uint32_t offsets[] = {header.cth_lbloff,     header.cth_objtoff, header.cth_funcoff, header.cth_objtidxoff,
                                header.cth_funcidxoff, header.cth_varoff,  header.cth_typeoff, header.cth_stroff};
    if (!std::is_sorted(std::begin(offsets), std::end(offsets)))
        return "its sections overlap";
    const auto body = body_of(bytes, header);
    if (!body)
        return "it is truncated";
    if (header.cth_strlen == 0 || (*body)[header.cth_stroff] != '\0' || body->back() != '\0')
        return "its strings are damaged";
    return TypeWalk(std::string_view(*body).substr(header.cth_typeoff, header.cth_stroff - header.cth_typeoff),
                    header.cth_parname != 0)
        .run();
}

Result<std::vector<CtfContainer>> split_ctf(std::string_view bytes)
{
    struct ctf_archive header;
    if (!read(bytes, 0, header.ctfa_magic) || header.ctfa_magic != CTFA_MAGIC)
        return std::vector<CtfContainer>{{".ctf", bytes}};
    const Error cut_off{"it is truncated"};
    if (!read(bytes, 0, header) || header.ctfa_ndicts > bytes.size() / sizeof(ctf_archive_modent_t) ||
        header.ctfa_names > bytes.size() || header.ctfa_ctfs > bytes.size())
        return cut_off;
    std::vector<CtfContainer> containers;
    std::set<std::string> names;
    for (uint64_t i = 0; i < header.ctfa_ndicts; ++i) {
        ctf_archive_modent_t entry;
        uint64_t size = 0;
        if (!read(bytes, sizeof header + i * sizeof entry, entry) || entry.name_offset > bytes.size() ||
            entry.ctf_offset > bytes.size() || !read(bytes, header.ctfa_ctfs + entry.ctf_offset, size))
            return cut_off;
        const uint64_t name = header.ctfa_names + entry.name_offset,
                       start = header.ctfa_ctfs + entry.ctf_offset + sizeof size;
        const std::size_t end = bytes.find('\0', name);
        if (end == std::string_view::npos || size > bytes.size() - start)
            return cut_off;
        containers.push_back({std::string(bytes.substr(name, end - name)), bytes.substr(start, size)});
        // If two containers had the same name, it would be unknown which of them libctf opens.
        if (!names.insert(containers.back().name).second)
            return Error{"two containers are called " + containers.back().name};
    }
    return containers;
}

} // namespace dt
