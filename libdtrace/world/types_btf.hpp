// The kernel's and its modules' types from BTF, looked at when a script first needs one.
#pragma once

#include <memory>

#include "dcompiler/sema/kernel_types.hpp"

namespace dt {

/// The types of the running kernel and its modules (/sys/kernel/btf). A file that is damaged has no types. Where a name
/// was found is remembered for as long as the source lives; the nodes of types belong to the table they were made in.
class BtfTypes final : public KernelTypes {
public:
    explicit BtfTypes(std::string directory = "/sys/kernel/btf");
    ~BtfTypes() override;

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    std::vector<std::string> modules() override;
    std::optional<uint32_t> function_id(std::string_view module, std::string_view name) override;
    std::optional<Prototype> prototype(std::string_view module, std::string_view name) override;
    void for_each_function(std::string_view module, const VisitFunction& visit) override;
    const Type* tracepoint_type(TypeTable& table, std::string_view name, std::string_view module) override;
    std::optional<Prototype> tracepoint_prototype(std::string_view name, std::string_view module) override;
    std::optional<uint32_t> tracepoint_id(std::string_view module, std::string_view name) override;
    void for_each_tracepoint(std::string_view module, const VisitFunction& visit) override;
    std::optional<Place> member(std::string_view module, std::string_view record, std::string_view path) override;

    /// Of another kernel than the running one, by a file of its types; it has no modules. Before the first question.
    void use_file(const std::string& path);

    /// Is there type information at all?
    bool available() const;

    /// Has this module a file of its own? What is built in has none; its types are "vmlinux"'s.
    bool has_module(std::string_view name);

    /// Is a module's variable one that every CPU has a copy of?
    bool is_per_cpu(std::string_view module, std::string_view variable);

    /// Gives up what makes finding types fast, and would be made again: for who asks no more for long.
    void forget_indexes();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
