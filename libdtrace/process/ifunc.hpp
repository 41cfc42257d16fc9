// Finds the functions that a process runs when it calls an indirect function (STT_GNU_IFUNC), such as memset() or
// strchr().
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"
#include "probes/process_view.hpp"

namespace dt {

class UntrustedFiles;

class IndirectFunctions {
public:
    using Object = probes::ProcessView::Object;
    struct Serving {
        /// The functions that implement the indirect function, with link-time addresses. Their names are empty if the
        /// file has no symbols.
        std::vector<ElfSymbols::Symbol> functions;
        /// True: `functions` are those that the resolvers have chosen. False: the process will call one of `functions`,
        /// but it is unknown which one.
        bool is_chosen = false;
    };
    /// Returns up to `count` bytes of the code at a link-time address of the object.
    using ReadCode = std::function<std::vector<uint8_t>(uint64_t address, std::size_t count)>;

    explicit IndirectFunctions(std::shared_ptr<UntrustedFiles> untrusted);
    ~IndirectFunctions();

    /// Selects the process and its mapped objects for later calls. If `pid` is 0, no process is read, only files.
    void look_at(int64_t pid, const std::vector<Object>& objects);

    /// Returns the functions that implement the indirect function `indirect`, a symbol of the object; an empty list if
    /// they are unknown. Cost: the first call for an object makes one pass over the relocations of each of the
    /// process's objects; later calls for this object use the results.
    Serving serving(const Object& object, const ElfSymbols& symbols, const ElfSymbols::Symbol& indirect,
                    const ReadCode& code);

private:
    struct Words;
    /// path of the file with the resolvers, and path of a file that calls the indirect functions
    using Key = std::pair<std::string, std::string>;

    const Words& words_of(const Object& object, const ElfSymbols& symbols, const Object& user);
    std::optional<uint64_t> read_word(uint64_t address) const;
    std::vector<uint64_t> results(const Object& object, const ElfSymbols& symbols, const ElfSymbols::Symbol& indirect);
    std::vector<uint64_t> candidates(const Object& object, const ElfSymbols& symbols,
                                     const ElfSymbols::Symbol& indirect, const ReadCode& code) const;
    ElfSymbols::Symbol described(const Object& object, const ElfSymbols& symbols, uint64_t address);

    std::shared_ptr<UntrustedFiles> untrusted_;
    int64_t pid_ = 0;
    std::vector<Object> objects_;
    std::map<Key, Words> words_;
};

/// Returns the link-time address of a symbol of a file; the symbol may have any type.
std::optional<uint64_t> address_of_mark(UntrustedFiles& files, const std::string& path, std::string_view name);

} // namespace dt
