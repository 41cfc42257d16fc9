// Lines of source of a traced program's file, looked up by a reader (foreign_files.hpp), which keeps what it has read
// of the file from one address to the next.
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
    /// Keeps the file open: a reader that comes later reads it anew. `named`: as ElfSymbols has it.
    ForeignLines(std::shared_ptr<ForeignFiles> foreign, OpenFile file, const std::string& named);

    /// As SourceLines has them; one without function and place when they cannot be had.
    std::vector<SourceLines::Frame> frames(uint64_t address);
    std::string place(uint64_t address) { return frames(address).front().place; }
    /// Memory that is taken for it here and there, about.
    std::size_t bytes() const { return sizeof *this + (here_ ? here_->bytes() : bytes_); }

private:
    std::shared_ptr<ForeignFiles> foreign_;
    std::optional<SourceLines> here_; ///< read by the tracer
    OpenFile file_;
    std::string named_;
    std::size_t bytes_ = 0;
};

} // namespace dt
