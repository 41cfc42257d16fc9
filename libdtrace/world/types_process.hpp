// Types of the files that processes are made of.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/world/types_file.hpp"

namespace dt {

/// Files are opened when they are first asked about, and known by their build id: a library in another process or
/// container is the same.
class ProcessTypes {
public:
    /// `foreign`: has them read; whom it points to may change until the first question.
    explicit ProcessTypes(const std::shared_ptr<ForeignFiles>& foreign) : foreign_(foreign) {}

    /// As TypesOfFile has them.
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
    using Identity = std::array<int64_t, 4>; ///< device, inode, size, time of its last change

    std::shared_ptr<TypesOfFile> object(const std::string& file);

    const std::shared_ptr<ForeignFiles>& foreign_;
    std::map<Identity, std::shared_ptr<TypesOfFile>> files_;
    std::map<std::string, std::shared_ptr<TypesOfFile>> by_build_id_;
};

} // namespace dt
