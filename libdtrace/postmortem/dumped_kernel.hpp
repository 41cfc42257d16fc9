// Symbols and types of the kernel in a dump. Both are read from the memory of the dumped kernel, so no files of that
// kernel are needed; the machine on which a dump is analysed rarely has such files. Class KernelDump reads the memory
// of a dump.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.hpp"

// Kernel memory in a dump. The dump may be of a panic (kdump, makedumpfile), of a virtual machine, or of the running
// kernel (/proc/kcore).

namespace dt::postmortem {

class KernelDump {
public:
    virtual ~KernelDump() = default;

    /// Reads `into.size()` bytes of the kernel's virtual memory. Returns false if the dump does not contain all of
    /// these bytes.
    virtual bool read(uint64_t address, std::span<uint8_t> into) = 0;
    /// Returns the address of a symbol from the dump's notes (vmcoreinfo, which kernels write for readers of dumps); 0
    /// if the notes do not contain it.
    virtual uint64_t noted_symbol(const char* name) = 0;
    virtual uint64_t page_size() const = 0;

    template <typename T> bool read_as(uint64_t address, T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        return read(address, {reinterpret_cast<uint8_t*>(&value), sizeof value});
    }
};

/// Opens a dump with libkdumpfile, which supports all formats and finds the kernel's page tables. The caller prints the
/// file's name before the error message. Fails if the library is missing, the file is not a dump, the architecture
/// differs, or the dump lacks the notes on the kernel's layout.
Result<std::unique_ptr<KernelDump>> open_kernel_dump(const std::string& path);

} // namespace dt::postmortem

struct btf;

// The dumped kernel's symbols and types.

namespace dt::postmortem {

class DumpedKernel {
public:
    /// Reads symbols and types. The error says whether the symbols or the types are missing.
    static Result<DumpedKernel> read(KernelDump& dump);

    DumpedKernel(DumpedKernel&&) noexcept;
    DumpedKernel& operator=(DumpedKernel&&) = delete;
    ~DumpedKernel();

    KernelDump& dump() const { return *dump_; }
    /// Returns the address of a symbol, or 0 if the symbol does not exist or is not among the few symbols whose
    /// addresses are stored.
    uint64_t symbol(std::string_view name) const;
    /// Returns the symbols in the format of /proc/kallsyms, without the symbols of modules. A second call returns
    /// nothing.
    std::string take_symbols() { return std::move(kallsyms_); }

    /// Returns a member's offset in bytes. Also searches anonymous members.
    std::optional<uint64_t> offset(const char* structure, std::string_view member) const;
    std::optional<uint64_t> size(const char* structure) const;
    /// Returns the number of array elements of a member.
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
