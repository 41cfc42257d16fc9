// Kernel types from BTF, loaded when a script first needs one.
#pragma once

#include <memory>

#include "dcompiler/sema/types.hpp"

namespace dt {

/// The types of the running kernel and its modules (/sys/kernel/btf). Files are read and parsed on demand; a name that no file has costs
/// one search of the string sections and no parsing. Imported structs get their members when somebody asks for them, so the source must
/// outlive the tables it imported into, and one source serves one table.
class BtfTypes final : public TypeSource {
public:
    explicit BtfTypes(std::string directory = "/sys/kernel/btf");
    ~BtfTypes() override;

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    /// Is there type information at all?
    bool available() const;

    /// Has this module a file of its own? What is built in has none; its types are "vmlinux"'s.
    bool has_module(std::string_view name);

    /// Is a module's variable one that every CPU has a copy of?
    bool is_per_cpu(std::string_view module, std::string_view variable);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
