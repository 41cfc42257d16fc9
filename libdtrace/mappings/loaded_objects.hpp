// The objects of a process (executable and libraries) and the addresses of their symbols, which D programs use in the
// form ``symbol. (symbols.hpp does the reverse: it finds the symbol at an address.) This file also declares a function
// that faults in the objects' data pages before tracing starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

class UntrustedFiles;

class LoadedObjects {
public:
    struct Object {
        std::string path;               ///< path of the object as the process knows it
        std::string file;               ///< path by which this process can open the object
        uint64_t start = 0, offset = 0; ///< start address and file offset of the object's lowest mapping
        bool has_code = false;          ///< whether a mapping of the object is executable
    };
    struct Definition {
        const Object* object = nullptr;
        uint64_t address = 0, size = 0; ///< address of the symbol in the process, and its size
        bool is_function = false;
        bool is_32bit = false;
    };

    /// `proc` is the mount point of proc(5). For a process that cannot be read, the list is empty.
    LoadedObjects(const std::string& proc, int64_t pid);

    /// Returns all objects: the executable first, the others by address.
    const std::vector<Object>& all() const { return objects_; }

    /// Finds an object. `module` is "a.out" (the executable), a path, the last component of a path, or the last
    /// component up to its first dot ("libc" for libc.so.6). Returns null if there is no such object.
    const Object* find(std::string_view module) const;

    /// Finds a function or object by name; an empty module means the first object that defines the name. A global
    /// symbol is preferred to a weak one, and a weak symbol to a local one. Thread-local objects have no address and
    /// are not found. Cost: reads symbol tables up to the first object that has the name.
    std::optional<Definition> lookup(UntrustedFiles& files, std::string_view module, std::string_view name) const;

private:
    void read(const std::string& process);

    std::vector<Object> objects_;
};

// Faults in the data pages of a process. BPF programs cannot wait for a page fault, so without this function they could
// not read strings and tables that the process has not touched yet.

/// Faults in the pages that map data of files: up to 16 MiB, in the order of their addresses. Pages that cannot be read
/// are skipped. Cost: about 0.5 us per page. `proc` is the mount point of proc(5).
void prefault_data(const std::string& proc, int64_t pid);

} // namespace dt
