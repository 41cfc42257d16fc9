// Any number of scripts in one process, each on its own: what becomes of one is its state, and nobody else's.
//
//     Service service(arguments, options, signals);
//     service.start(directory);
//     service.run();           // until a signal; then END of all has run
//
// What the control socket may ask is here too: to attach, detach and reload, between two passes of the loop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cmd/arguments.hpp"
#include "cmd/service/compiling.hpp"
#include "cmd/service/member.hpp"
#include "cmd/service/memory_max.hpp"
#include "cmd/service/notify.hpp"
#include "libdtrace/host/host.hpp"
#include "libdtrace/host/signals.hpp"

namespace dt::service {

class Service {
public:
    /// All must outlive it. Options are those that every script begins with.
    Service(const cmd::Arguments& arguments, const Options& options, Signals& signals);
    ~Service();

    /// Starts the scripts of a directory, and tells who waits for that. Fails when nothing can be traced at all, or the
    /// directory cannot be read; where there is none and `may_be_missing` there are no scripts.
    Result<void> start(const std::string& directory, bool may_be_missing);
    /// Until a signal comes that ends it.
    void run();

    Host& host() { return host_; }
    const std::vector<std::unique_ptr<Member>>& members() const { return members_; }
    /// Null: there is none of that name.
    Member* find(const std::string& name);

    /// A script that is given, in place of one of its name that does not trace any more. Fails with its whole error, or
    /// with EEXIST in `code` when one of its name traces.
    Result<void> attach(Script script);
    /// END runs; it stays listed as detached. Fails when there is none, or it does not trace.
    Result<void> detach(const std::string& name);

    struct Change {
        std::string name;
        std::string what;      ///< "started", "detached", "replaced", "failed"
        std::string text;      ///< more of that, for people
        double without_ms = 0; ///< a pinned one was replaced: how long neither of the two traced
    };
    /// What is different in the directory since: added and changed scripts are started, removed ones detached; what did
    /// not change goes on.
    Result<std::vector<Change>> reload();

private:
    /// As long as it lives scripts are started and ended, and memory has no bound but theirs.
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
    CompilerProcess compiler_; ///< as long as scripts are started
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
    unsigned long mapped_since_ = 0; ///< mapped_bytes() when code was given back
    int64_t worked_before_ = 0;      ///< ns of a CPU, until then
    bool gives_back_again_ = false;  ///< some time after it has settled
    std::string directory_;
    Members members_;
};

} // namespace dt::service
