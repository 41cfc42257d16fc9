// From which line of which source file an address comes, and which functions were inlined there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libdtrace/elf/dwarf_file.hpp"

namespace dt {

class SourceLines {
public:
    struct Frame {
        std::string function; ///< as its author wrote it; of the last frame empty: it is the one that the symbol names
        std::string place;    ///< "file:line"; empty: not known
    };

    /// Of the file at `path`, whose debug information is not looked at yet. `named`: as ElfSymbols has it.
    SourceLines(const std::string& path, const std::string& named) : file_(DwarfFile::open(path, named)) {}
    explicit SourceLines(const std::string& path) : SourceLines(path, path) {}

    /// The innermost function first; never empty. Reads, of each unit once, its functions and its table of lines.
    std::vector<Frame> frames(uint64_t address);
    /// Memory that its lines take, about.
    std::size_t bytes() const { return sizeof *this + kept_ * kBytesOfLine; }
    /// Of the address alone, whatever was inlined there.
    std::string place(uint64_t address);

private:
    static constexpr std::size_t kMostLines = 1 << 21; ///< that are kept
    static constexpr std::size_t kBytesOfLine = 48;

    void read_lines(Dwarf_Die unit);

    std::unique_ptr<DwarfFile> file_;          ///< null: there is no debug information
    std::map<const void*, std::size_t> lines_; ///< of the units whose table was read
    std::size_t kept_ = 0;
};

} // namespace dt
