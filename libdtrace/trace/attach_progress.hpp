// Announces how long attaching will take, and shows its progress. On most kernels many functions take minutes to
// detach, so the user of a pattern must know this in advance.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"

namespace dt {

/// Callbacks and settings for attaching. Each callback may be null.
struct AttachListener {
    /// receives, for example, "attaching 559 functions by kprobe: …"
    std::function<void(const std::string& text)> announce;
    std::function<void(std::size_t done, std::size_t all)>
        progress;                   ///< called ten times a second after the first second; done == all ends it
    std::function<void()> attached; ///< called after the last attachment, before any permanent thread starts
    /// true: a probe that the program names must attach. False: it is left out if it cannot be attached, like a probe
    /// that only a pattern matches.
    bool wants_all = true;
    /// true: continue with the fallback if the kernel refuses a kind of program. False: make the new plan, and fail.
    bool goes_on = true;
};

class AttachProgress {
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;

    /// `listener` must outlive this object.
    AttachProgress(const std::vector<ProgramPlan>& programs, const AttachListener& listener,
                   Clock clock = std::chrono::steady_clock::now);
    ~AttachProgress();
    AttachProgress(const AttachProgress&) = delete;

    /// Announces, once per kind, that attaching its programs will probably take more than two seconds. Call it before
    /// they are attached. `works` returns whether the kernel has the mechanism.
    void begin(ProgramKind kind, const std::function<bool()>& works);

    /// Adds to the number of targets that were tried.
    void add(std::size_t targets);

private:
    std::array<std::size_t, kProgramKinds> targets_{}; ///< number of targets by kind; 0: none, or already announced
    const AttachListener& listener_;
    Clock clock_;
    std::chrono::steady_clock::time_point next_;
    std::size_t done_ = 0, all_ = 0;
    bool shown_ = false;
};

} // namespace dt
