#include "engine/program/memory.hpp"

namespace dt::vm {

namespace {

// Minimum size of the unmapped gap after each region, in bytes.
constexpr uint64_t kGap = 4096;

// Memory overhead of a region in bytes: two tree nodes and the allocator's bookkeeping.
constexpr uint64_t kBookkeeping = 160;

} // namespace

uint64_t Memory::place(uint64_t size)
{
    const uint64_t address = next_;
    next_ += (size + kGap + 4095) & ~uint64_t{4095};
    return address;
}

uint64_t Memory::allocate(uint64_t size, Kind kind, bool writable)
{
    auto storage = std::make_unique<uint8_t[]>(size ? size : 1);
    const uint64_t address = host_addresses_ ? reinterpret_cast<uint64_t>(storage.get()) : place(size);
    regions_[address] = {address, size, storage.get(), kind, writable};
    owned_[address] = std::move(storage);
    owned_bytes_ += size + kBookkeeping;
    return address;
}

uint64_t Memory::lend(std::span<uint8_t> host, Kind kind, bool writable)
{
    const uint64_t address = place(host.size());
    regions_[address] = {address, host.size(), host.data(), kind, writable};
    return address;
}

Result<void> Memory::lend_at(uint64_t address, std::span<uint8_t> host, Kind kind, bool writable)
{
    const auto after = regions_.lower_bound(address);
    if (after != regions_.end() && after->first < address + host.size())
        return Error{"the range overlaps a region after it"};
    if (after != regions_.begin()) {
        const Region& before = std::prev(after)->second;
        if (before.address + before.size > address)
            return Error{"the range overlaps a region before it"};
    }
    regions_[address] = {address, host.size(), host.data(), kind, writable};
    return {};
}

void Memory::forget(uint64_t address)
{
    const auto region = regions_.find(address);
    if (region == regions_.end())
        return;
    if (owned_.erase(address) != 0)
        owned_bytes_ -= region->second.size + kBookkeeping;
    regions_.erase(region);
}

void Memory::forget_retired()
{
    for (const uint64_t address : retired_)
        forget(address);
    retired_.clear();
}

std::map<uint64_t, uint64_t> Memory::use_host_addresses()
{
    std::map<uint64_t, uint64_t> moved;
    std::map<uint64_t, Region> regions;
    std::map<uint64_t, std::unique_ptr<uint8_t[]>> owned;
    for (auto& [address, region] : regions_) {
        if (allows_load(region) && region.host) {
            moved[address] = reinterpret_cast<uint64_t>(region.host);
            region.address = moved[address];
        }
        regions[region.address] = region;
        if (const auto storage = owned_.find(address); storage != owned_.end())
            owned[region.address] = std::move(storage->second);
    }
    regions_ = std::move(regions);
    owned_ = std::move(owned);
    host_addresses_ = true;
    return moved;
}

const Region* Memory::find(uint64_t address, uint64_t size) const
{
    auto found = regions_.upper_bound(address);
    if (found == regions_.begin())
        return nullptr;
    const Region& region = std::prev(found)->second;
    const uint64_t offset = address - region.address;
    if (offset > region.size || size > region.size - offset)
        return nullptr;
    return &region;
}

uint8_t* Memory::host(uint64_t address, uint64_t size) const
{
    const Region* region = find(address, size);
    return region ? region->host + (address - region->address) : nullptr;
}

bool allows_load(const Region& region)
{
    return region.kind != Kind::Kernel && region.kind != Kind::User;
}

bool allows_store(const Region& region)
{
    return region.writable && allows_load(region) && region.kind != Kind::Task;
}

} // namespace dt::vm
