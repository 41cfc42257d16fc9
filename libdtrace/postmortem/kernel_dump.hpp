// The memory of a kernel as a dump of it has it: of a panic (kdump, makedumpfile), of a virtual machine, or of the
// kernel that runs (/proc/kcore).
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

    /// `into.size()` bytes of the kernel's virtual memory; false: the dump does not have all of them.
    virtual bool read(uint64_t address, std::span<uint8_t> into) = 0;
    /// A symbol that the kernel names for readers of dumps (vmcoreinfo); 0: it does not.
    virtual uint64_t noted_symbol(const char* name) = 0;
    virtual uint64_t page_size() const = 0;

    template <typename T> bool read_as(uint64_t address, T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        return read(address, {reinterpret_cast<uint8_t*>(&value), sizeof value});
    }
};

/// By libkdumpfile, which knows all formats and finds the kernel's page tables. The error is complete but for the
/// file's name: the library is not there, this is no dump, it is one of another processor, or it does not say where
/// things are.
Result<std::unique_ptr<KernelDump>> open_kernel_dump(const std::string& path);

} // namespace dt::postmortem
