// What attaching costs, said before it is paid, and how far it is. On most kernels many functions take minutes to let
// go of, which the user of a pattern must know before.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"

namespace dt {

/// Who is told, and what of; each may be null.
struct AttachListener {
    std::function<void(const std::string& text)> announce; ///< "attaching 559 functions by kprobe: …"
    std::function<void(std::size_t done, std::size_t all)>
        progress;                   ///< ten times a second once a second has passed; done == all: that is over
    std::function<void()> attached; ///< nothing is to be attached any more, and no thread that stays was started yet
    /// Else what a program names is left out as what a pattern covers, where it cannot be attached.
    bool wants_all = true;
    /// With what comes in the place of a kind of program that the kernel does not attach; else attaching fails then,
    /// and it is planned.
    bool goes_on = true;
};

class AttachProgress {
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;

    /// `listener` must outlive this.
    AttachProgress(const std::vector<ProgramPlan>& programs, const AttachListener& listener,
                   Clock clock = std::chrono::steady_clock::now);
    ~AttachProgress();
    AttachProgress(const AttachProgress&) = delete;

    /// To be called before programs of a kind are attached. Announces, once, that they are expected to take more than
    /// two seconds, if `works` says that the kernel has the mechanism.
    void begin(ProgramKind kind, const std::function<bool()>& works);

    /// So many more targets were tried.
    void add(std::size_t targets);

private:
    std::array<std::size_t, kProgramKinds> targets_{}; ///< of each kind; 0: there are none, or they were announced
    const AttachListener& listener_;
    Clock clock_;
    std::chrono::steady_clock::time_point next_;
    std::size_t done_ = 0, all_ = 0;
    bool shown_ = false;
};

} // namespace dt
