// Types from CTF: of kernels that ship an archive of it, and of programs that were built with it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "dcompiler/sema/types.hpp"
#include "libdtrace/world/type_place.hpp"

namespace dt {

/// One CTF container or archive of containers.
class CtfTypes final : public TypeSource {
public:
    /// Opens a file: an archive, a container, or an ELF file with a section .ctf. Its pointers will be to `space`.
    /// Errors: those of the file; "Module does not contain any CTF data", with ENODATA where there is none and EINVAL,
    /// followed by the reason, where it is damaged.
    static Result<std::unique_ptr<CtfTypes>> open(const std::string& path, AddressSpace space);
    ~CtfTypes() override;

    /// A module is a container of the archive: of the kernel's that of the core is "vmlinux", what modules share is in
    /// "shared_ctf". An empty module, or any of a file that is not an archive: every container, the core first.
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    /// Of a module whose types were asked for.
    std::string problem(std::string_view module) override;

    /// Is there a container of this name?
    bool has_module(std::string_view module) const;

    /// Where a type that was made in `table` is described; nothing: at no single place.
    std::optional<TypePlace> place_of(TypeTable& table, const Type* type);
    /// What is described there; void: no type.
    const Type* at(TypeTable& table, const TypePlace& place);

private:
    struct Impl;
    explicit CtfTypes(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
