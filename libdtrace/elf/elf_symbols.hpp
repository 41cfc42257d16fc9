// The symbols of an ELF file, and the mapped files of a process's address space. The functions of a stripped Go program
// are read from .gopclntab, which Go's runtime needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/elf/packed_symbols.hpp"

struct Elf; // forward declaration, as in libelf.h

namespace dt {

class PackedReader;
class PackedWriter;
class UntrustedFiles;

/// The function and object symbols of one ELF file, by link-time addresses.
class ElfSymbols {
public:
    struct Symbol {
        uint64_t start = 0, size = 0;
        std::string name;
        bool is_function = false;
        /// Whether the symbol is an IFUNC resolver (STT_GNU_IFUNC): it returns the address of the implementation when
        /// the program starts.
        bool is_ifunc = false;
        int binding = 0; ///< rank of the symbol's binding (rank_of_binding()): 0 global, 1 weak, 2 local
    };

    /// Reads .symtab and .dynsym; for a stripped file, also its debug file (elf_file.hpp) or Go's function table. A
    /// missing or non-ELF file yields an empty table. `named` is the path of the file in its own file system; the debug
    /// file is searched relative to it.
    ElfSymbols(const std::string& path, const std::string& named);
    explicit ElfSymbols(const std::string& path) : ElfSymbols(path, path) {}

    /// Reads a traced program's file in a sandboxed reader (untrusted_files.hpp). The result is empty if that fails.
    static ElfSymbols of_untrusted(UntrustedFiles& files, const std::string& path, const std::string& named);
    static ElfSymbols of_untrusted(UntrustedFiles& files, const std::string& path)
    {
        return of_untrusted(files, path, path);
    }
    /// Reads a file only for lookups by address. A sandboxed reader packs the symbols (see pack()), so that this
    /// process never holds the unpacked table. Without a sandboxed reader the symbols are not packed.
    static ElfSymbols packed_of_untrusted(UntrustedFiles& files, const std::string& path, const std::string& named);

    /// Returns whether the file exists and is an ELF file.
    bool found() const { return found_; }
    bool is_32bit() const { return is_32bit_; }
    /// Returns whether the file was compiled by the Go compiler.
    bool is_go() const { return is_go_; }
    /// Packs the table for rare lookups by address. Frees the data of all() and find_name(), and the kinds and bindings
    /// of symbols. Results of find() are then valid only until its next call.
    void pack();
    /// Frees the caches of find(); later calls of find() fill the caches again.
    void rest();
    bool is_packed() const { return !packed_.empty(); }
    /// Returns the memory of the table in bytes.
    std::size_t bytes() const { return bytes_; }

    /// Returns the link-time address of a file offset, according to the program headers. Returns the offset itself if
    /// no segment contains it.
    uint64_t address_of_offset(uint64_t offset) const;
    /// Returns the file offset of the code at a link-time address, or nothing if no executable segment contains the
    /// address.
    std::optional<uint64_t> code_offset(uint64_t address) const;
    /// Returns the symbol that covers `address`, or null. If several symbols cover it, the one with the best name, by
    /// the rule in packed_symbols.hpp, is returned.
    const Symbol* find(uint64_t address) const;
    /// Returns the symbol with this name, or null.
    const Symbol* find_name(std::string_view name) const;
    /// Returns the symbols; for each address, only the one with the best name.
    const std::vector<Symbol>& all() const { return symbols_; }
    /// Returns the symbols that are not in all() because another symbol has the same address. They are sorted by
    /// address, and for each address by quality of the name, best first.
    const std::vector<Symbol>& aliases() const { return aliases_; }

private:
    struct Segment {
        uint64_t offset, size, address, is_code;
    };
    struct Candidate {
        uint64_t start, size;
        std::string_view name;
        int binding;
        bool is_function, is_ifunc;
    };

    ElfSymbols() = default;
    struct Found {
        Symbol symbol;
        /// first address after the queried one for which find() may return another symbol
        uint64_t end = 0;
    };

    static ElfSymbols asked(std::string_view request);
    void serialize_file(PackedWriter& answer) const;
    void take_file(PackedReader& answer);
    std::string serialized() const;
    std::string serialized_packed() const;
    bool read_serialized(std::string_view answer);
    bool read_packed_symbols(std::string_view answer);
    static std::vector<Symbol> deserialize_symbols(PackedReader& answer);
    const Symbol* find_packed(uint64_t address) const;
    void take(Elf* elf, bool from_go_table = false);
    void keep_best(std::vector<Candidate>& candidates);

    bool found_ = false, is_go_ = false, is_32bit_ = false;
    std::size_t most_names_ = 0, bytes_ = 0;
    std::vector<Segment> segments_;
    // The symbols, and the further symbols that have the same addresses. Both lists are sorted by start address.
    std::vector<Symbol> symbols_, aliases_;
    mutable PackedSymbols packed_;               // compressed symbols, which replace `symbols_` after pack()
    mutable std::map<uint64_t, Found> unpacked_; // recent results of find(), by start address of the symbol
};

/// A line of /proc/PID/maps with a file name or a name such as [vdso].
struct Mapping {
    uint64_t start = 0, end = 0, offset = 0;
    std::string path;
    uint64_t inode = 0;   ///< inode number of the mapped file; 0 if unknown
    bool is_code = false; ///< whether the mapping is executable
    bool deleted = false; ///< whether the mapped file was removed or renamed

    std::string_view base_name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
    bool operator==(const Mapping&) const = default;
};

/// Parses the text of /proc/PID/maps. Omits anonymous mappings.
std::vector<Mapping> parse_maps(std::string_view text);

/// Returns the mapping that contains `address`, or null. `mappings` must be sorted by address, as in the kernel's list.
Mapping* find_mapping(std::vector<Mapping>& mappings, uint64_t address);

} // namespace dt

// The functions of a Go program, from the table .gopclntab. The Go runtime needs the table to unwind stacks, so even
// stripped programs contain it (go build -ldflags "-s -w").

struct Elf; // forward declaration, as in libelf.h

namespace dt {

struct GoFunction {
    uint64_t start = 0, size = 0; ///< link-time address and size; the size includes padding after the function
    std::string_view name;        ///< name of the function; a view of the table's bytes
    /// Whether the function takes its arguments from the stack (ABI0), and a wrapper of the same name takes them from
    /// registers.
    bool is_abi0 = false;
};

/// Reads the function table of a program that was compiled by Go 1.16 or later. Returns nothing for other versions or
/// invalid data. `code` is the address of the program's code; it is used if the table does not contain that address.
/// `word` is the size of an address in bytes. The table is untrusted: the result is sorted by address and ends before
/// the first entry that is out of order.
std::vector<GoFunction> read_go_functions(std::span<const uint8_t> table, uint64_t code, std::size_t word);
/// Reads the functions of a file. The names are valid while the file is open.
std::vector<GoFunction> read_go_functions(Elf* elf);

} // namespace dt
