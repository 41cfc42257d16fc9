// Maps an address to its source line and to the functions that were inlined there, and source lines to the addresses of
// their code.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libdtrace/elf/dwarf_file.hpp"
#include "probes/process_view.hpp"

namespace dt {

class SourceLines {
public:
    struct Frame {
        /// Name of the inlined function as in the source. It is empty in the last frame, whose function was not
        /// inlined; the caller finds the name of that function in the symbol table.
        std::string function;
        std::string place; ///< source position as "file:line"; empty if unknown
    };

    /// `path` is the path by which this process opens the file; its debug information is read at the first query.
    /// `named` is the path of the file in the file system to which it belongs (see ElfSymbols).
    SourceLines(const std::string& path, const std::string& named) : file_(DwarfFile::open(path, named)) {}
    explicit SourceLines(const std::string& path) : SourceLines(path, path) {}

    /// Returns the frames at an address, the innermost function first; never empty. Reads a compilation unit's
    /// functions and lines at the first query of an address in it.
    std::vector<Frame> frames(uint64_t address);
    /// Returns the approximate memory of the cached lines in bytes.
    std::size_t bytes() const { return sizeof *this + kept_ * kBytesOfLine; }
    /// Returns the line of the address itself, which is in the innermost function.
    std::string place(uint64_t address);

private:
    /// maximum number of cached lines; if the number is exceeded, all lines are freed
    static constexpr std::size_t kMaxLines = 1 << 21;
    static constexpr std::size_t kBytesOfLine = 48;

    void read_lines(Dwarf_Die unit);

    std::unique_ptr<DwarfFile> file_; ///< debug information of the file; null if the file has none
    /// number of source lines in each line table that was read; the key identifies the compilation unit
    std::map<const void*, std::size_t> lines_;
    std::size_t kept_ = 0;
};

/// Finds the code addresses of source lines in a file. `path` and `named` are as in SourceLines. Statement::place of
/// the result is a link-time address. A line can have several addresses; each execution of the line reaches one of
/// them.
///
/// The line table marks instructions at which a statement starts. In code that GCC has optimized, all marked
/// instructions of a line are returned, except those that directly follow another one of the line. In other code, a for
/// statement has several marks. So only the marked instruction with the lowest address in each copy of a function is
/// returned.
probes::ProcessView::Statements find_statements(const std::string& path, const std::string& named,
                                                const probes::ProcessView::LinePattern& pattern);

} // namespace dt
