// The memory in which a run of dtrace has its globals, found from another process.
#pragma once

#include <span>

#include "base/result.hpp"
#include "embed/description.hpp"

namespace dt::embed {

/// A mapping of `size` bytes that ends with the object.
class TracerMemory {
public:
    /// Of the run that process `tracer` has: the section DT_SECTION_STATE of a program whose globals are those of
    /// `description`, all at the same places. Takes CAP_SYS_ADMIN (maps by their number) and the right to look at the
    /// process.
    static Result<TracerMemory> find(int tracer, const Description& description, std::size_t size);

    TracerMemory(TracerMemory&& other) noexcept;
    TracerMemory& operator=(TracerMemory&&) = delete;
    ~TracerMemory();

    std::span<uint8_t> bytes() const { return bytes_; }

private:
    explicit TracerMemory(std::span<uint8_t> bytes) : bytes_(bytes) {}
    std::span<uint8_t> bytes_;
};

} // namespace dt::embed
