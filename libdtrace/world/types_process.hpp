// Types of the files that processes are made of: from CTF where they have it, else from DWARF.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "libdtrace/world/types_ctf.hpp"
#include "libdtrace/world/types_dwarf.hpp"
#include "probes/process_view.hpp"

namespace dt {

/// Files are opened when they are first asked about, and known by their build id: a library in another process or
/// container is the same.
class ProcessTypes {
public:
    /// Null: the file has no such type.
    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, const std::string& file);
    /// Why the types of a file that has some cannot be read; empty when nothing is wrong.
    std::string problem(const std::string& file);
    /// What is known of a function that begins at an offset in the file.
    probes::ProcessView::Prototype prototype(const std::string& file, uint64_t place, const std::string& function,
                                             probes::ProcessView::Calls calls);

private:
    struct Object {
        std::string file; ///< by which it was opened first
        std::unique_ptr<CtfTypes> ctf;
        std::unique_ptr<DwarfTypes> dwarf;
        bool has_looked_for_dwarf = false;
        std::string problem;
    };
    using Identity = std::array<int64_t, 4>; ///< device, inode, size, time of its last change
    using Function = DwarfTypes::Function;

    std::shared_ptr<Object> object(const std::string& file);
    static DwarfTypes* dwarf(Object& object);
    static std::optional<Function> function(Object& object, TypeTable& table, uint64_t address,
                                            const std::string& name);

    std::map<Identity, std::shared_ptr<Object>> files_;
    std::map<std::string, std::shared_ptr<Object>> by_build_id_;
};

} // namespace dt
