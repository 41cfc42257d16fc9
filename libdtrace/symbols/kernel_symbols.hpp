// The kernel's symbols, by name and by address, from one reading of /proc/kallsyms.
//
// The text has ten megabytes and takes 50 to 75 ms to read, so it is read on first use and then stays in memory. A
// script contains few symbols, so a lookup by name searches the text; an index of all names would cost more. Traces
// resolve thousands of addresses, so lookups by address use a sorted table. Long-running traces pack the table and free
// the text.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/elf/packed_symbols.hpp"
#include "libdtrace/sandbox/sandboxed_reader.hpp"

namespace dt {

class KernelSymbols {
public:
    struct Found {
        std::string_view module; ///< name of the module; empty if no module contains the address
        std::string_view name;   ///< name of the symbol; empty if no symbol of the module contains the address
        uint64_t start = 0;      ///< start address of the symbol, or of the module if `name` is empty
    };
    struct Definition {
        std::string module; ///< name of the module; "vmlinux" for the core kernel
        uint64_t address = 0;
        uint64_t size = 0; ///< upper bound of the symbol's size: distance to the next symbol; 0 if no symbol follows
        bool is_function = false;
    };
    using VisitFunction = std::function<void(std::string_view module, std::string_view name, uint64_t address)>;

    /// The constructor reads no file. `proc` is the mount point of proc(5).
    explicit KernelSymbols(std::string proc) : proc_(std::move(proc)) {}
    /// Creates the symbols from the given texts of /proc/kallsyms and /proc/modules instead of reading the files.
    KernelSymbols(std::string kallsyms, std::string modules);

    /// Returns an error with advice if there are no symbols: the file cannot be read, or the kernel hides addresses.
    const Result<void>& readable();

    /// Returns the symbol that contains an address. The strings in the result are valid until the next call of this
    /// function.
    Found find(uint64_t address);
    /// Returns the lowest address of a module, or 0 if the module does not exist.
    uint64_t module_start(std::string_view module);

    /// Returns the address range of a module, or {0, 0} if the module does not exist. The end is 0 if it is unknown.
    std::pair<uint64_t, uint64_t> module_range(std::string_view module);

    /// Looks up a symbol by name. With an empty module, searches the core kernel first, then the modules in order. The
    /// first lookup of a name searches the text of /proc/kallsyms; later ones use the stored result.
    std::optional<Definition> lookup(std::string_view module, std::string_view name);
    /// Returns whether the address belongs to a per-CPU variable of the core kernel.
    bool is_per_cpu(uint64_t address);
    /// Discards the symbols of JIT-compiled BPF programs, because the kernel reuses their addresses. The symbols are
    /// read again when needed.
    void forget_programs();
    /// Packs the table for lookups by address and frees the text, because text and table take 16 MB. A child process
    /// makes the packed table if it does not exist yet. Later lookups of new names read the file again and keep its
    /// text until the next pack(). Costs about 60 ms if anything was read since the last call.
    void pack();
    /// Calls `visit` for each kernel function in the order of /proc/kallsyms, except functions that the kernel frees
    /// after startup. The strings that `visit` gets are valid until the next call.
    void for_each_function(const VisitFunction& visit);

private:
    struct Line {
        uint64_t address = 0;
        char type = 0;
        std::string_view name;
        std::string_view module;
    };
    struct Symbol {
        uint64_t start;
        uint32_t name; // offset of the symbol's name in text_
        uint16_t length;
        uint16_t module; // index of the symbol's module in modules_
    };
    using Named = PackedSymbols::Symbol;
    struct Module {
        std::string name;
        uint64_t start = 0, end = 0; // range of a module's addresses; `end` is 0 if it is unknown
    };
    struct Range {
        uint64_t start = 0, end = 0;
    };

    static std::optional<Line> parse(std::string_view text);
    void read();
    bool read_packed();
    static std::string packed_text(ReaderState&, std::string_view proc);
    bool has_text();
    void set(std::string kallsyms, std::string modules);
    void sort();
    void keep_best_names();
    void read_modules();
    uint16_t module_index(std::string_view name);
    std::optional<Line> find_line(std::string_view module, std::string_view name) const;
    uint64_t next_address(uint64_t address) const;
    std::optional<Definition> search(std::string_view module, std::string_view name) const;
    Found find_known(uint64_t address);
    Found find_below(uint64_t address, const Named* symbol, const Named* next) const;
    Found find_sorted(uint64_t address) const;
    Found find_packed(uint64_t address);
    bool is_forgotten(const Named& symbol) const;
    uint64_t end_of(const Named& symbol, const Named* next) const;
    Named named(const Symbol& symbol) const { return {symbol.start, symbol.module, name_of(symbol)}; }
    std::string_view name_of(const Symbol& symbol) const
    {
        return std::string_view(text_).substr(symbol.name, symbol.length);
    }

    std::string proc_;
    std::optional<Result<void>> readable_; // whether symbols are readable; no value if /proc/kallsyms was not read yet
    std::string text_, modules_text_;      // texts of the two files; names are views into them
    std::optional<Range> per_cpu_;         // range of per-CPU addresses; no value if it was not looked up yet
    std::map<std::string, std::optional<Definition>> looked_up_; // results of lookups, by module and name
    bool sorted_ = false;
    // Whether the text was read for a lookup by name before the run. If so, it does not contain BPF programs that were
    // JIT-compiled later.
    bool read_for_a_name_ = false;
    bool has_programs_ = true;  // whether the tables include symbols of JIT-compiled BPF programs
    bool is_packed_ = false;    // whether the text and the sorted table were freed, so that only packed_ is in memory
    bool stays_packed_ = false; // whether a child process reads and packs the table for lookups by address from now on
    PackedSymbols packed_;
    std::vector<Symbol> symbols_; // symbols, sorted by start; one symbol per address
    std::vector<Module> modules_; // modules_[0] is the core kernel
    std::map<std::string, uint16_t, std::less<>> indices_;
};

} // namespace dt
