// CTF types of kernels that ship an archive of them, and of programs built with CTF. Containers are validated before
// libctf reads them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/interface/types.hpp"
#include "libdtrace/types/type_spelling.hpp"

namespace dt {

/// One CTF container or archive of containers.
class CtfTypes final : public TypeSource {
public:
    /// Opens an archive, a container, or an ELF file with a .ctf section; pointers in it point into `space`. Errors:
    /// those of reading the file; "Module does not contain any CTF data" with ENODATA if the file has none. If the data
    /// are damaged, the code is EINVAL and a reason is added.
    static Result<std::unique_ptr<CtfTypes>> open(const std::string& path, AddressSpace space);
    ~CtfTypes() override;

    /// Finds a type. `module` is the name of a container of the archive: "vmlinux" is the kernel's core, and
    /// "shared_ctf" has the types that modules share. If `module` is empty or the file is not an archive, searches all
    /// containers, the core first.
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    /// Returns the reason why the types of a module cannot be read, if they were requested; else an empty string.
    std::string problem(std::string_view module) override;

    /// Returns whether a container has this name.
    bool has_module(std::string_view module) const;

    /// Returns the position of a type that was made in `table`; nothing if the type has no single description in the
    /// file.
    std::optional<TypePosition> place_of(TypeTable& table, const Type* type);
    /// Returns the type at a position, or void if none is there.
    const Type* at(TypeTable& table, const TypePosition& place);

private:
    struct Impl;
    explicit CtfTypes(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Validation of CTF containers. libctf trusts its input, so this check must precede it.

struct CtfContainer {
    std::string name;       ///< ".ctf" if there is only one
    std::string_view bytes; ///< content of the container, not validated
};

/// Returns the containers of an archive, or the bytes as a single container. Fails if the archive's table points
/// outside of the archive or repeats a name.
Result<std::vector<CtfContainer>> split_ctf(std::string_view bytes);

/// Returns the reason why the bytes are not a valid container of format version 3, or nothing if they are valid. In a
/// valid container every offset, length and count stays within the container, and no type contains itself. Takes linear
/// time.
std::optional<std::string> find_ctf_fault(std::string_view container);

} // namespace dt
