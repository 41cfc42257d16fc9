// Access to the global variables of a dtrace run in another process.
#pragma once

#include <span>

#include "base/result.hpp"
#include "embed/description.hpp"

namespace dt::embed {

/// A mapping of the variables, which ends with the object.
class TracerMemory {
public:
    /// Maps the section DT_SECTION_STATE of the run in process `tracer`. Its globals must have the names and locations
    /// of `description`. Needs CAP_SYS_ADMIN, to open maps by number, and permission to inspect the process.
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
