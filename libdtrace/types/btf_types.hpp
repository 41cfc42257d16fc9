// BTF types of the kernel and its modules, read when they are needed.
#pragma once

#include <memory>

#include "dcompiler/interface/kernel_types.hpp"

namespace dt {

/// Types of the running kernel and its modules (/sys/kernel/btf). Damaged files are ignored. Results of name lookups
/// are cached during the lifetime of this object; type nodes belong to the type table for which they were requested.
class BtfTypes final : public KernelTypes {
public:
    explicit BtfTypes(std::string directory = "/sys/kernel/btf");
    ~BtfTypes() override;

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    std::vector<std::string> modules() override;
    std::optional<uint32_t> function_id(std::string_view module, std::string_view name) override;
    std::optional<Prototype> prototype(std::string_view module, std::string_view name) override;
    std::vector<std::string> parameter_names(std::string_view module, std::string_view name) override;
    void for_each_function(std::string_view module, const VisitFunction& visit) override;
    const Type* tracepoint_type(TypeTable& table, std::string_view name, std::string_view module) override;
    std::optional<Prototype> tracepoint_prototype(std::string_view name, std::string_view module) override;
    std::optional<uint32_t> tracepoint_id(std::string_view module, std::string_view name) override;
    void for_each_tracepoint(std::string_view module, const VisitFunction& visit) override;
    std::optional<MemberLocation> member(std::string_view module, std::string_view record,
                                         std::string_view path) override;

    /// Replaces the running kernel's types by a BTF file of another kernel, without modules. Must be called before the
    /// first lookup.
    void use_file(const std::string& path);

    /// Returns whether the kernel has type information.
    bool available() const;

    /// Returns whether the module has a BTF file of its own. Built-in modules have no file; their types belong to
    /// "vmlinux".
    bool has_module(std::string_view name);

    /// Returns whether a variable of a module is a per-CPU variable.
    bool is_per_cpu(std::string_view module, std::string_view variable);

    /// Frees lookup indexes, which are rebuilt when needed. Called before long idle times.
    void forget_indexes();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
