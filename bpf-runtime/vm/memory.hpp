// What a program can address: regions at made-up addresses, each backed by host memory.
//
// Addresses are handed out in order, never reused and the same in every run, so a program's results do not depend on
// the host. Between regions there is always a gap: an access that runs over an end is found, not answered with a
// neighbour's bytes.
//
// Compiled code cannot look an address up at each access: for it, everything that a program may load from has the
// host's address.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace dt::vm {

/// What a region is decides which instruction or helper may touch it.
enum class Kind : uint8_t {
    Stack,
    Context,
    Data, ///< .bss, .data, .rodata
    MapValue,
    Task,   ///< a trusted kernel object: loads are allowed, stores are not
    Kernel, ///< bpf_probe_read_kernel() only
    User,   ///< bpf_probe_read_user() only
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
    /// A new zeroed region owned by this object; its address. 8-byte aligned.
    uint64_t allocate(uint64_t size, Kind kind, bool writable = true);

    /// Makes `host` addressable at a fresh address; the caller keeps it alive until forget().
    uint64_t lend(std::span<uint8_t> host, Kind kind, bool writable = false);

    /// The same at an address of the caller's choice. Fails when it overlaps a region.
    Result<void> lend_at(uint64_t address, std::span<uint8_t> host, Kind kind, bool writable = false);

    /// The region at exactly this address is gone.
    void forget(uint64_t address);

    /// Bytes of the regions that this object owns.
    uint64_t owned() const { return owned_bytes_; }
    /// May so many more be allocated? allocate() does not ask: what is there from the start is counted, and what grows
    /// asks before.
    bool has_room(uint64_t size) const { return size <= limit_ && owned_bytes_ <= limit_ - size; }
    void set_limit(uint64_t bytes) { limit_ = bytes; }

    /// Like forget(), but only when the program that may still hold a pointer has ended: at reclaim().
    void retire(uint64_t address) { retired_.push_back(address); }
    void reclaim()
    {
        if (!retired_.empty())
            forget_retired();
    }

    /// From now on what a program may load from is, and what is allocated will be, at its host's address. Old addresses
    /// to new ones.
    std::map<uint64_t, uint64_t> use_host_addresses();

    /// The region that holds [address, address + size) in full, or null.
    const Region* find(uint64_t address, uint64_t size) const;

    /// Host memory behind [address, address + size), for tests and the virtual machine itself; null when it is not one
    /// region's.
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

/// May an instruction load from, or store to, this region?
bool allows_load(const Region& region);
bool allows_store(const Region& region);

} // namespace dt::vm
