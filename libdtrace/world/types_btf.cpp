// BTF to the type graph.
//
// The core kernel's BTF has more than 100,000 types. A script uses a dozen, and asks for many names that are no types at all, so: reading
// the string section (2 ms) and looking for a name's bytes in it come first, libbpf's parser (7 ms) only when the name occurs, and
// the type nodes only for what is reached. Structs are completed when their members are wanted.
#include "libdtrace/world/types_btf.hpp"

#include <bpf/btf.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "libdtrace/world/spellings.hpp"
#include "probes/btf_strings.hpp"

namespace dt {
namespace {

/// One file of /sys/kernel/btf.
class BtfFile {
public:
    BtfFile(std::string path, BtfFile* base) : path_(std::move(path)), base_(base) {}
    ~BtfFile() { btf__free(btf_); }
    BtfFile(const BtfFile&) = delete;
    BtfFile& operator=(const BtfFile&) = delete;

    /// Could a type of this name be here? A name of the base file's strings may be used by a module's types too.
    bool has_string(std::string_view name)
    {
        if (!std::exchange(read_, true))
            strings_ = probes::read_btf_strings(path_.c_str());
        return probes::has_btf_string(strings_, name) || (base_ && base_->has_string(name));
    }

    /// Null when the kernel's BTF cannot be parsed.
    const btf* parsed()
    {
        if (!btf_ && !failed_) {
            const btf* base = base_ ? base_->parsed() : nullptr;
            if (!base_ || base)
                btf_ = btf__parse_raw_split(path_.c_str(), const_cast<btf*>(base));
            failed_ = btf_ == nullptr;
        }
        return btf_;
    }

    uint32_t first_id() { return base_ ? btf__type_cnt(base_->parsed()) : 1; }

private:
    std::string path_;
    BtfFile* base_;
    bool read_ = false, failed_ = false;
    std::string strings_;
    btf* btf_ = nullptr;
};

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
    }
    return false;
}

/// Makes type nodes of one file's types, each once. A module's file counts on where the core kernel's ends, and means the core's types by lower
/// numbers: those are `base`'s to make.
class Importer {
public:
    Importer(const btf* source, TypeTable& table, Importer* base, uint32_t first_id) : btf_(source), table_(table), base_(base), first_id_(first_id) {}

    const Type* import(uint32_t id)
    {
        if (id == 0)
            return table_.void_type();
        if (base_ && id < first_id_)
            return base_->import(id);
        if (const auto known = nodes_.find(id); known != nodes_.end())
            return known->second;
        const btf_type* type = btf__type_by_id(btf_, id);
        const Type* node = type ? make(id, type) : table_.void_type();
        nodes_[id] = node;
        return node;
    }

private:
    std::string name(const btf_type* type) const { return btf__name_by_offset(btf_, type->name_off); }

    const Type* make(uint32_t id, const btf_type* type)
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
            Type* node = table_.make(btf_kflag(type) ? TypeKind::Union : TypeKind::Struct, name(type));
            node->incomplete = true;
            return node;
        }
        case BTF_KIND_TYPEDEF: {
            Type* node = table_.make(TypeKind::Typedef, name(type));
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

    const Type* make_number(const btf_type* type)
    {
        const std::string spelled = name(type);
        const std::string_view spelling = d_spelling(spelled);
        const Type* known = table_.named(spelling);
        if (known && known->size == type->size)
            return known;
        Type* node = table_.make(btf_is_float(type) ? TypeKind::Float : TypeKind::Integer, std::string(spelling));
        node->size = type->size;
        // Kernels from 6.2 on call char unsigned in BTF, but D's char is signed: the name decides (providers reference 28).
        node->is_char = spelling == "char" || spelling == "signed char";
        node->is_signed = btf_is_int(type) && (node->is_char || (btf_int_encoding(type) & BTF_INT_SIGNED));
        return node;
    }

    const Type* make_pointer(const btf_type* type)
    {
        // Kernels built by clang tag user-space pointers.
        AddressSpace space = AddressSpace::Kernel;
        const btf_type* target = btf__type_by_id(btf_, type->type);
        while (target && type->type != 0 && (btf_is_mod(target) || btf_is_type_tag(target))) {
            if (btf_is_type_tag(target) && name(target) == "user")
                space = AddressSpace::User;
            target = target->type ? btf__type_by_id(btf_, target->type) : nullptr;
        }
        return table_.pointer_to(import(type->type), space, 8);
    }

    const Type* make_record(uint32_t id, const btf_type* type)
    {
        Type* node = table_.make(btf_is_struct(type) ? TypeKind::Struct : TypeKind::Union, name(type));
        node->size = type->size;
        node->complete = [this, id](std::vector<Member>& members, std::vector<Enumerator>&) {
            const btf_type* record = btf__type_by_id(btf_, id);
            members.reserve(btf_vlen(record));
            for (uint32_t i = 0; i < btf_vlen(record); ++i) {
                const btf_member& member = btf_members(record)[i];
                members.push_back({btf__name_by_offset(btf_, member.name_off), import(member.type), btf_member_bit_offset(record, i),
                                   btf_member_bitfield_size(record, i)});
            }
        };
        return node;
    }

    const Type* make_enum(uint32_t id, const btf_type* type)
    {
        Type* node = table_.make(TypeKind::Enum, name(type));
        node->size = type->size;
        node->is_signed = btf_is_enum(type) || btf_kflag(type);
        node->complete = [this, id](std::vector<Member>&, std::vector<Enumerator>& enumerators) {
            const btf_type* list = btf__type_by_id(btf_, id);
            for (uint32_t i = 0; i < btf_vlen(list); ++i) {
                if (btf_is_enum(list))
                    enumerators.push_back({btf__name_by_offset(btf_, btf_enum(list)[i].name_off), btf_enum(list)[i].val});
                else
                    enumerators.push_back({btf__name_by_offset(btf_, btf_enum64(list)[i].name_off),
                                           static_cast<int64_t>(btf_enum64_value(&btf_enum64(list)[i]))});
            }
        };
        return node;
    }

    const Type* make_function(uint32_t id, const btf_type* type)
    {
        Type* node = table_.make(TypeKind::Function);
        nodes_[id] = node;
        node->target = import(type->type);
        for (uint32_t i = 0; i < btf_vlen(type); ++i) {
            const uint32_t parameter = btf_params(type)[i].type;
            if (parameter == 0)
                node->variadic = true;
            else
                node->parameters.push_back(import(parameter));
        }
        return node;
    }

    const btf* btf_;
    TypeTable& table_;
    Importer* base_;
    uint32_t first_id_;
    std::unordered_map<uint32_t, const Type*> nodes_;
};

} // namespace

struct BtfTypes::Impl {
    struct Module {
        std::string name;
        std::unique_ptr<BtfFile> file;
        std::unique_ptr<Importer> importer;
    };

    std::string directory;
    std::vector<Module> modules; ///< the core kernel first, then by name
    bool listed = false;
    std::unordered_map<std::string, const Type*> answers; ///< also the misses

    void list()
    {
        if (std::exchange(listed, true))
            return;
        modules.push_back({"vmlinux", std::make_unique<BtfFile>(directory + "/vmlinux", nullptr), nullptr});
        std::vector<std::string> names;
        if (DIR* dir = opendir(directory.c_str())) {
            while (const dirent* entry = readdir(dir))
                if (entry->d_name[0] != '.' && strcmp(entry->d_name, "vmlinux") != 0)
                    names.emplace_back(entry->d_name);
            closedir(dir);
        }
        std::sort(names.begin(), names.end());
        for (const std::string& name : names)
            modules.push_back({name, std::make_unique<BtfFile>(directory + "/" + name, modules[0].file.get()), nullptr});
    }

    Importer& importer(Module& module, TypeTable& table)
    {
        if (!module.importer) {
            Importer* base = &module == &modules[0] ? nullptr : &importer(modules[0], table);
            module.importer = std::make_unique<Importer>(module.file->parsed(), table, base, module.file->first_id());
        }
        return *module.importer;
    }

    Module* module(std::string_view name)
    {
        list();
        const auto found = std::find_if(modules.begin(), modules.end(), [name](const Module& each) { return each.name == name; });
        return found == modules.end() ? nullptr : &*found;
    }

    const Type* find_in(Module& module, TypeTable& table, TypeNamespace space, const std::string& name)
    {
        if (!module.file->has_string(name))
            return nullptr;
        const btf* btf = module.file->parsed();
        if (!btf)
            return nullptr;
        for (uint32_t id = module.file->first_id(), end = btf__type_cnt(btf); id < end; ++id) {
            const btf_type* type = btf__type_by_id(btf, id);
            if (!type->name_off || !has_kind(type, space) || name != btf__name_by_offset(btf, type->name_off))
                continue;
            return importer(module, table).import(id);
        }
        return nullptr;
    }
};

BtfTypes::BtfTypes(std::string directory) : impl_(std::make_unique<Impl>())
{
    impl_->directory = std::move(directory);
}

BtfTypes::~BtfTypes() = default;

bool BtfTypes::available() const
{
    return access((impl_->directory + "/vmlinux").c_str(), R_OK) == 0;
}

bool BtfTypes::has_module(std::string_view name)
{
    return impl_->module(name) != nullptr;
}

bool BtfTypes::is_per_cpu(std::string_view module, std::string_view variable)
{
    Impl::Module* const found = impl_->module(module);
    const btf* btf = found && found->file->has_string(variable) ? found->file->parsed() : nullptr;
    for (uint32_t id = btf ? found->file->first_id() : 0, end = btf ? btf__type_cnt(btf) : 0; id < end; ++id) {
        const btf_type* section = btf__type_by_id(btf, id);
        if (!btf_is_datasec(section) || std::string_view(btf__name_by_offset(btf, section->name_off)) != ".data..percpu")
            continue;
        for (uint32_t i = 0; i < btf_vlen(section); ++i) {
            const btf_type* entry = btf__type_by_id(btf, btf_var_secinfos(section)[i].type);
            if (entry && variable == btf__name_by_offset(btf, entry->name_off))
                return true;
        }
    }
    return false;
}

const Type* BtfTypes::find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module)
{
    if (name.empty())
        return nullptr;
    impl_->list();
    const std::string wanted(name);
    const std::string key = std::to_string(static_cast<int>(space)) + std::string(module) + "`" + wanted;
    const auto [answer, is_new] = impl_->answers.try_emplace(key, nullptr);
    if (is_new)
        for (Impl::Module& candidate : impl_->modules)
            if (!answer->second && (module.empty() || candidate.name == module))
                answer->second = impl_->find_in(candidate, table, space, wanted);
    return answer->second;
}

} // namespace dt
