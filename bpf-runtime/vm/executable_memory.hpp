// Memory for machine code: first writable, then executable, never both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/result.hpp"

namespace dt::vm {

class ExecutableMemory {
public:
    ExecutableMemory() = default;
    ExecutableMemory(ExecutableMemory&& other) noexcept
        : start_(std::exchange(other.start_, nullptr)), size_(other.size_)
    {
    }
    ExecutableMemory& operator=(ExecutableMemory&& other) noexcept
    {
        std::swap(start_, other.start_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~ExecutableMemory();

    /// Copies the code into executable memory. Fails with the system's error if new code is forbidden.
    static Result<ExecutableMemory> hold(std::span<const uint8_t> code);

    const uint8_t* start() const { return start_; }

private:
    uint8_t* start_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace dt::vm
