// The service: any number of independent scripts in one process. A failure of one script only changes its own state.
//
//     Service service(arguments, options, signals);
//     service.start(directory);
//     service.run();           // until a signal; then END of all has run
//
// The class also has the operations of the control socket: attach, detach and reload, which run between two passes of
// the loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cmd/common/arguments.hpp"
#include "cmd/service/compiler_process.hpp"
#include "cmd/service/member.hpp"
#include "cmd/service/notify.hpp"
#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/loop/signals.hpp"

namespace dt::service {

/// Adapts the systemd memory limit of the service (MemoryMax of systemd.resource-control(5)) to the limits of its
/// scripts.
///
///     MemoryMax max(unit, say);
///     max.lift();          // before scripts come, whose bounds are known once they are compiled
///     max.set(bytes);      // when they trace, and when there are fewer
///
/// The limit is set through systemd, because a control group has one writer: systemd overwrites values set by others at
/// its next reload.
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

class Service {
public:
    /// All arguments must outlive the service. `options` are the initial options of every script.
    Service(const cmd::Arguments& arguments, const Options& options, Signals& signals);
    ~Service();

    /// Starts the scripts of a directory. Fails if tracing is impossible or the directory cannot be read. If it is
    /// missing and `may_be_missing` is set, the service starts without scripts.
    Result<void> start(const std::string& directory, bool may_be_missing);
    /// Runs until a signal ends the service.
    void run();

    Host& host() { return host_; }
    const std::vector<std::unique_ptr<Member>>& members() const { return members_; }
    /// Returns the script with that name, or null.
    Member* find(const std::string& name);

    /// Starts a script, and removes an inactive one with the same name. Fails with a complete error, or with EEXIST in
    /// `code` if a script with that name is active.
    Result<void> attach(Script script);
    /// Ends a script: END runs, and the script stays listed as detached. Fails if it does not exist or is not active.
    Result<void> detach(const std::string& name);

    struct Change {
        std::string name;
        std::string what;      ///< "started", "detached", "replaced" or "failed"
        std::string text;      ///< details for the user
        double without_ms = 0; ///< ms without tracing while a pinned script was replaced
    };
    /// Compares the directory with the running scripts. Starts new and changed scripts and detaches removed ones;
    /// unchanged scripts keep running.
    Result<std::vector<Change>> reload();

private:
    /// Scope in which scripts start or end. Meanwhile the memory limit is lifted, and memory is not trimmed. The
    /// destructor restores the limit and trims memory.
    class Unsettled {
    public:
        explicit Unsettled(Service& service) : service_(service) { service.is_settled_ = false; }
        ~Unsettled()
        {
            service_.is_settled_ = true;
            service_.settle();
        }
        Unsettled(const Unsettled&) = delete;
        Unsettled& operator=(const Unsettled&) = delete;

    private:
        Service& service_;
    };

    using Members = std::vector<std::unique_ptr<Member>>;

    Change start_added(Script script);
    Change replace(Members::iterator old, Script script);
    Change replace_stopped(Members::iterator old, std::unique_ptr<Member> next);
    Change remove(Members::iterator old);
    Change restart(Members::iterator at, const Member& refused, TraceValues values);
    void keep_in_order();
    void look_after_manager();
    void give_back_memory();
    void give_back_all_code();
    void give_back_again(std::size_t time);
    void sweep_pins();
    void look_after_pins();
    bool claims_pin(const std::string& pin) const;
    std::string status() const;
    void settle();

    const cmd::Arguments arguments_;
    const Options& options_;
    Session ground_;
    Host host_;
    CompilerProcess compiler_; ///< runs only while scripts are being started
    Surroundings around_{arguments_,
                         options_,
                         ground_,
                         host_,
                         compiler_,
                         [this] { notifier_.alive(); },
                         [this] { memory_max_.lift(); },
                         [this] {
                             settle();
                             notifier_.status(status());
                         }};
    Notifier notifier_;
    MemoryMax memory_max_;
    bool is_settled_ = false; ///< no script is being started or ended
    Host::Clock::time_point settled_{}, gave_back_code_{};
    unsigned long mapped_since_ = 0; ///< mapped_bytes() when code pages were last dropped
    int64_t worked_before_ = 0;      ///< CPU time of the process at that time, in ns
    bool gives_back_again_ = false;  ///< a further trim after a change of scripts is scheduled
    std::string directory_;
    Members members_;
};

} // namespace dt::service
