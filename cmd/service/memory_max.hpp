// The manager's bound on the memory of a service (MemoryMax of systemd.resource-control(5)), which follows what its
// scripts may take.
//
//     MemoryMax max(unit, say);
//     max.lift();          // before scripts come, whose bounds are known once they are compiled
//     max.set(bytes);      // when they trace, and when there are fewer
//
// It is the manager who writes it: a control group has one writer, and what others wrote there is gone at its next
// reload.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace dt::service {

class MemoryMax {
public:
    using Say = std::function<void(std::string_view)>;

    /// Of a unit; empty: none, and nothing is set. `say`: who is told, once, that the manager does not do it.
    MemoryMax(std::string unit, Say say) : unit_(std::move(unit)), say_(std::move(say)) {}

    void lift();
    /// `scripts`: bytes that they may take; the service's own come on top. It waits for the manager, some ms.
    void set(uint64_t scripts);

private:
    void tell(const std::string& value);

    std::string unit_; ///< empty: nothing is set any more
    Say say_;
    std::string told_;
};

} // namespace dt::service
