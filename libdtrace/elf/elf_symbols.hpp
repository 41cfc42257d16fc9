// The address space of a process as its mapped files, and the functions of those files from their ELF symbol tables.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/elf/packed_symbols.hpp"

struct Elf; // libelf.h

namespace dt {

class PackedReader;
class PackedWriter;
class ForeignFiles;

/// The function and object symbols of one ELF file, by its own (link-time) addresses.
class ElfSymbols {
public:
    struct Symbol {
        uint64_t start = 0, size = 0;
        std::string name;
        bool is_function = false;
        bool is_indirect = false; ///< the function chooses, when the program starts, which other one serves by its name
                                  ///< (STT_GNU_IFUNC)
        int binding = 0;          ///< global before weak before local
    };

    /// Reads .symtab and .dynsym, and of a stripped file what its debug file has (debug_files.hpp), or Go's own table
    /// of functions (go_functions.hpp); a file that is missing or no ELF gives an empty table. `named`: what it is
    /// called where it belongs, by which its debug file is looked for.
    ElfSymbols(const std::string& path, const std::string& named);
    explicit ElfSymbols(const std::string& path) : ElfSymbols(path, path) {}

    /// The same of a traced program's file, read by a reader (foreign_files.hpp); empty too when that fails.
    static ElfSymbols of_foreign(ForeignFiles& files, const std::string& path, const std::string& named);
    static ElfSymbols of_foreign(ForeignFiles& files, const std::string& path) { return of_foreign(files, path, path); }
    /// For who looks up addresses and nothing else: a reader packs them (see pack()), so that the whole table is never
    /// here. Without a reader they are not packed.
    static ElfSymbols packed_of_foreign(ForeignFiles& files, const std::string& path, const std::string& named);

    /// Was there an ELF file?
    bool found() const { return found_; }
    bool is_32bit() const { return is_32bit_; }
    /// Was it made by the Go compiler?
    bool is_go() const { return is_go_; }
    /// For who looks up an address now and then, and nothing else: gives up what all() and find_name() know, and the
    /// kinds of symbols. What find() gives is valid until the next call then.
    void pack();
    /// Nobody looks up addresses for a while.
    void rest();
    bool is_packed() const { return !packed_.empty(); }
    /// Memory that the table takes.
    std::size_t bytes() const { return bytes_; }

    /// The link-time address of a byte of the file, as the program headers map it; the offset itself if no segment
    /// holds it.
    uint64_t address_of_offset(uint64_t offset) const;
    /// The byte of the file that is mapped as code at a link-time address, or nothing.
    std::optional<uint64_t> code_offset(uint64_t address) const;
    /// The symbol that covers `address`, or null. Of several names at one address: symbol_rank.hpp.
    const Symbol* find(uint64_t address) const;
    /// The symbol of this name, or null.
    const Symbol* find_name(std::string_view name) const;
    /// One for each address.
    const std::vector<Symbol>& all() const { return symbols_; }
    /// The other names of addresses, by address and the better name first.
    const std::vector<Symbol>& aliases() const { return aliases_; }

private:
    struct Segment {
        uint64_t offset, size, address, is_code;
    };
    struct Candidate {
        uint64_t start, size;
        std::string_view name;
        int binding;
        bool is_function, is_indirect;
    };

    ElfSymbols() = default;
    struct Found {
        Symbol symbol;
        uint64_t end = 0; ///< from where on another one is found, or none
    };

    static ElfSymbols asked(std::string_view request);
    void tell_file(PackedWriter& answer) const;
    void take_file(PackedReader& answer);
    std::string told() const;
    std::string told_packed() const;
    bool take_told(std::string_view answer);
    bool take_packed(std::string_view answer);
    static std::vector<Symbol> symbols_told(PackedReader& answer);
    const Symbol* find_packed(uint64_t address) const;
    void take(Elf* elf, bool from_go_table = false);
    void keep_best(std::vector<Candidate>& candidates);

    bool found_ = false, is_go_ = false, is_32bit_ = false;
    std::size_t most_names_ = 0, bytes_ = 0;
    std::vector<Segment> segments_;
    std::vector<Symbol> symbols_, aliases_;      // by start
    mutable PackedSymbols packed_;               // instead
    mutable std::map<uint64_t, Found> unpacked_; // what was found there lately, by start
};

/// One line of /proc/PID/maps that is backed by a file (or named: [vdso]).
struct Mapping {
    uint64_t start = 0, end = 0, offset = 0;
    std::string path;
    uint64_t inode = 0;   ///< 0: not known
    bool is_code = false; ///< it may be executed
    bool deleted = false; ///< the file has no such name any more

    std::string_view base_name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
    bool operator==(const Mapping&) const = default;
};

/// Parses the text of /proc/PID/maps; anonymous mappings are left out.
std::vector<Mapping> parse_maps(std::string_view text);

/// The mapping that holds `address`, or null. `mappings` are in address order, as the kernel lists them.
Mapping* find_mapping(std::vector<Mapping>& mappings, uint64_t address);

} // namespace dt
