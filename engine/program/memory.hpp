// The memory that a program can address: regions at artificial addresses, backed by host memory.
//
// Addresses are assigned in order, never reused, and equal in every run, so results do not depend on the host. Gaps
// between regions make overruns detectable.
//
// Compiled code uses most addresses without looking up their regions. So before compiled code runs, each region that
// programs may load from gets the address of its host memory instead of its artificial address.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace dt::vm {

/// Kind of a region, which determines the instructions and helpers that may access it.
enum class Kind : uint8_t {
    Stack,
    Context,
    Data, ///< region of a data section: .bss, .data, .rodata
    MapValue,
    Task,   ///< trusted kernel object: loads are allowed, stores are not
    Kernel, ///< kernel memory, which only bpf_probe_read_kernel() reads
    User,   ///< user memory, which only bpf_probe_read_user() reads
};

struct Region {
    uint64_t address = 0;
    uint64_t size = 0;
    uint8_t* host = nullptr;
    Kind kind = Kind::Data;
    bool writable = true;
};

class Memory {
public:
    /// Allocates a zeroed, 8-byte aligned region owned by this object. Returns its address.
    uint64_t allocate(uint64_t size, Kind kind, bool writable = true);

    /// Makes `host` addressable at an unused address. The caller must keep the memory alive until forget().
    uint64_t lend(std::span<uint8_t> host, Kind kind, bool writable = false);

    /// Makes `host` addressable at the given address. Fails if it overlaps a region.
    Result<void> lend_at(uint64_t address, std::span<uint8_t> host, Kind kind, bool writable = false);

    /// Removes the region whose start is this address.
    void forget(uint64_t address);

    /// Returns the total size of all owned regions in bytes.
    uint64_t owned() const { return owned_bytes_; }
    /// Returns whether `size` more bytes may be allocated. Callers must check this before they allocate during a run.
    /// allocate() does not check the limit, because memory that exists from the start is counted but never refused.
    bool has_room(uint64_t size) const { return size <= limit_ && owned_bytes_ <= limit_ - size; }
    void set_limit(uint64_t bytes) { limit_ = bytes; }

    /// Removes the region at the next reclaim(), when no program can have a pointer to it.
    void retire(uint64_t address) { retired_.push_back(address); }
    void reclaim()
    {
        if (!retired_.empty())
            forget_retired();
    }

    /// Moves all loadable regions, and future allocations, to their host addresses. Returns the new address of each old
    /// one.
    std::map<uint64_t, uint64_t> use_host_addresses();

    /// Returns the region that contains [address, address + size) completely, or null.
    const Region* find(uint64_t address, uint64_t size) const;

    /// Returns the host memory of [address, address + size), or null if it is not within one region. For tests and the
    /// virtual machine.
    uint8_t* host(uint64_t address, uint64_t size) const;

private:
    uint64_t place(uint64_t size);
    void forget_retired();

    std::map<uint64_t, Region> regions_;
    std::map<uint64_t, std::unique_ptr<uint8_t[]>> owned_;
    std::vector<uint64_t> retired_;
    bool host_addresses_ = false;
    uint64_t owned_bytes_ = 0, limit_ = UINT64_MAX;
    uint64_t next_ = 0x100000000000;
};

/// Return whether an instruction may load from, or store to, the region.
bool allows_load(const Region& region);
bool allows_store(const Region& region);

} // namespace dt::vm
