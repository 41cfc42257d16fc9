// Source lines of a traced program's file, looked up by a sandboxed reader (foreign_files.hpp). The reader keeps the
// parsed file between addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/process/mapped_files.hpp"
#include "libdtrace/process/source_lines.hpp"

namespace dt {

class ForeignLines {
public:
    /// Keeps the file open, so that a restarted reader can parse it again. `named` is the name as in ElfSymbols.
    ForeignLines(std::shared_ptr<ForeignFiles> foreign, OpenFile file, const std::string& named);

    /// Returns the frames as SourceLines does; one frame without function and place if they are not available.
    std::vector<SourceLines::Frame> frames(uint64_t address);
    std::string place(uint64_t address) { return frames(address).front().place; }
    /// Returns the approximate memory in bytes that the lookup uses in the tracer and in the reader.
    std::size_t bytes() const { return sizeof *this + (here_ ? here_->bytes() : bytes_); }

private:
    std::shared_ptr<ForeignFiles> foreign_;
    std::optional<SourceLines> here_; ///< used if the tracer itself reads files
    OpenFile file_;
    std::string named_;
    std::size_t bytes_ = 0;
};

} // namespace dt
