// The objects of a process, the executable and its libraries, and what their names stand for: for ``symbol in D
// programs. (Addresses to names is symbols.hpp's.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

class ForeignFiles;

class ProcessObjects {
public:
    struct Object {
        std::string path;               ///< as the process knows it
        std::string file;               ///< what to open here
        uint64_t start = 0, offset = 0; ///< of its lowest mapping
        bool has_code = false;          ///< some of it may be executed
    };
    struct Definition {
        const Object* object = nullptr;
        uint64_t address = 0, size = 0; ///< in the process
        bool is_function = false;
        bool is_32bit = false;
    };

    /// `proc`: where proc(5) is mounted. A process that cannot be looked at has no objects.
    ProcessObjects(const std::string& proc, int64_t pid);

    const std::vector<Object>& all() const { return objects_; } ///< the executable first, then by address

    /// By name: "a.out" (the executable), a path, its last component, or that up to a dot ("libc" for libc.so.6). Null:
    /// none.
    const Object* find(std::string_view module) const;

    /// A function or object by name; an empty module: the first object that has it. Of several, a global one before a
    /// weak before a local one. Cost: the symbol tables of the objects up to the one that has it. Thread-local objects
    /// have no address and are not found.
    std::optional<Definition> lookup(ForeignFiles& files, std::string_view module, std::string_view name) const;

private:
    std::vector<Object> objects_;
};

} // namespace dt
