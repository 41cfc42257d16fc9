// Symbols and types of the kernel in a dump. Both are read from the kernel's own memory, so no files of that kernel are
// needed. It is rarely the kernel of the machine on which the dump is analysed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "libdtrace/postmortem/kernel_dump.hpp"

struct btf;

namespace dt::postmortem {

class DumpedKernel {
public:
    /// Reads symbols and types. The error says which of them is missing.
    static Result<DumpedKernel> read(KernelDump& dump);

    DumpedKernel(DumpedKernel&&) noexcept;
    DumpedKernel& operator=(DumpedKernel&&) = delete;
    ~DumpedKernel();

    KernelDump& dump() const { return *dump_; }
    /// Returns the symbol's address, or 0 if it does not exist.
    uint64_t symbol(std::string_view name) const;
    /// Moves out the symbols in the format of /proc/kallsyms, without those of modules.
    std::string take_symbols() { return std::move(kallsyms_); }

    /// Returns a member's offset in bytes. Searches anonymous members too.
    std::optional<uint64_t> offset(const char* structure, std::string_view member) const;
    std::optional<uint64_t> size(const char* structure) const;
    /// Returns the number of elements of an array member.
    std::optional<uint32_t> elements(const char* structure, std::string_view member) const;

private:
    explicit DumpedKernel(KernelDump& dump) : dump_(&dump) {}
    Result<void> read_symbols();
    Result<void> read_types();
    void add_symbol(uint64_t address, const std::string& text);
    struct Found {
        uint64_t offset = 0;
        uint32_t type = 0;
    };
    std::optional<Found> member_of(uint32_t type, std::string_view member, unsigned depth) const;
    std::optional<Found> find_member(const char* structure, std::string_view member) const;

    KernelDump* dump_;
    std::string kallsyms_;
    std::map<std::string, uint64_t, std::less<>> wanted_; ///< addresses of the symbols that symbol() can return
    btf* types_ = nullptr;
};

} // namespace dt::postmortem
