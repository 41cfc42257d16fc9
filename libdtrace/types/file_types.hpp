// Types of one executable or library: from CTF if present, else from DWARF.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/types.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/types/ctf_types.hpp"
#include "libdtrace/types/dwarf_types.hpp"
#include "machine/machine.hpp"
#include "probes/process_view.hpp"

namespace dt {

// Maps a function's parameters to a probe's arguments (arg0, …) by their types and the calling convention.

/// The position of a parameter or result: the index of the probe's argument word (argN) that contains the value, or the
/// reason why none does. A structure occupies consecutive words from `word` on.
struct Passed {
    uint8_t word = 0;
    std::string refusal; ///< why no word contains the value; empty if `word` contains it
    StructureForm form = StructureForm::Bytes;
};

/// Returns the position of each parameter. `result` is the function's result type, which is void or null if there is no
/// result. A large result is stored in memory whose address is a hidden first argument, so it changes the positions. If
/// the type of a parameter is unknown, its pointer is null.
std::vector<Passed> passed_parameters(probes::ProcessView::Calls calls, bool is_rust, const Type* result,
                                      const std::vector<const Type*>& parameters,
                                      const machine::Machine& machine = machine::native());
/// Returns the position of a function's result in a return probe.
Passed passed_result(probes::ProcessView::Calls calls, const Type* result,
                     const machine::Machine& machine = machine::native());
/// Returns the position of a parameter that is in `registers` (DWARF numbers) at the function's entry.
Passed passed_in(probes::ProcessView::Calls calls, const Type* type, const std::vector<unsigned>& registers,
                 const machine::Machine& machine = machine::native());

/// End of a message that explains why the arguments of a function have no types.
inline constexpr const char* kUntyped = ", so only arg0, arg1, … are available";

/// The types of a file. Implementations read the file in this process or in a sandboxed reader.
class TypesOfFile {
public:
    virtual ~TypesOfFile() = default;

    /// Returns the type with this name, or null if the file contains no such type.
    virtual const Type* find(TypeTable& table, TypeNamespace space, std::string_view name) = 0;
    /// Returns the reason why the file's types cannot be read, or an empty string.
    virtual std::string problem() = 0;
    /// Returns the prototype of a function that begins at the file offset `place`.
    virtual probes::ProcessView::Prototype prototype(uint64_t place, const std::string& function,
                                                     probes::ProcessView::Calls calls) = 0;
    /// Returns the variables that are visible at the file offset `place`, as ProcessView::variables() does.
    virtual probes::ProcessView::Variables variables(uint64_t place, const std::string& name) = 0;
};

/// Types read in this process.
class FileTypes final : public TypesOfFile, public std::enable_shared_from_this<FileTypes> {
public:
    /// Opens a file at `path`. `named` is its path in the file system to which it belongs; the names of its debug files
    /// are derived from this path.
    FileTypes(std::string path, std::string named);

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name) override;
    std::string problem() override { return problem_; }
    probes::ProcessView::Prototype prototype(uint64_t place, const std::string& function,
                                             probes::ProcessView::Calls calls) override;

    probes::ProcessView::Variables variables(uint64_t place, const std::string& name) override;
    /// Returns the same variables with types that are created in `table`.
    std::vector<DwarfTypes::Variable> variables(TypeTable& table, uint64_t place, const std::string& name,
                                                std::string& problem);

    /// A parameter or the result of a function: like ProcessView::Value, but with the type itself.
    struct Typed {
        std::string name;
        uint8_t word = 0;
        std::string refusal;
        const Type* type = nullptr;
        /// meaning of the words of a structure, as in probes::ProcessView::Value
        StructureForm form = StructureForm::Bytes;
    };
    /// The data of ProcessView::Prototype for a function, with types that were created in one table. If no segment
    /// contains the file offset of the function, its address is unknown, and so are its parameters.
    struct Signature {
        std::vector<Typed> parameters;
        std::optional<Typed> result;
        std::string untyped, note;
    };
    Signature signature(TypeTable& table, std::optional<uint64_t> address, const std::string& function,
                        probes::ProcessView::Calls calls);
    /// Returns the link-time address of a file offset, or nothing if no segment of the file contains the offset.
    std::optional<uint64_t> address_of(uint64_t place) const;

    /// For a type that was created in `table`, returns the position of its description in the file. Returns nothing if
    /// the file contains no description of the type, or several.
    std::optional<TypePosition> place_of(TypeTable& table, const Type* type);
    /// Returns the type whose description is at a position of the file, or void if there is none.
    const Type* at(TypeTable& table, TypePosition place);

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

// Types of the executables and libraries of traced processes.

/// Cache of files, which are opened when needed and identified by build id. A library that several processes or
/// containers use is therefore read only once.
class ProcessTypes {
public:
    /// `untrusted` points to the reader of the files. It is a reference to a pointer, because the pointer may be
    /// changed until the first lookup.
    explicit ProcessTypes(const std::shared_ptr<UntrustedFiles>& untrusted) : untrusted_(untrusted) {}

    /// Each of the following functions opens the file if necessary, and calls the member function of TypesOfFile with
    /// the same name:
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, const std::string& file)
    {
        return object(file)->find(table, space, name);
    }
    std::string problem(const std::string& file) { return object(file)->problem(); }
    probes::ProcessView::Prototype prototype(const std::string& file, uint64_t place, const std::string& function,
                                             probes::ProcessView::Calls calls)
    {
        return object(file)->prototype(place, function, calls);
    }
    probes::ProcessView::Variables variables(const std::string& file, uint64_t place, const std::string& name)
    {
        return object(file)->variables(place, name);
    }

private:
    using Identity = std::array<int64_t, 4>; ///< identity of a file: device, inode, size and modification time

    std::shared_ptr<TypesOfFile> object(const std::string& file);

    const std::shared_ptr<UntrustedFiles>& untrusted_;
    std::map<Identity, std::shared_ptr<TypesOfFile>> files_;
    std::map<std::string, std::shared_ptr<TypesOfFile>> by_build_id_;
};

} // namespace dt
