// A kernel made by hand, for tests that must not depend on the machine: a few probes, types and symbols that never
// change.
//
// Probes: dtrace BEGIN END ERROR (ids 1 to 3); syscall read, write, openat, close, getppid, nanosleep with typed
// arguments, exit_group without return; fbt vfs_read; the provider `demo` with arguments that need translators or
// cannot be resolved; profile-N and tick-N on demand. Types: task_struct and what hangs on it, a few typedefs and
// enums. Symbols: jiffies, max_pfn (untyped), init_task, vfs_read, lost (of a module with damaged types); of the
// process: counter.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include "dcompiler/world.hpp"

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

/// The kernel's types. Structs are made whole when somebody asks for them.
class FrozenTypes final : public TypeSource {
public:
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override
    {
        if (!module.empty() && module != "vmlinux")
            return nullptr;
        if (table_ != &table) { // one table at a time: a new run begins with nothing
            table_ = &table;
            known_.clear();
        }
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
            return name == "init_task" ? record("task_struct") : nullptr;
        }
        return nullptr;
    }

    std::string problem(std::string_view module) override { return module == "damaged" ? "Module does not contain any CTF data" : ""; }

private:
    using Key = std::pair<TypeNamespace, std::string>;
    struct Field {
        const char* name;
        const Type* type;
        uint64_t offset; ///< bytes
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
        static const std::map<std::string, uint64_t> sizes = {{"task_struct", 128}, {"mm_struct", 32}, {"rwlock", 8},
                                                              {"path", 16},         {"qstr", 16},      {"dentry", 40},
                                                              {"file", 48},         {"mutex", 32},     {"in6_addr", 16},
                                                              {"sk_buff", 64},      {"list_head", 16}};
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
                    {"owner", table_->pointer_to(table_->void_type()), 104}};
        if (tag == "mm_struct")
            return {{"total_vm", u64, 0}, {"arg_start", u64, 8}, {"pgd", table_->pointer_to(u64), 16}};
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

    TypeTable* table_ = nullptr;
    std::map<Key, const Type*> known_;
};

class FrozenWorld : public World {
public:
    FrozenWorld()
    {
        using Kind = ContextValue::Kind;
        for (const char* name : {"BEGIN", "END", "ERROR"}) {
            Probe& probe = add("dtrace", "", "", name, &kDtrace);
            if (probe.name == "ERROR")
                for (uint32_t i = 1; i < 6; ++i)
                    probe.args[i] = {Kind::FaultWord, i};
            else
                probe.hook = hook(ProgramKind::TestRun, "raw_tp/" + probe.name, name);
        }
        auto enter = hook(ProgramKind::RawTracepoint, "raw_tp/sys_enter", "sys_enter");
        enter->selector = ContextValue{Kind::ContextWord, 1};
        enter->selector_bound = 512;
        auto leave = hook(ProgramKind::RawTracepoint, "raw_tp/sys_exit", "sys_exit");
        leave->selector = ContextValue{Kind::UserRegister, 15};
        leave->selector_bound = 512;
        leave->return_value = {Kind::ContextWord, 1};
        const ProbeArgument fd{"unsigned int", "", 0, false}, size{"size_t", "", 2, false};
        syscall("read", 0, {fd, {"char *", "", 1, true}, size}, enter, leave);
        syscall("write", 1, {fd, {"const char *", "", 1, true}, size}, enter, leave);
        syscall("close", 3, {fd}, enter, leave);
        syscall("nanosleep", 35, {{"long *", "", 0, true}, {"long *", "", 1, true}}, enter, leave);
        syscall("getppid", 110, {}, enter, leave);
        syscall(
            "openat", 257,
            {{"int", "", 0, false}, {"const char *", "", 1, true}, {"int", "", 2, false}, {"umode_t", "", 3, false}},
            enter, leave);
        syscall("exit_group", 231, {{"int", "", 0, false}}, enter, nullptr);
        add("fbt", "vmlinux", "vfs_read", "entry", &kSyscall).typed_args = {{"struct file *", "", 0, false},
                                                                            {"userland char *", "", 1, true}};
        add("fbt", "vmlinux", "vfs_read", "return", &kSyscall).typed_args = {{"uint64_t", "", 0, false},
                                                                             {"ssize_t", "", 1, false}};
        add("demo", "vmlinux", "", "untranslated", &kDemo).typed_args = {
            {"struct file *", "struct itemview", 0, false}};
        add("demo", "vmlinux", "", "unknown-type", &kDemo).typed_args = {{"struct file *", "", 0, false},
                                                                         {"nosuch_t", "", 1, false}};
        add("demo", "vmlinux", "", "name", &kDemo).typed_args = {{"string", "", 0, true},
                                                                 {"struct task_struct *", "struct pinfo *", 1, false}};
    }

    Result<void> find_probes(const ProbePattern& pattern, std::vector<const Probe*>& found) override
    {
        if (glob_match(pattern.provider, "profile"))
            make_profile(pattern.name);
        for (const Probe& probe : probes_)
            if (glob_match(pattern.provider, probe.provider) && glob_match(pattern.module, probe.module) &&
                glob_match(pattern.function, probe.function) && glob_match(pattern.name, probe.name))
                found.push_back(&probe);
        return {};
    }

    const Probe* probe(uint32_t id) override { return id >= 1 && id <= probes_.size() ? &probes_[id - 1] : nullptr; }
    bool has_provider(std::string_view name) override
    {
        return name == "profile" ||
               std::any_of(probes_.begin(), probes_.end(), [&](const Probe& probe) { return probe.provider == name; });
    }
    bool has_module(std::string_view name) override { return name == "vmlinux" || name == "ext4"; }
    TypeSource* types() override { return &types_; }

    std::optional<KernelSymbol> symbol(std::string_view module, std::string_view name) override
    {
        if (!module.empty() && module != "vmlinux")
            return std::nullopt;
        if (name == "jiffies")
            return KernelSymbol{0xffffffff82a00000, 8, "vmlinux", ulong_};
        if (name == "max_pfn")
            return KernelSymbol{0xffffffff82b00000, 8, "vmlinux", nullptr};
        if (name == "init_task")
            return KernelSymbol{0xffffffff82c00000, 8192, "vmlinux", nullptr};
        if (name == "lost")
            return KernelSymbol{0xffffffff82d00000, 8, "damaged", nullptr};
        if (name == "vfs_read") {
            KernelSymbol symbol{0xffffffff81200000, 320, "vmlinux", nullptr};
            symbol.is_function = true;
            return symbol;
        }
        return std::nullopt;
    }

    /// The process: an executable `prog` and a library, both of 64 bits, and `old`, of 32.
    std::optional<KernelSymbol> user_symbol(std::string_view module, std::string_view name) override
    {
        KernelSymbol symbol{0x555555558010, 4, "/bin/prog", nullptr};
        if ((module.empty() || module == "prog") && name == "counter")
            return symbol;
        if (module == "old" && name == "counter") {
            symbol.model = DataModel::Ilp32;
            return symbol;
        }
        return std::nullopt;
    }

    const Features& features() override { return features_; }
    const Target& target() const override { return target_; }

private:
    std::shared_ptr<Hook> hook(ProgramKind kind, std::string section, std::string target)
    {
        auto made = std::make_shared<Hook>();
        made->kind = kind;
        made->section = std::move(section);
        made->target = std::move(target);
        return made;
    }

    Probe& add(const char* provider, const char* module, const char* function, std::string name,
               const ProviderAttributes* attributes)
    {
        Probe& probe = probes_.emplace_back();
        probe.id = static_cast<uint32_t>(probes_.size());
        probe.provider = provider;
        probe.module = module;
        probe.function = function;
        probe.name = std::move(name);
        probe.attributes = attributes;
        return probe;
    }

    void syscall(const char* name, uint32_t number, std::vector<ProbeArgument> arguments,
                 std::shared_ptr<const Hook> enter, std::shared_ptr<const Hook> leave)
    {
        // x86-64: the words of pt_regs that hold the six arguments: rdi rsi rdx r10 r8 r9.
        constexpr uint32_t words[] = {14, 13, 12, 7, 9, 8};
        Probe& entry = add("syscall", "vmlinux", name, "entry", &kSyscall);
        entry.hook = std::move(enter);
        entry.selector = number;
        entry.typed_args = std::move(arguments);
        for (std::size_t i = 0; i < 6; ++i)
            entry.args[i] = {ContextValue::Kind::UserRegister, words[i]};
        if (!leave)
            return;
        Probe& exit = add("syscall", "vmlinux", name, "return", &kSyscall);
        exit.hook = std::move(leave);
        exit.selector = number;
        exit.typed_args = {{"long", "", 0, false}, {"long", "", 1, false}};
        exit.args[0] = exit.args[1] = {ContextValue::Kind::ContextWord, 1};
    }

    void make_profile(const std::string& name)
    {
        const std::size_t dash = name.find('-');
        if (dash == std::string::npos || (name.substr(0, dash) != "tick" && name.substr(0, dash) != "profile") ||
            dash + 1 == name.size() || name.find_first_of("*?[") != std::string::npos ||
            !(name[dash + 1] >= '1' && name[dash + 1] <= '9'))
            return;
        for (const Probe& probe : probes_)
            if (probe.name == name)
                return;
        Probe& made = add("profile", "", "", name, &kProfile);
        made.hook = hook(ProgramKind::PerfEvent, "perf_event", name);
        made.args[0] = {ContextValue::Kind::KernelPc, 0};
        made.args[1] = {ContextValue::Kind::UserPc, 0};
    }

    std::deque<Probe> probes_;
    FrozenTypes types_;
    TypeTable own_types_;
    const Type* ulong_ = own_types_.named("unsigned long");
    Features features_;
    Target target_;
};

} // namespace dt::test
