// The kernel's symbols as a sorted table, read from the text of /proc/kallsyms and /proc/modules.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

class KernelSymbols {
public:
    struct Found {
        std::string_view module; ///< empty: nothing is known of the address
        std::string_view name;   ///< empty: only the module is known
        uint64_t start = 0;      ///< of the symbol; of the module when name is empty
    };

    /// Parses both texts. `kallsyms` must hold real addresses: one full of zeros (no permission) gives an empty table.
    void load(std::string kallsyms, std::string_view modules);

    Found find(uint64_t address) const;
    /// First address of the module, 0 when there is none of this name.
    uint64_t module_start(std::string_view module) const;

private:
    struct Symbol {
        uint64_t start;
        uint32_t name;   // offset of the name in text_
        uint16_t length;
        uint16_t module; // index into modules_
    };
    struct Module {
        std::string name;
        uint64_t start = 0, end = 0; // end 0: not known
    };

    uint16_t module_index(std::string_view name);
    void parse_line(std::string_view line);
    uint64_t end_of(std::size_t index) const;
    std::string_view name_of(const Symbol& symbol) const { return std::string_view(text_).substr(symbol.name, symbol.length); }

    std::string text_; // kallsyms itself: names are not copied
    std::vector<Symbol> symbols_; // by start; of several at one address the first listed
    std::vector<Module> modules_; // [0] is vmlinux
    std::map<std::string, uint16_t, std::less<>> indices_;
};

} // namespace dt
