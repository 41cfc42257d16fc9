// What the kernel of a dump is made of: its symbols and its types, which are both in its own memory. So a dump is read
// without files of the kernel that was, which is seldom the one that runs where the dump is looked at.
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
    /// Reads the symbols and types. An error says which of them is missing.
    static Result<DumpedKernel> read(KernelDump& dump);

    DumpedKernel(DumpedKernel&&) noexcept;
    DumpedKernel& operator=(DumpedKernel&&) = delete;
    ~DumpedKernel();

    KernelDump& dump() const { return *dump_; }
    /// 0: there is no such symbol.
    uint64_t symbol(std::string_view name) const;
    /// The symbols as /proc/kallsyms tells them, those of modules left out. Gone afterwards.
    std::string take_symbols() { return std::move(kallsyms_); }

    /// Where a member is, also one of a nameless part.
    std::optional<uint64_t> offset(const char* structure, std::string_view member) const;
    std::optional<uint64_t> size(const char* structure) const;
    /// The elements of a member that is an array.
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
    std::map<std::string, uint64_t, std::less<>> wanted_; ///< the symbols that are asked for
    btf* types_ = nullptr;
};

} // namespace dt::postmortem
