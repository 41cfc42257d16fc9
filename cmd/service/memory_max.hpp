// Adapts the systemd memory limit of the service (MemoryMax of systemd.resource-control(5)) to the limits of its
// scripts.
//
//     MemoryMax max(unit, say);
//     max.lift();          // before scripts come, whose bounds are known once they are compiled
//     max.set(bytes);      // when they trace, and when there are fewer
//
// The limit is set through systemd, because a control group has one writer: systemd overwrites values set by others at
// its next reload.
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

    /// `unit` is the systemd unit; if empty, no limit is set. `say` reports once that systemd refused.
    MemoryMax(std::string unit, Say say) : unit_(std::move(unit)), say_(std::move(say)) {}

    void lift();
    /// Sets the limit to `scripts` bytes plus the service's own need. Blocks for some ms.
    void set(uint64_t scripts);

private:
    void tell(const std::string& value);

    std::string unit_; ///< empty: no more limits are set
    Say say_;
    std::string told_;
};

} // namespace dt::service
