// Kernel memory in a dump: of a panic (kdump, makedumpfile), of a virtual machine, or of the running kernel
// (/proc/kcore).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/result.hpp"

namespace dt::postmortem {

class KernelDump {
public:
    virtual ~KernelDump() = default;

    /// Reads `into.size()` bytes of the kernel's virtual memory. Returns false if the dump does not contain all of
    /// them.
    virtual bool read(uint64_t address, std::span<uint8_t> into) = 0;
    /// Returns the address of a symbol that the kernel publishes for readers of dumps (vmcoreinfo), or 0.
    virtual uint64_t noted_symbol(const char* name) = 0;
    virtual uint64_t page_size() const = 0;

    template <typename T> bool read_as(uint64_t address, T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        return read(address, {reinterpret_cast<uint8_t*>(&value), sizeof value});
    }
};

/// Opens a dump with libkdumpfile, which supports all formats and finds the kernel's page tables. The error message
/// lacks only the file's name. Errors: the library is missing, the file is no dump, its architecture differs, or it
/// lacks the notes on the kernel's layout.
Result<std::unique_ptr<KernelDump>> open_kernel_dump(const std::string& path);

} // namespace dt::postmortem
