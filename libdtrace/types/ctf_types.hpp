// CTF types of kernels that are shipped with a CTF archive, and of programs built with CTF. Containers are validated
// before libctf reads them.
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

/// One CTF container, or one archive of containers.
class CtfTypes final : public TypeSource {
public:
    /// Opens an archive, a container, or an ELF file with a .ctf section. Pointer types in the file point into `space`.
    /// If the file contains no CTF data, the error is "Module does not contain any CTF data" with ENODATA. If the data
    /// are damaged, the code is EINVAL and a reason is added.
    static Result<std::unique_ptr<CtfTypes>> open(const std::string& path, AddressSpace space);
    ~CtfTypes() override;

    /// Finds a type. `module` is the name of a container of the archive: "vmlinux" is the core kernel, and "shared_ctf"
    /// contains the types that modules share. If `module` is empty or the file is not an archive, searches all
    /// containers, first the container of the core kernel.
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    /// Returns the reason why the types of a module cannot be read. Returns an empty string if they can be read or if
    /// no lookup has needed them yet.
    std::string problem(std::string_view module) override;

    /// Returns whether a container has this name.
    bool has_module(std::string_view module) const;

    /// For a type that was created in `table`, returns the position of its description in the file. Returns nothing if
    /// the file contains no description of the type, or several.
    std::optional<TypePosition> place_of(TypeTable& table, const Type* type);
    /// Returns the type whose description is at a position of the file, or void if there is none.
    const Type* at(TypeTable& table, const TypePosition& place);

private:
    struct Impl;
    explicit CtfTypes(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Validation of CTF containers. libctf trusts its input, so containers must be validated before libctf reads them.

struct CtfContainer {
    std::string name;       ///< name of the container in the archive; ".ctf" if there is only one container
    std::string_view bytes; ///< content of the container, not validated
};

/// Returns the containers of an archive, or the bytes as a single container. Fails if an entry of the archive's table
/// points outside of the archive, or if two entries have the same name.
Result<std::vector<CtfContainer>> split_ctf(std::string_view bytes);

/// Returns the reason why the bytes are not a valid container of format version 3, or nothing if they are valid. In a
/// valid container, all offsets, lengths and counts stay within the container, and no type contains itself. Takes
/// linear time.
std::optional<std::string> find_ctf_fault(std::string_view container);

} // namespace dt
