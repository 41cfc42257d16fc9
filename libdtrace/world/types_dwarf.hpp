// Types from DWARF: of programs that were built with debug information, and those whose debug files are installed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/types.hpp"
#include "libdtrace/world/type_place.hpp"

namespace dt {

/// Of one ELF file. Everything is read when it is asked for; only what was asked for is kept.
class DwarfTypes final : public TypeSource {
public:
    /// Null: there are none; `problem` says why, if there seem to be some. See DwarfFile::open.
    static std::unique_ptr<DwarfTypes> open(const std::string& path, const std::string& named, std::string& problem);
    static std::unique_ptr<DwarfTypes> open(const std::string& path, std::string& problem)
    {
        return open(path, path, problem);
    }
    ~DwarfTypes() override;

    /// The module is the file, whatever it is called. C++ and Rust types are found by the last part of their name.
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;

    struct Parameter {
        std::string name;
        const Type* type = nullptr;
        std::vector<unsigned>
            registers; ///< DWARF's numbers of those that it is in when the function begins, as the compiler says
        bool is_placed = false; ///< the compiler says where it is, in registers or not
    };
    struct Function {
        std::vector<Parameter> parameters; ///< the first sixteen
        const Type* result = nullptr;      ///< void: none
        bool is_rust = false, is_go = false;
        bool is_called_by_others = false; ///< it is called as the platform wants it: no compiler can have changed that
    };
    /// The function that begins at a link-time address, its types made in `table`; nothing: not known.
    std::optional<Function> function(TypeTable& table, uint64_t address);

    /// Where a type that was made in `table` is described; nothing: at no single place.
    std::optional<TypePlace> place_of(TypeTable& table, const Type* type);
    /// What is described there; void: no type.
    const Type* at(TypeTable& table, const TypePlace& place);

private:
    struct Impl;
    explicit DwarfTypes(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
