// Types of one file that processes are made of: from CTF where it has them, else from DWARF.
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

/// Behind the reason why the arguments of a function have no types.
inline constexpr const char* kUntyped = ", so there are arg0, arg1, … only";

/// Whoever reads it.
class TypesOfFile {
public:
    virtual ~TypesOfFile() = default;

    /// Null: the file has no such type.
    virtual const Type* find(TypeTable& table, TypeNamespace space, std::string_view name) = 0;
    /// Why the types of a file that has some cannot be read; empty when nothing is wrong.
    virtual std::string problem() = 0;
    /// What is known of a function that begins at an offset in the file.
    virtual probes::ProcessView::Prototype prototype(uint64_t place, const std::string& function,
                                                     probes::ProcessView::Calls calls) = 0;
};

/// Read here.
class FileTypes final : public TypesOfFile, public std::enable_shared_from_this<FileTypes> {
public:
    /// `named`: what the file is called where it belongs, by which its debug file is looked for.
    FileTypes(std::string path, std::string named);

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name) override;
    std::string problem() override { return problem_; }
    probes::ProcessView::Prototype prototype(uint64_t place, const std::string& function,
                                             probes::ProcessView::Calls calls) override;

    /// A parameter, or what a function gives back: what ProcessView::Value tells of it, and its type.
    struct Typed {
        std::string name;
        uint8_t word = 0;
        std::string refusal;
        const Type* type = nullptr;
    };
    /// What ProcessView::Prototype tells of the function at a link-time address (nothing: of none that is mapped), with
    /// types that are made in one table.
    struct Signature {
        std::vector<Typed> parameters;
        std::optional<Typed> result;
        std::string untyped, note;
    };
    Signature signature(TypeTable& table, std::optional<uint64_t> address, const std::string& function,
                        probes::ProcessView::Calls calls);
    /// The link-time address of an offset in the file; nothing: nothing of the file is mapped there.
    std::optional<uint64_t> address_of(uint64_t place) const;

    /// Where a type that was made in `table` is described; nothing: at no single place.
    std::optional<TypePlace> place_of(TypeTable& table, const Type* type);
    /// What is described there; void: no type.
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
