// Types of one executable or library: from CTF if present, else from DWARF.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/world/types_ctf.hpp"
#include "libdtrace/world/types_dwarf.hpp"
#include "probes/process_view.hpp"

namespace dt {

/// Suffix of the explanation why a function's arguments have no types.
inline constexpr const char* kUntyped = ", so there are arg0, arg1, … only";

/// Interface for types of a file, independent of the process that reads it.
class TypesOfFile {
public:
    virtual ~TypesOfFile() = default;

    /// Returns the type, or null if the file has none with this name.
    virtual const Type* find(TypeTable& table, TypeNamespace space, std::string_view name) = 0;
    /// Returns the reason why the file's types cannot be read, or an empty string.
    virtual std::string problem() = 0;
    /// Returns the prototype of a function that begins at a file offset.
    virtual probes::ProcessView::Prototype prototype(uint64_t place, const std::string& function,
                                                     probes::ProcessView::Calls calls) = 0;
};

/// Types read in this process.
class FileTypes final : public TypesOfFile, public std::enable_shared_from_this<FileTypes> {
public:
    /// Opens a file. `named` is its usual path, which determines the names of its debug files.
    FileTypes(std::string path, std::string named);

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name) override;
    std::string problem() override { return problem_; }
    probes::ProcessView::Prototype prototype(uint64_t place, const std::string& function,
                                             probes::ProcessView::Calls calls) override;

    /// Parameter or result of a function: the fields of ProcessView::Value, and the type.
    struct Typed {
        std::string name;
        uint8_t word = 0;
        std::string refusal;
        const Type* type = nullptr;
    };
    /// Returns the content of ProcessView::Prototype for a function, with types made in one table. Without an address
    /// (the function is not mapped), the parameters are unknown.
    struct Signature {
        std::vector<Typed> parameters;
        std::optional<Typed> result;
        std::string untyped, note;
    };
    Signature signature(TypeTable& table, std::optional<uint64_t> address, const std::string& function,
                        probes::ProcessView::Calls calls);
    /// Returns the link-time address of a file offset, or nothing if it is not mapped.
    std::optional<uint64_t> address_of(uint64_t place) const;

    /// Returns the position of a type made in `table`, or nothing if it has no single description.
    std::optional<TypePlace> place_of(TypeTable& table, const Type* type);
    /// Returns the type at a position, or void if none is there.
    const Type* at(TypeTable& table, TypePlace place);

private:
    using Function = DwarfTypes::Function;

    DwarfTypes* dwarf();
    std::optional<Function> function(TypeTable& table, uint64_t address, const std::string& name);

    const std::string path_, named_;
    std::unique_ptr<CtfTypes> ctf_;
    std::unique_ptr<DwarfTypes> dwarf_;
    bool has_looked_for_dwarf_ = false;
    std::string problem_;
};

} // namespace dt
