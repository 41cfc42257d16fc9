// The kernel's symbols, by name and by address, from one reading of /proc/kallsyms.
//
// The text has ten megabytes and takes 50 to 75 ms to read, so it is read when somebody first asks, and kept as it is.
// A script names a few symbols: the text is searched for these, an index of all names would cost more. Addresses come
// by the thousand: for them there is a sorted table. Who stays for months keeps that packed, and no text.
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
#include "libdtrace/elf/confined_reader.hpp"
#include "libdtrace/elf/packed_symbols.hpp"

namespace dt {

class KernelSymbols {
public:
    struct Found {
        std::string_view module; ///< empty: nothing is known of the address
        std::string_view name;   ///< empty: only the module is known
        uint64_t start = 0;      ///< of the symbol; of the module when name is empty
    };
    struct Definition {
        std::string module; ///< "vmlinux" for the core kernel
        uint64_t address = 0;
        uint64_t size = 0; ///< up to the next symbol: an upper bound; 0 when nothing follows
        bool is_function = false;
    };
    using VisitFunction = std::function<void(std::string_view module, std::string_view name, uint64_t address)>;

    /// `proc`: where proc(5) is mounted. Reads nothing yet.
    explicit KernelSymbols(std::string proc) : proc_(std::move(proc)) {}
    /// From the texts of /proc/kallsyms and /proc/modules.
    KernelSymbols(std::string kallsyms, std::string modules);

    /// Why there is no symbol at all: the file cannot be read, or the kernel hides its addresses. Says what to do.
    const Result<void>& readable();

    /// The symbol that an address lies in. Views are valid until the next call.
    Found find(uint64_t address);
    /// First address of the module, 0 when there is none of this name.
    uint64_t module_start(std::string_view module);

    /// Where a module lies; both 0 when there is none of this name. The end is 0 where it is not known.
    std::pair<uint64_t, uint64_t> module_range(std::string_view module);

    /// A symbol by name; an empty module: the core kernel first, then the first module that has it. Cost: one search of
    /// the text, the first time.
    std::optional<Definition> lookup(std::string_view module, std::string_view name);
    /// Is this the address of a variable that every CPU has a copy of? True of those of the core kernel only.
    bool is_per_cpu(uint64_t address);
    /// Programs that the kernel compiles itself come and go, and others get their addresses: those known are forgotten,
    /// and read again when one is met.
    void forget_programs();
    /// From now on addresses are looked up in a packed table, which a child of this process makes when there is none:
    /// text and table take 16 MB. Names that nobody has asked for yet are looked for in the file, which is read again
    /// for them and kept until the next pack(). Cost: some 60 ms, if anything was read since the last time.
    void pack();
    /// Every function, in the order of the file, but for those that the kernel frees when it has started. Views are
    /// valid until the next call.
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
        uint32_t name; // offset of the name in text_
        uint16_t length;
        uint16_t module; // index into modules_
    };
    using Named = PackedSymbols::Symbol;
    struct Module {
        std::string name;
        uint64_t start = 0, end = 0; // end 0: not known
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
    std::optional<Result<void>> readable_;                       // empty: not yet read
    std::string text_, modules_text_;                            // the files: names are not copied
    std::optional<Range> per_cpu_;                               // empty: not yet looked for
    std::map<std::string, std::optional<Definition>> looked_up_; // by module and name
    bool sorted_ = false;
    bool read_for_a_name_ = false; // so before the run: what the kernel compiled since is missing
    bool has_programs_ = true;     // of what the kernel compiles itself
    bool is_packed_ = false;       // the text is not there, nor the sorted table
    bool stays_packed_ = false;    // what is read for an address comes packed
    PackedSymbols packed_;
    std::vector<Symbol> symbols_; // by start; of several at one address the first listed
    std::vector<Module> modules_; // [0] is vmlinux
    std::map<std::string, uint16_t, std::less<>> indices_;
};

} // namespace dt
