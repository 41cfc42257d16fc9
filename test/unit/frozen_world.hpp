// The frozen World: a fixed set of probes, types and symbols, for tests that must not depend on the machine. The real
// providers run with the data of a frozen kernel.
//
// The World contains:
// - Probes: those of the real providers (ids 1 to 3: BEGIN, END, ERROR); vfs_read of fbt; and the provider `demo`,
//   whose arguments need translators or cannot be resolved.
// - Types: task_struct and the types that it refers to, and some typedefs and enums.
// - Symbols of the kernel: jiffies, max_pfn (without a type), init_task, vfs_read, and lost (in a module with damaged
//   types). Symbol of the process: counter.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "dcompiler/interface/world.hpp"
#include "probes/probe_registry.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt::test {

inline constexpr Attributes kStable{Stability::Stable, Stability::Stable, DependencyClass::Common};
inline constexpr Attributes kEvolving{Stability::Evolving, Stability::Evolving, DependencyClass::Common};
inline constexpr Attributes kEvolvingIsa{Stability::Evolving, Stability::Evolving, DependencyClass::Isa};
inline constexpr Attributes kPrivate{Stability::Private, Stability::Private, DependencyClass::Unknown};
inline constexpr Attributes kPrivateIsa{Stability::Private, Stability::Private, DependencyClass::Isa};
inline constexpr Attributes kUnstableUnknown{Stability::Unstable, Stability::Unstable, DependencyClass::Unknown};
inline constexpr ProviderAttributes kDtrace{kStable, kPrivate, kPrivate, kStable, kStable};
inline constexpr ProviderAttributes kProfile{kEvolving, kUnstableUnknown, kPrivate, kEvolving, kEvolving};
inline constexpr ProviderAttributes kSyscall{kEvolving, kPrivate, kPrivateIsa, kEvolving, kPrivateIsa};
inline constexpr ProviderAttributes kDemo{kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa};

/// Types of the frozen kernel. A structure has only those members that tests need.
class FrozenNodes final : public TypeSource::Imports {
public:
    explicit FrozenNodes(TypeTable& table) : table_(&table) {}

    const Type* find(TypeNamespace space, std::string_view name)
    {
        const auto key = std::make_pair(space, std::string(name));
        if (const auto found = known_.find(key); found != known_.end())
            return found->second;
        switch (space) {
        case TypeNamespace::Ordinary:
            return alias(key.second);
        case TypeNamespace::Struct:
            return record(key.second);
        case TypeNamespace::Enum:
            return zone_type(key.second);
        case TypeNamespace::Union:
        case TypeNamespace::Function:
            return nullptr;
        case TypeNamespace::Variable:
            return name == "init_task" ? record("task_struct") : name == "jiffies" ? integer("unsigned long") : nullptr;
        }
        return nullptr;
    }

private:
    using Key = std::pair<TypeNamespace, std::string>;
    struct Field {
        const char* name;
        const Type* type;
        uint64_t offset; ///< offset of the field in the context, in bytes
        uint32_t bits = 0;
        uint32_t bit = 0;
    };

    const Type* integer(const char* name) { return table_->named(name); }
    const Type* pointer(const char* tag) { return table_->pointer_to(record(tag)); }

    const Type* alias(const std::string& name)
    {
        const Type* target = name == "loff_t"     ? integer("long long")
                             : name == "umode_t"  ? integer("unsigned short")
                             : name == "sector_t" ? integer("unsigned long")
                             : name == "rwlock_t" ? record("rwlock")
                             : name == "task_t"   ? record("task_struct")
                                                  : nullptr;
        if (!target)
            return nullptr;
        Type* made = table_->make(TypeKind::Typedef, name);
        made->target = target;
        made->size = target->size;
        return known_[{TypeNamespace::Ordinary, name}] = made;
    }

    const Type* zone_type(const std::string& name)
    {
        if (name != "zone_type")
            return nullptr;
        Type* made = table_->make(TypeKind::Enum, name);
        made->size = 4;
        made->complete = [](std::vector<Member>&, std::vector<Enumerator>& values) {
            values = {{"ZONE_DMA", 0}, {"ZONE_DMA32", 1}, {"ZONE_NORMAL", 2}};
        };
        return known_[{TypeNamespace::Enum, name}] = made;
    }

    const Type* record(const std::string& tag)
    {
        if (const auto found = known_.find({TypeNamespace::Struct, tag}); found != known_.end())
            return found->second;
        static const std::map<std::string, uint64_t> sizes = {
            {"task_struct", 128}, {"mm_struct", 32},    {"rwlock", 8},     {"path", 16},     {"qstr", 16},
            {"dentry", 40},       {"file", 48},         {"mutex", 32},     {"in6_addr", 16}, {"sk_buff", 64},
            {"list_head", 16},    {"thread_struct", 8}, {"mm_context", 8}, {"atomic64", 8}};
        const auto size = sizes.find(tag);
        if (size == sizes.end())
            return nullptr;
        Type* made = table_->make(TypeKind::Struct, tag);
        known_[{TypeNamespace::Struct, tag}] = made;
        made->size = size->second;
        made->complete = [this, tag](std::vector<Member>& members, std::vector<Enumerator>&) {
            for (const Field& field : fields(tag))
                members.push_back({field.name, field.type, field.offset * 8 + field.bit, field.bits});
        };
        return made;
    }

    std::vector<Field> fields(const std::string& tag)
    {
        const Type* u64 = integer("unsigned long");
        if (tag == "task_struct")
            return {{"__state", integer("unsigned int"), 0},
                    {"pid", integer("pid_t"), 8},
                    {"tgid", integer("pid_t"), 12},
                    {"comm", table_->array_of(integer("char"), 16), 16},
                    {"mm", pointer("mm_struct"), 32},
                    {"real_parent", pointer("task_struct"), 40},
                    {"in_execve", integer("unsigned int"), 48, 1, 0},
                    {"in_iowait", integer("unsigned int"), 48, 1, 1},
                    {"prio", integer("int"), 52},
                    {"utime", u64, 56},
                    {"cpus", table_->array_of(integer("int"), 4), 64},
                    {"", anonymous(), 80},
                    {"work", table_->pointer_to(function()), 96},
                    {"owner", table_->pointer_to(table_->void_type()), 104},
                    {"thread", record("thread_struct"), 112}};
        if (tag == "mm_struct")
            return {{"total_vm", u64, 0},
                    {"arg_start", u64, 8},
                    {"pgd", table_->pointer_to(u64), 16},
                    {"context", record("mm_context"), 24}};
        if (tag == "thread_struct")
            return {{"fsbase", u64, 0}};
        if (tag == "mm_context")
            return {{"tlb_gen", record("atomic64"), 0}};
        if (tag == "atomic64")
            return {{"counter", u64, 0}};
        if (tag == "qstr")
            return {{"hash_len", u64, 0}, {"name", table_->pointer_to(integer("unsigned char")), 8}};
        if (tag == "dentry")
            return {{"d_name", record("qstr"), 0}, {"d_parent", pointer("dentry"), 16}};
        if (tag == "path")
            return {{"mnt", table_->pointer_to(table_->void_type()), 0}, {"dentry", pointer("dentry"), 8}};
        if (tag == "file")
            return {{"f_path", record("path"), 0},
                    {"f_pos", alias("loff_t"), 16},
                    {"f_flags", integer("unsigned int"), 24}};
        if (tag == "in6_addr")
            return {{"s6_addr", table_->array_of(integer("unsigned char"), 16), 0}};
        if (tag == "rwlock")
            return {{"cnts", integer("unsigned int"), 0}};
        return {{"word", u64, 0}};
    }

    const Type* anonymous()
    {
        Type* made = table_->make(TypeKind::Union);
        made->size = 8;
        made->complete = [this](std::vector<Member>& members, std::vector<Enumerator>&) {
            members = {{"rcu_users", integer("int"), 0, 0}, {"rcu_word", integer("unsigned long"), 0, 0}};
        };
        return made;
    }

    const Type* function()
    {
        Type* made = table_->make(TypeKind::Function);
        made->target = table_->void_type();
        return made;
    }

    TypeTable* table_;
    std::map<Key, const Type*> known_;
};

class FrozenTypes final : public TypeSource {
public:
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override
    {
        if (!module.empty() && module != "vmlinux")
            return nullptr;
        std::unique_ptr<Imports>& nodes = table.imports_of(*this);
        if (!nodes)
            nodes = std::make_unique<FrozenNodes>(table);
        return static_cast<FrozenNodes&>(*nodes).find(space, name);
    }

    std::string problem(std::string_view module) override
    {
        return module == "damaged" ? "Module does not contain any CTF data" : "";
    }
};

/// Provider of a few probes, with and without a function. Some of their arguments need translators, others cannot be
/// resolved.
class DemoProvider final : public probes::Provider {
public:
    explicit DemoProvider(std::string_view name) : name_(name) {}

    std::string_view name() const override { return name_; }
    uint32_t places() const override { return static_cast<uint32_t>(std::size(kDemos)); }

    Result<void> match(const ProbePattern& pattern, probes::ProbeSink& sink) override
    {
        for (uint32_t i = 0; i < std::size(kDemos); ++i) {
            Probe probe;
            probe.place = i;
            probe.provider = kDemos[i].provider;
            probe.module = "vmlinux";
            probe.function = kDemos[i].function;
            probe.name = kDemos[i].name;
            probe.attributes = name_ == "fbt" ? &kSyscall : &kDemo;
            if (probe.provider == name_ && probes::matches(pattern, probe))
                sink.add(std::move(probe));
        }
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        return {{kDemos[probe.place].arguments, kDemos[probe.place].arguments + 2}, false};
    }

private:
    struct Demo {
        const char *provider, *function, *name;
        ProbeArgument arguments[2];
    };
    static inline const Demo kDemos[] = {
        {"fbt", "vfs_read", "entry", {{"struct file *", "", 0, false}, {"userland char *", "", 1, true}}},
        {"fbt", "vfs_read", "return", {{"uint64_t", "", 0, false}, {"ssize_t", "", 1, false}}},
        {"demo", "", "untranslated", {{"struct file *", "struct itemview", 0, false}, {"int", "", 1, false}}},
        {"demo", "", "unknown-type", {{"struct file *", "", 0, false, {}, "file"}, {"nosuch_t", "", 1, false}}},
        {"demo", "", "name", {{"string", "", 0, true}, {"struct task_struct *", "struct pinfo *", 1, false}}},
    };
    std::string_view name_;
};

class FrozenWorld : public World {
public:
    explicit FrozenWorld(const machine::Machine& machine = machine::native()) : probes_(providers(kernel_))
    {
        kernel_.runs_on = &machine;
    }

    const machine::Machine& machine() const override { return kernel_.machine(); }

    ProbeSource& probes() override { return probes_; }
    bool has_module(std::string_view name) override { return name == "vmlinux" || name == "ext4"; }
    TypeSource* types() override { return &types_; }

    std::optional<KernelSymbol> symbol(std::string_view module, std::string_view name) override
    {
        if (!module.empty() && module != "vmlinux")
            return std::nullopt;
        if (name == "jiffies")
            return KernelSymbol{0xffffffff82a00000, 8, "vmlinux"};
        if (name == "max_pfn")
            return KernelSymbol{0xffffffff82b00000, 8, "vmlinux"};
        if (name == "init_task")
            return KernelSymbol{0xffffffff82c00000, 8192, "vmlinux"};
        if (name == "lost")
            return KernelSymbol{0xffffffff82d00000, 8, "damaged"};
        if (name == "vfs_read") {
            KernelSymbol symbol{0xffffffff81200000, 320, "vmlinux"};
            symbol.is_function = true;
            return symbol;
        }
        return std::nullopt;
    }

    /// Symbols of the traced process. It has three objects: the executable `prog` and a library, which are 64-bit, and
    /// the 32-bit `old`.
    std::optional<KernelSymbol> user_symbol(std::string_view module, std::string_view name) override
    {
        KernelSymbol symbol{0x555555558010, 4, "/bin/prog"};
        if ((module.empty() || module == "prog") && name == "counter")
            return symbol;
        if (module == "old" && name == "counter") {
            symbol.model = DataModel::Ilp32;
            return symbol;
        }
        return std::nullopt;
    }

    const Features& features() override { return tried; }
    Features tried; ///< features of the frozen kernel, set by tests
    uint32_t readable_cast() override { return cast; }
    /// BTF id of the kernel function bpf_rdonly_cast(), through which programs may load from any address. 0: the kernel
    /// lacks the function.
    uint32_t cast = 0;
    const Target& target() const override { return target_; }

private:
    /// Returns the real providers and two instances of DemoProvider: one for fbt, one for demo.
    static std::vector<std::unique_ptr<probes::Provider>> providers(probes::KernelView& kernel)
    {
        auto list = probes::all_providers(kernel);
        for (const char* name : {"fbt", "demo"})
            list.push_back(std::make_unique<DemoProvider>(name));
        return list;
    }

    FrozenKernel kernel_;
    probes::ProbeRegistry probes_;
    FrozenTypes types_;
    Target target_;
};

} // namespace dt::test
