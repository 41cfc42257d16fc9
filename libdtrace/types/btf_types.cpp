// Converts BTF types to type nodes (class Type). Also finds the file of /sys/kernel/btf that describes a type, and
// answers queries that need no type node.
//
// A script uses about a dozen of the core kernel's 100,000 types and looks up many names that are not types. So files
// are opened on first use, and type nodes are created only when they are needed.
#include "libdtrace/types/btf_types.hpp"

#include <bpf/btf.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "dcompiler/interface/types.hpp"
#include "libdtrace/types/type_spelling.hpp"
#include "probes/btf_file.hpp"

// Converts BTF types to type nodes (class Type).

namespace dt {

/// Creates type nodes in one table for the types of one BTF file, one node for each type. A module's file extends the
/// core kernel's file; `base` is the importer of the core kernel's types. Struct members are added when they are
/// needed, so the file and the importer must outlive the type table.
class BtfImporter {
public:
    BtfImporter(probes::BtfFile& file, TypeTable& table, BtfImporter* base) : file_(file), table_(table), base_(base) {}

    /// Returns the node of a type. Returns void if the id is invalid or the chain of references has no end.
    const Type* import(uint32_t id);

    /// Returns a function type without its first parameter, or null if the type is not a function or has no parameters.
    const Type* import_without_first_parameter(uint32_t id);

private:
    std::string name(uint32_t offset) const { return std::string(file_.name(offset)); }
    const Type* make(uint32_t id, const btf_type* type);
    const Type* make_number(const btf_type* type);
    const Type* make_pointer(const btf_type* type);
    const Type* make_record(uint32_t id, const btf_type* type);
    const Type* make_enum(uint32_t id, const btf_type* type);
    const Type* make_function(uint32_t id, const btf_type* type);

    probes::BtfFile& file_;
    TypeTable& table_;
    BtfImporter* base_;
    std::unordered_map<uint32_t, const Type*> nodes_, shortened_;
    unsigned depth_ = 0;
};

namespace {

using probes::BtfFile;

constexpr std::string_view kCore = "vmlinux";
constexpr std::string_view kPerCpuSection = ".data..percpu";
// Prefix of the typedef that the kernel defines for each tracepoint. The typedef is a pointer to the tracepoint's
// prototype.
constexpr std::string_view kTracepointPrefix = "btf_trace_";
constexpr unsigned kDeepestNesting = 64; // maximum nesting depth of structs

bool has_kind(const btf_type* type, TypeNamespace space)
{
    switch (space) {
    case TypeNamespace::Ordinary:
        return btf_is_typedef(type) || btf_is_int(type) || btf_is_float(type);
    case TypeNamespace::Struct:
        return btf_is_struct(type);
    case TypeNamespace::Union:
        return btf_is_union(type);
    case TypeNamespace::Enum:
        return btf_is_any_enum(type);
    case TypeNamespace::Variable:
        return btf_is_var(type);
    case TypeNamespace::Function:
        return btf_is_func(type);
    }
    return false;
}

bool is_record(const btf_type* type)
{
    return type && btf_is_composite(type);
}

/// Follows typedefs and qualifiers. Returns null for void or an invalid type.
const btf_type* strip(BtfFile& file, uint32_t id)
{
    const btf_type* type = file.ends(id) ? file.type(id) : nullptr;
    while (type && (btf_is_mod(type) || btf_is_typedef(type) || btf_is_type_tag(type)))
        type = file.type(type->type);
    return type;
}

/// Returns whether the type is a number or a pointer and has at most eight bytes.
bool is_word(BtfFile& file, uint32_t id)
{
    const btf_type* const type = strip(file, id);
    return type &&
           (btf_is_ptr(type) || ((btf_is_int(type) || btf_is_any_enum(type)) && type->size <= sizeof(uint64_t)));
}

uint64_t size_of(BtfFile& file, uint32_t id)
{
    const btf_type* const type = strip(file, id);
    if (!type)
        return 0;
    switch (btf_kind(type)) {
    case BTF_KIND_PTR:
        return sizeof(uint64_t);
    case BTF_KIND_ARRAY:
        return btf_array(type)->nelems * size_of(file, btf_array(type)->type);
    case BTF_KIND_INT:
    case BTF_KIND_FLOAT:
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
        return type->size;
    default:
        return 0;
    }
}

/// Finds the member `path`, such as "a.b.c", in a struct or union.
std::optional<KernelTypes::MemberLocation> find_member(BtfFile& file, const btf_type* record, std::string_view path,
                                                       unsigned depth)
{
    const std::string_view first = path.substr(0, path.find('.'));
    for (uint32_t i = 0; depth < kDeepestNesting && i < btf_vlen(record); ++i) {
        const btf_member& member = btf_members(record)[i];
        const std::string_view name = file.name(member.name_off);
        if (!name.empty() && name != first)
            continue;
        const uint64_t offset = btf_member_bit_offset(record, i);
        if (!name.empty() && first == path)
            return KernelTypes::MemberLocation{offset, size_of(file, member.type), btf_member_bitfield_size(record, i)};
        const btf_type* const inner = strip(file, member.type);
        auto found = is_record(inner)
                         ? find_member(file, inner, name.empty() ? path : path.substr(first.size() + 1), depth + 1)
                         : std::nullopt;
        if (found) {
            found->bit_offset += offset;
            return found;
        }
    }
    return {};
}

} // namespace

struct BtfTypes::Impl {
    struct Module {
        std::string name;
        std::unique_ptr<BtfFile> file; ///< opened BTF file; null if it is not opened yet or cannot be read
        bool opened = false;
    };
    bool is_available = false;
    /// result of a lookup by name: module and type id; the module is null if nothing was found
    using FoundType = std::pair<Module*, uint32_t>;

    /// Type nodes created in one table, and the importers that created them.
    struct Nodes final : TypeSource::Imports {
        std::unordered_map<const Module*, BtfImporter> importers;
    };

    std::string directory;
    std::optional<std::string> core; ///< path of the core kernel's file, if it is not the default path
    /// modules with their files: first the file of the core kernel, then those of the modules by name
    std::vector<Module> modules;
    bool listed = false;
    std::unordered_map<std::string, FoundType> places; ///< results of lookups; the key is the text of the query

    std::vector<Module>& list()
    {
        if (std::exchange(listed, true))
            return modules;
        modules.push_back({std::string(kCore), nullptr});
        std::vector<std::string> names;
        if (DIR* dir = core ? nullptr : opendir(directory.c_str())) {
            while (const dirent* entry = readdir(dir))
                if (entry->d_name[0] != '.' && entry->d_name != kCore)
                    names.emplace_back(entry->d_name);
            closedir(dir);
        }
        std::sort(names.begin(), names.end());
        for (std::string& name : names)
            modules.push_back({std::move(name), nullptr});
        return modules;
    }

    std::string path_of(std::string_view module) const { return core ? *core : directory + "/" + std::string(module); }

    /// Returns the module's file, or null if the file cannot be read.
    BtfFile* file(Module& module)
    {
        if (!std::exchange(module.opened, true)) {
            BtfFile* const base = &module == &modules[0] ? nullptr : file(modules[0]);
            if (&module == &modules[0] || base)
                if (auto opened = BtfFile::open(path_of(module.name), base))
                    module.file = std::move(opened.value());
        }
        return module.file.get();
    }

    BtfFile* file(std::string_view name)
    {
        Module* const found = module(name);
        return found ? file(*found) : nullptr;
    }

    BtfImporter& importer(const TypeSource& source, Module& module, TypeTable& table)
    {
        auto& kept = table.imports_of(source);
        if (!kept)
            kept = std::make_unique<Nodes>();
        auto& importers = static_cast<Nodes&>(*kept).importers;
        const auto known = importers.find(&module);
        if (known != importers.end())
            return known->second;
        BtfImporter* const base = &module == &modules[0] ? nullptr : &importer(source, modules[0], table);
        return importers.try_emplace(&module, *module.file, table, base).first->second;
    }

    Module* module(std::string_view name)
    {
        for (Module& each : list())
            if (each.name == name)
                return &each;
        return nullptr;
    }

    /// Returns the first matching type in one module, or in all modules if `module` is empty. The module of the result
    /// is null if no type matches.
    template <typename Fits> FoundType find(std::string_view module, std::string_view name, Fits fits)
    {
        for (Module& candidate : list())
            if (module.empty() || candidate.name == module)
                if (BtfFile* const searched = file(candidate))
                    if (const uint32_t id = searched->find(name, fits))
                        return {&candidate, id};
        return {};
    }

    static std::string tracepoint_typedef(std::string_view name)
    {
        return std::string(kTracepointPrefix) + std::string(name);
    }

    /// Returns the module of a tracepoint and the id of its prototype.
    FoundType tracepoint(std::string_view name, std::string_view module)
    {
        const auto [found, id] =
            find(module, tracepoint_typedef(name), [](const btf_type* type) { return btf_is_typedef(type); });
        const btf_type* const pointer = found ? strip(*found->file, id) : nullptr;
        const btf_type* const prototype = pointer && btf_is_ptr(pointer) ? strip(*found->file, pointer->type) : nullptr;
        if (!prototype || !btf_is_func_proto(prototype))
            return {};
        return {found, pointer->type};
    }
};

BtfTypes::BtfTypes(std::string directory) : impl_(std::make_unique<Impl>())
{
    impl_->directory = std::move(directory);
}

BtfTypes::~BtfTypes() = default;

void BtfTypes::use_file(const std::string& path)
{
    impl_->core = path;
    impl_->is_available = false;
}

bool BtfTypes::available() const
{
    // Only a positive result is cached, because the BTF file may appear later.
    if (!impl_->is_available)
        impl_->is_available = access(impl_->path_of(kCore).c_str(), R_OK) == 0;
    return impl_->is_available;
}

void BtfTypes::forget_indexes()
{
    for (Impl::Module& module : impl_->modules)
        if (module.file)
            module.file->forget_index();
}

bool BtfTypes::has_module(std::string_view name)
{
    return impl_->module(name) != nullptr;
}

bool BtfTypes::is_per_cpu(std::string_view module, std::string_view variable)
{
    BtfFile* const file = impl_->file(module);
    const uint32_t id =
        file ? file->find(kPerCpuSection, [](const btf_type* type) { return btf_is_datasec(type); }) : 0;
    const btf_type* const section = id != 0 ? file->type(id) : nullptr;
    for (uint32_t i = 0; section && i < btf_vlen(section); ++i) {
        const btf_type* const entry = file->type(btf_var_secinfos(section)[i].type);
        if (entry && file->name(entry->name_off) == variable)
            return true;
    }
    return false;
}

const Type* BtfTypes::find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module)
{
    if (name.empty())
        return nullptr;
    const std::string key = std::to_string(static_cast<int>(space)) + std::string(module) + "`" + std::string(name);
    const auto [place, is_new] = impl_->places.try_emplace(key);
    if (is_new)
        place->second = impl_->find(module, name, [space](const btf_type* type) { return has_kind(type, space); });
    const auto [found, id] = place->second;
    return found ? impl_->importer(*this, *found, table).import(id) : nullptr;
}

std::vector<std::string> BtfTypes::modules()
{
    std::vector<std::string> names;
    for (const Impl::Module& module : impl_->list())
        names.push_back(module.name);
    return names;
}

std::optional<uint32_t> BtfTypes::function_id(std::string_view module, std::string_view name)
{
    BtfFile* const file = impl_->file(module);
    const uint32_t id = file ? file->find(name, [](const btf_type* type) { return btf_is_func(type); }) : 0;
    return id != 0 ? std::optional(id) : std::nullopt;
}

std::optional<KernelTypes::Prototype> BtfTypes::prototype(std::string_view module, std::string_view name)
{
    const auto [found, id] = impl_->find(module, name, [](const btf_type* type) { return btf_is_func(type); });
    const btf_type* const function = found ? found->file->type(id) : nullptr;
    const btf_type* const prototype = function ? found->file->type(function->type) : nullptr;
    if (!prototype || !btf_is_func_proto(prototype))
        return std::nullopt;
    // BTF represents "..." as a last parameter without a name and with type void.
    const uint32_t count = btf_vlen(prototype);
    const bool is_variadic = count > 0 && btf_params(prototype)[count - 1].type == 0;
    bool words = !is_variadic;
    for (uint32_t i = 0; i < count && words; ++i)
        words = is_word(*found->file, btf_params(prototype)[i].type);
    return Prototype{count - is_variadic, prototype->type != 0,
                     words && (prototype->type == 0 || is_word(*found->file, prototype->type))};
}

std::vector<std::string> BtfTypes::parameter_names(std::string_view module, std::string_view name)
{
    const auto [found, id] = impl_->find(module, name, [](const btf_type* type) { return btf_is_func(type); });
    const btf_type* const function = found ? found->file->type(id) : nullptr;
    const btf_type* const prototype = function ? found->file->type(function->type) : nullptr;
    std::vector<std::string> names;
    if (prototype && btf_is_func_proto(prototype))
        for (uint32_t i = 0; i < btf_vlen(prototype) && btf_params(prototype)[i].type != 0; ++i)
            names.emplace_back(found->file->name(btf_params(prototype)[i].name_off));
    return names;
}

void BtfTypes::for_each_function(std::string_view module, const VisitFunction& visit)
{
    BtfFile* const file = impl_->file(module);
    if (!file)
        return;
    for (uint32_t id = file->first_id(), end = file->end_id(); id < end; ++id)
        if (const btf_type* const type = file->type(id); btf_is_func(type))
            visit(file->name(type->name_off), id);
}

const Type* BtfTypes::tracepoint_type(TypeTable& table, std::string_view name, std::string_view module)
{
    const std::string key = "tracepoint " + std::string(module) + "`" + std::string(name);
    const auto [place, is_new] = impl_->places.try_emplace(key);
    if (is_new)
        place->second = impl_->tracepoint(name, module);
    const auto [found, prototype] = place->second;
    return found ? impl_->importer(*this, *found, table).import_without_first_parameter(prototype) : nullptr;
}

std::optional<KernelTypes::Prototype> BtfTypes::tracepoint_prototype(std::string_view name, std::string_view module)
{
    const auto [found, id] = impl_->tracepoint(name, module);
    const btf_type* const prototype = found ? strip(*found->file, id) : nullptr;
    return prototype && btf_vlen(prototype) > 0
               ? std::optional(Prototype{btf_vlen(prototype) - 1u, prototype->type != 0})
               : std::nullopt;
}

std::optional<uint32_t> BtfTypes::tracepoint_id(std::string_view module, std::string_view name)
{
    BtfFile* const file = impl_->file(module);
    const uint32_t id =
        file ? file->find(Impl::tracepoint_typedef(name), [](const btf_type* type) { return btf_is_typedef(type); })
             : 0;
    return id != 0 ? std::optional(id) : std::nullopt;
}

void BtfTypes::for_each_tracepoint(std::string_view module, const VisitFunction& visit)
{
    BtfFile* const file = impl_->file(module);
    for (uint32_t id = file ? file->first_id() : 0, end = file ? file->end_id() : 0; id < end; ++id)
        if (const btf_type* const type = file->type(id); btf_is_typedef(type))
            if (const std::string_view name = file->name(type->name_off); name.starts_with(kTracepointPrefix))
                visit(name.substr(kTracepointPrefix.size()), id);
}

std::optional<KernelTypes::MemberLocation> BtfTypes::member(std::string_view module, std::string_view record,
                                                            std::string_view path)
{
    const auto [found, id] = impl_->find(module, record, is_record);
    return found ? find_member(*found->file, found->file->type(id), path, 0) : std::nullopt;
}

// Converts BTF (include/uapi/linux/btf.h) to type nodes (class Type).

namespace {

/// Limit of nested references; no real declaration is nested so deeply.
constexpr unsigned kDeepestChain = 500;

} // namespace

const Type* BtfImporter::import(uint32_t id)
{
    if (id == 0)
        return table_.void_type();
    if (base_ && id < file_.first_id())
        return base_->import(id);
    if (const auto known = nodes_.find(id); known != nodes_.end())
        return known->second;
    const btf_type* type = file_.type(id);
    if (!type || depth_ == kDeepestChain || !file_.ends(id))
        return table_.void_type();
    ++depth_;
    const Type* node = make(id, type);
    --depth_;
    nodes_[id] = node;
    return node;
}

const Type* BtfImporter::import_without_first_parameter(uint32_t id)
{
    const Type* const function = import(id)->resolve();
    if (function->kind != TypeKind::Function || function->parameters.empty())
        return nullptr;
    const auto [entry, is_new] = shortened_.try_emplace(id, nullptr);
    if (!is_new)
        return entry->second;
    Type* node = table_.make(TypeKind::Function);
    entry->second = node;
    node->target = function->target;
    node->variadic = function->variadic;
    node->parameters.assign(function->parameters.begin() + 1, function->parameters.end());
    node->parameter_names.assign(function->parameter_names.begin() + 1, function->parameter_names.end());
    return node;
}

const Type* BtfImporter::make(uint32_t id, const btf_type* type)
{
    switch (btf_kind(type)) {
    case BTF_KIND_INT:
    case BTF_KIND_FLOAT:
        return make_number(type);
    case BTF_KIND_PTR:
        return make_pointer(type);
    case BTF_KIND_ARRAY:
        return table_.array_of(import(btf_array(type)->type), btf_array(type)->nelems);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
        return make_record(id, type);
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
        return make_enum(id, type);
    case BTF_KIND_FWD: {
        Type* node = table_.make(btf_kflag(type) ? TypeKind::Union : TypeKind::Struct, name(type->name_off));
        node->incomplete = true;
        return node;
    }
    case BTF_KIND_TYPEDEF: {
        Type* node = table_.make(TypeKind::Typedef, name(type->name_off));
        nodes_[id] = node;
        node->target = import(type->type);
        node->size = node->target->size;
        return node;
    }
    case BTF_KIND_FUNC_PROTO:
        return make_function(id, type);
    case BTF_KIND_FUNC:
    case BTF_KIND_VAR:
    case BTF_KIND_CONST:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG:
        return import(type->type);
    default:
        return table_.void_type();
    }
}

const Type* BtfImporter::make_number(const btf_type* type)
{
    const std::string spelled = name(type->name_off);
    const std::string_view spelling = d_spelling(spelled);
    if (btf_is_float(type) && !is_known_float(spelling, type->size))
        return table_.array_of(table_.integer(1, false), type->size);
    const Type* known = table_.named(spelling);
    if (known && known->size == type->size)
        return known;
    Type* node = table_.make(btf_is_float(type) ? TypeKind::Float : TypeKind::Integer, std::string(spelling));
    node->size = type->size;
    // BTF of kernels since 6.2 describes char as unsigned, but D's char is signed. So for char the sign follows from
    // the type's name and not from BTF (dtrace-language(7), TYPES).
    node->is_char = spelling == "char" || spelling == "signed char";
    node->is_signed = btf_is_int(type) && (node->is_char || (btf_int_encoding(type) & BTF_INT_SIGNED));
    return node;
}

const Type* BtfImporter::make_pointer(const btf_type* type)
{
    // Kernels built by clang mark pointers to user-space memory with a BTF type tag.
    AddressSpace space = AddressSpace::Kernel;
    const btf_type* target = file_.type(type->type);
    while (target && type->type != 0 && (btf_is_mod(target) || btf_is_type_tag(target))) {
        if (btf_is_type_tag(target) && file_.name(target->name_off) == "user")
            space = AddressSpace::User;
        target = target->type ? file_.type(target->type) : nullptr;
    }
    return table_.pointer_to(import(type->type), space, 8);
}

const Type* BtfImporter::make_record(uint32_t id, const btf_type* type)
{
    Type* node = table_.make(btf_is_struct(type) ? TypeKind::Struct : TypeKind::Union, name(type->name_off));
    node->size = type->size;
    node->complete = [this, id](std::vector<Member>& members, std::vector<Enumerator>&) {
        const btf_type* record = file_.type(id);
        members.reserve(btf_vlen(record));
        for (uint32_t i = 0; i < btf_vlen(record); ++i) {
            const btf_member& member = btf_members(record)[i];
            members.push_back({name(member.name_off), import(member.type), btf_member_bit_offset(record, i),
                               btf_member_bitfield_size(record, i)});
        }
    };
    return node;
}

const Type* BtfImporter::make_enum(uint32_t id, const btf_type* type)
{
    Type* node = table_.make(TypeKind::Enum, name(type->name_off));
    node->size = type->size;
    node->is_signed = btf_is_enum(type) || btf_kflag(type);
    node->complete = [this, id](std::vector<Member>&, std::vector<Enumerator>& enumerators) {
        const btf_type* list = file_.type(id);
        for (uint32_t i = 0; i < btf_vlen(list); ++i) {
            if (btf_is_enum(list))
                enumerators.push_back({name(btf_enum(list)[i].name_off), btf_enum(list)[i].val});
            else
                enumerators.push_back(
                    {name(btf_enum64(list)[i].name_off), static_cast<int64_t>(btf_enum64_value(&btf_enum64(list)[i]))});
        }
    };
    return node;
}

const Type* BtfImporter::make_function(uint32_t id, const btf_type* type)
{
    Type* node = table_.make(TypeKind::Function);
    nodes_[id] = node;
    node->target = import(type->type);
    for (uint32_t i = 0; i < btf_vlen(type); ++i) {
        const btf_param& parameter = btf_params(type)[i];
        if (parameter.type == 0) {
            node->variadic = true;
            continue;
        }
        node->parameters.push_back(import(parameter.type));
        node->parameter_names.push_back(name(parameter.name_off));
    }
    return node;
}

} // namespace dt
