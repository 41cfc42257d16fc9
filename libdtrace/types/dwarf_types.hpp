// DWARF types of programs with debug information, in the file itself or in an installed debug file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/interface/types.hpp"
#include "libdtrace/types/type_spelling.hpp"

namespace dt {

/// Types of one ELF file, read on demand.
class DwarfTypes final : public TypeSource {
public:
    /// Opens the debug information as DwarfFile::open() does, or returns null. If debug information exists but is not
    /// usable, sets `problem`.
    static std::unique_ptr<DwarfTypes> open(const std::string& path, const std::string& named, std::string& problem);
    static std::unique_ptr<DwarfTypes> open(const std::string& path, std::string& problem)
    {
        return open(path, path, problem);
    }
    ~DwarfTypes() override;

    /// Finds a type; the module is ignored. C++ and Rust types are found by the last part of their name.
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    struct Parameter {
        std::string name;
        const Type* type = nullptr;
        std::vector<unsigned> registers; ///< DWARF register numbers that hold the parameter at function entry
        bool is_placed = false;          ///< whether the compiler describes where the parameter is at entry
    };
    struct Function {
        std::vector<Parameter> parameters; ///< the first parameters, at most sixteen
        const Type* result = nullptr;      ///< void if the function returns nothing
        bool is_rust = false, is_go = false;
        bool is_called_by_others = false; ///< other objects can call it, so it follows the platform's convention
    };
    /// Returns the function at a link-time address with types made in `table`, or nothing if it is not known.
    std::optional<Function> function(TypeTable& table, uint64_t address);

    /// Returns the position of a type that was made in `table`; nothing if the type has no single description in the
    /// file.
    std::optional<TypePosition> place_of(TypeTable& table, const Type* type);
    /// Returns the type at a position, or void if none is there.
    const Type* at(TypeTable& table, const TypePosition& place);

private:
    struct Impl;
    explicit DwarfTypes(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
