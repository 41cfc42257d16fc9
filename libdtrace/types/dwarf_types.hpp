// DWARF types of programs with debug information. The information is in the program file or in an installed debug file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/types.hpp"
#include "libdtrace/types/type_spelling.hpp"

namespace dt {

/// Types of one ELF file, read when they are needed.
class DwarfTypes final : public TypeSource {
public:
    /// Opens the debug information as DwarfFile::open() does, or returns null. If debug information exists but is not
    /// usable, stores the reason in `problem`.
    static std::unique_ptr<DwarfTypes> open(const std::string& path, const std::string& named, std::string& problem);
    static std::unique_ptr<DwarfTypes> open(const std::string& path, std::string& problem)
    {
        return open(path, path, problem);
    }
    ~DwarfTypes() override;

    /// Finds a type; `module` is ignored. C++ and Rust types are found by the last part of their name.
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    struct Parameter {
        std::string name;
        const Type* type = nullptr;
        /// DWARF numbers of registers that contain the parameter at the function's entry
        std::vector<unsigned> registers;
        bool is_placed = false; ///< whether the debug information says where the parameter is at the function's entry
    };
    struct Function {
        std::vector<Parameter> parameters; ///< the function's first parameters, at most sixteen
        const Type* result = nullptr;      ///< type of the result; void if the function returns nothing
        bool is_rust = false, is_go = false;
        /// whether other objects can call the function; such a function follows the platform's calling convention
        bool is_called_by_others = false;
    };
    /// Returns the function at a link-time address, or nothing if the debug information contains no such function.
    /// Creates the types of the function in `table`.
    std::optional<Function> function(TypeTable& table, uint64_t address);

    struct Variable {
        std::string name;
        const Type* type = nullptr;
        std::string refusal; ///< reason why a probe cannot read the variable; empty if it can
        bool is_parameter = false;
        VariableLocation location;
    };
    /// Returns the variables that are visible at a link-time address, as DwarfVariables::find() does. Creates their
    /// types in `table`.
    std::vector<Variable> variables(TypeTable& table, uint64_t address, const std::string& name, std::string& problem);

    /// Returns the position in the file of the description of a type that was created in `table`. Returns nothing if
    /// the file contains no description of the type, or several.
    std::optional<TypePosition> place_of(TypeTable& table, const Type* type);
    /// Returns the type whose description is at a position of the file, or void if there is none.
    const Type* at(TypeTable& table, const TypePosition& place);

private:
    struct Impl;
    explicit DwarfTypes(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
