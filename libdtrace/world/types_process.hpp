// Types of the executables and libraries of traced processes.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/world/types_file.hpp"

namespace dt {

/// Cache of files, which are opened on demand and identified by build id. So a library in another process or container
/// is read only once.
class ProcessTypes {
public:
    /// `foreign` is a reference to the reader's owner, which may change until the first lookup.
    explicit ProcessTypes(const std::shared_ptr<ForeignFiles>& foreign) : foreign_(foreign) {}

    /// Forward to the file's TypesOfFile.
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

private:
    using Identity = std::array<int64_t, 4>; ///< device, inode, size and modification time

    std::shared_ptr<TypesOfFile> object(const std::string& file);

    const std::shared_ptr<ForeignFiles>& foreign_;
    std::map<Identity, std::shared_ptr<TypesOfFile>> files_;
    std::map<std::string, std::shared_ptr<TypesOfFile>> by_build_id_;
};

} // namespace dt
