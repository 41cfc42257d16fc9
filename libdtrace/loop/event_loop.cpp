// Implements the event loop: decides which trace reads its buffers next, waits by epoll, and receives notifications of
// CPUs that go offline.
#include "libdtrace/loop/event_loop.hpp"

#include <linux/netlink.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "libdtrace/buffers/rings.hpp"
#include "libdtrace/consumer/consumer.hpp"

namespace dt {
namespace {

/// Intervals between checks for CPUs that went offline or online. The first interval applies if the kernel sends no
/// notifications of such changes, the second one if it does.
constexpr auto kCpuInterval = std::chrono::milliseconds(900), kNotifiedCpuInterval = std::chrono::milliseconds(10'000);

} // namespace

EventLoop::EventLoop(Signals* signals)
    : own_signals_(signals ? nullptr : std::make_unique<Signals>(Signals::Then::Restore)),
      signals_(signals ? signals : own_signals_.get())
{
}

EventLoop::~EventLoop()
{
    signals_->end(); // the signal thread uses `running_`, so end() must stop that thread before `running_` is destroyed
}

Result<void> EventLoop::start(Trace& trace, Ended ended)
{
    if (const int error = signals_->error(); error != 0)
        return Error{std::string("could not enable tracing: cannot watch for signals: ") + std::strerror(error), error};
    if (const int error = poller_.error(); error != 0)
        return Error{std::string("could not enable tracing: cannot wait for events: ") + std::strerror(error), error};
    {
        const std::lock_guard lock(changing_);
        running_.push_back(std::make_unique<RunningTrace>(RunningTrace{&trace, std::move(ended)}));
    }
    signals_->note_loss_if_killed("unprinted records, END and the aggregations are lost");
    signals_->begin([this] { switch_off_all(); });
    // If the signal arrived before the trace was in `running_`, the signal thread has not disabled the trace's probes,
    // so they are disabled here.
    if (signals_->interrupted() && !must_be_left(trace))
        trace.switch_off();
    Result<void> activated = trace.activate();
    if (!activated) {
        const std::lock_guard lock(changing_);
        std::erase_if(running_, [&](const auto& each) { return each->trace == &trace; });
    }
    return activated;
}

void EventLoop::switch_off_all()
{
    const std::lock_guard lock(changing_);
    for (const auto& each : running_)
        if (each->trace && !must_be_left(*each->trace))
            each->trace->switch_off();
}

bool EventLoop::must_be_left(const Trace& trace) const
{
    return leaving_ != 0 && signals_->first() == leaving_ && !trace.options().compile().pin.empty();
}

void EventLoop::end(Trace& trace)
{
    for (const auto& each : running_)
        each->is_ending |= each->trace == &trace;
}

void EventLoop::end_now(Trace& trace)
{
    for (std::size_t i = 0; i < running_.size(); ++i)
        if (running_[i]->trace == &trace)
            return end(*running_[i], {});
}

void EventLoop::at(Clock::time_point due, std::function<void()> action)
{
    timers_.emplace(due, std::move(action));
}

void EventLoop::watch_descriptors()
{
    cpu_events_.listen();
    poller_.add(cpu_events_.descriptor(), cpus_have_news_);
    poller_.add(signals_->descriptor(), is_signalled_);
    poller_.add(signals_->request_descriptor(), has_requests_);
}

void EventLoop::run()
{
    watch_descriptors();
    for (;;) {
        turn();
        if (running_.empty())
            return;
        wait();
    }
}

void EventLoop::serve(const std::function<void()>& ending)
{
    serves_ = is_kept_ = true;
    watch_descriptors();
    signals_->begin([this] { switch_off_all(); });
    for (;;) {
        if (signals_->interrupted() && std::exchange(is_kept_, false))
            ending();
        turn();
        if (running_.empty() && !is_kept_)
            return;
        wait();
    }
}

void EventLoop::watch(int descriptor, std::function<void()> readable)
{
    Watched& watched = watched_[descriptor] = {std::move(readable)};
    poller_.add(descriptor, watched.is_ready);
}

void EventLoop::unwatch(int descriptor)
{
    if (const auto found = watched_.find(descriptor); found != watched_.end()) {
        poller_.remove(descriptor, found->second.is_ready);
        watched_.erase(found);
    }
}

/// Calls the callbacks of readable descriptors. A callback may start or stop watching descriptors, even its own.
void EventLoop::answer_watched()
{
    std::vector<int> ready;
    for (auto& [descriptor, watched] : watched_)
        if (std::exchange(watched.is_ready, false))
            ready.push_back(descriptor);
    for (const int descriptor : ready)
        if (const auto found = watched_.find(descriptor); found != watched_.end()) {
            const auto readable = found->second.readable;
            readable();
        }
    if (!ready.empty()) // computes the times of all passes again, because a callback may have changed their times
        for (const auto& each : running_)
            if (each->trace)
                plan(*each);
}

void EventLoop::turn()
{
    act_when_due();
    answer_watched();
    handle_requests();
    check_cpus();
    for (std::size_t i = 0; i < running_.size(); ++i)
        turn(*running_[i]);
    // Traces that have ended. They are moved out of the list of running traces, because the callbacks below may start
    // further traces.
    std::vector<std::unique_ptr<RunningTrace>> over;
    {
        const std::lock_guard lock(changing_);
        const auto first = std::stable_partition(running_.begin(), running_.end(),
                                                 [](const auto& each) { return each->trace != nullptr; });
        over.assign(std::make_move_iterator(first), std::make_move_iterator(running_.end()));
        running_.erase(first, running_.end());
    }
}

void EventLoop::turn(RunningTrace& running)
{
    if (!running.trace)
        return;
    if (signals_->interrupted() && !is_kept_) {
        if (must_be_left(*running.trace) && !running.trace->is_over())
            return leave(running);
        if (!serves_) // serve() runs without a terminal, so there is no line with "^C" to end
            running.trace->results().interrupted();
        return end(running, {});
    }
    if (running.is_ending || running.trace->is_over())
        return end(running, {});
    if (!running.is_ready && Clock::now() < running.due - running.early)
        return;
    running.is_ready = false;
    if (const Result<void> passed = running.trace->pass(); !passed)
        return end(running, passed);
    plan(running);
}

/// Computes the time of the trace's next pass. Also computes when to check next whether the trace needs a pass for a
/// reason that no descriptor reports.
void EventLoop::plan(RunningTrace& running)
{
    const Trace& trace = *running.trace;
    const auto now = Clock::now();
    running.due = now + trace.until_due();
    running.early = trace.early();
    running.poll_interval = trace.poll_interval();
    running.check = std::min(running.check, now + running.poll_interval);
}

void EventLoop::end(RunningTrace& running, const Result<void>& result)
{
    Trace& trace = *running.trace;
    Result<int> status = 0;
    if (result) {
        const Result<void> detached = trace.detach();
        if (running_.size() == 1)
            signals_->note_loss_if_killed("unprinted output is lost");
        status = detached ? trace.finish() : Result<int>(detached.error());
    } else {
        trace.switch_off();
        status = result.error();
    }
    report_end(running, std::move(status));
}

void EventLoop::leave(RunningTrace& running)
{
    const Result<void> left = running.trace->leave();
    report_end(running, left ? Result<int>(0) : Result<int>(left.error()));
}

void EventLoop::report_end(RunningTrace& running, Result<int> status)
{
    poller_.change(running.descriptors, {}, running.is_ready);
    {
        const std::lock_guard lock(changing_);
        running.trace = nullptr;
    }
    running.ended(status ? std::move(status)
                         : Result<int>(Error{"processing aborted: " + status.error().message, status.error().code}));
}

void EventLoop::act_when_due()
{
    while (!timers_.empty() && timers_.begin()->first <= Clock::now()) {
        const auto action = std::move(timers_.begin()->second);
        timers_.erase(timers_.begin());
        action();
    }
}

/// Executes the actions that were requested by signals since the last iteration.
void EventLoop::handle_requests()
{
    if (!std::exchange(has_requests_, false))
        return;
    const SignalRequests wishes = signals_->take_requests();
    for (const auto& each : running_) {
        if (each->trace && wishes.reopening)
            each->trace->results().reopen_output();
        if (!each->trace || !wishes.so_far)
            continue;
        each->trace->results().show_so_far();
        each->is_ready = true;
    }
    if (on_request_ && (wishes.so_far || wishes.reopening))
        on_request_(wishes);
}

void EventLoop::check_cpus()
{
    if (running_.empty())
        return;
    const auto interval = cpu_events_.descriptor() >= 0 ? kNotifiedCpuInterval : kCpuInterval;
    if (!cpus_have_news_ && Clock::now() - checked_cpus_ < interval)
        return;
    cpus_have_news_ = false;
    const std::vector<int> gone = cpu_events_.gone();
    checked_cpus_ = Clock::now();
    const std::vector<int> online = consume::online_cpus();
    if (!gone.empty()) { // a CPU that went offline needs new perf events, even if it is online again
        std::vector<int> stayed = online;
        std::erase_if(stayed, [&](int cpu) { return std::find(gone.begin(), gone.end(), cpu) != gone.end(); });
        follow_cpus(stayed);
    }
    follow_cpus(online);
}

void EventLoop::follow_cpus(const std::vector<int>& online)
{
    for (std::size_t i = 0; i < running_.size(); ++i)
        if (running_[i]->trace)
            if (const Result<void> followed = running_[i]->trace->follow_cpus(online); !followed)
                end(*running_[i], followed);
}

EventLoop::Clock::time_point EventLoop::next_due() const
{
    auto due = timers_.empty() ? Clock::time_point::max() : timers_.begin()->first;
    for (const auto& each : running_)
        due = std::min(due, each->due);
    return due;
}

/// Returns the time at which traces must next be checked for work that no descriptor reports.
EventLoop::Clock::time_point EventLoop::next_check() const
{
    // The wait is at most one minute, so that the timeout in ms fits into an int, the type of epoll_wait(2)'s argument.
    auto check = Clock::now() + std::chrono::minutes(1);
    for (const auto& each : running_)
        check = std::min(check, each->check);
    return check;
}

bool EventLoop::is_anything_ready() const
{
    return std::any_of(running_.begin(), running_.end(),
                       [](const auto& each) { return each->is_ready || each->is_ending; });
}

/// Checks traces for work that no descriptor reports, if their check is due or nearly due. After that, their next
/// checks are due at the same time.
void EventLoop::poll_traces()
{
    const auto now = Clock::now();
    for (const auto& each : running_) {
        if (now < each->check - each->poll_interval / 2)
            continue;
        each->trace->repeat_late_ticks();
        // The interval between checks is read again, because the last pass may have changed it.
        each->poll_interval = each->trace->poll_interval();
        each->check = now + each->poll_interval;
        each->is_ready |= each->trace->has_news();
    }
}

/// Returns whether a pass that is due soon may run now, because the process is awake for another reason.
bool EventLoop::may_any_pass(Clock::time_point now) const
{
    return std::any_of(running_.begin(), running_.end(),
                       [&](const auto& each) { return each->due - each->early <= now; });
}

/// Sleeps until a signal, the end of a process, exit(), data in a buffer, or the time of the next pass.
void EventLoop::wait()
{
    // The watches of closed descriptors are removed before waiting, because new descriptors may have the same numbers.
    for (const auto& each : running_)
        poller_.change(each->descriptors, each->trace->descriptors(), each->is_ready);
    poll_traces();
    const auto due = next_due();
    for (bool has_waited = false;; has_waited = true) {
        const auto now = Clock::now();
        const bool is_due = is_anything_ready() || due <= now || (has_waited && may_any_pass(now));
        if (is_due && has_waited) // does not wait a second time, because the first wait has checked all descriptors
            return;
        // The timeout is rounded up: a timeout that is too short would cause busy waiting.
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            is_due ? Clock::duration::zero() : std::max(std::min(due, next_check()) - now, Clock::duration::zero()));
        // even if a pass is already due, the descriptors are polled once without waiting
        if (poller_.wait(left) || is_due)
            return;
        poll_traces();
    }
}

// Uses level-triggered epoll(7): unread data is reported again.

Poller::Poller() : epoll_(epoll_create1(EPOLL_CLOEXEC)), error_(epoll_ < 0 ? errno : 0) {}

Poller::~Poller()
{
    if (epoll_ >= 0)
        close(epoll_);
}

void Poller::add(int descriptor, bool& ready)
{
    const auto [first, last] = flags_.equal_range(descriptor);
    if (descriptor < 0 || std::any_of(first, last, [&](const auto& each) { return each.second == &ready; }))
        return;
    epoll_event event{EPOLLIN, {}};
    event.data.fd = descriptor;
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0 || errno == EEXIST)
        flags_.emplace(descriptor, &ready);
}

void Poller::remove(int descriptor, const bool& ready)
{
    const auto [first, last] = flags_.equal_range(descriptor);
    const auto found = std::find_if(first, last, [&](const auto& each) { return each.second == &ready; });
    if (found == last)
        return;
    flags_.erase(found);
    if (!flags_.contains(descriptor))
        epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
}

void Poller::change(std::vector<int>& before, std::vector<int> now, bool& ready)
{
    if (before == now)
        return;
    const auto is_in = [](const std::vector<int>& list, int descriptor) {
        return std::find(list.begin(), list.end(), descriptor) != list.end();
    };
    for (const int descriptor : before)
        if (!is_in(now, descriptor))
            remove(descriptor, ready);
    for (const int descriptor : now)
        if (!is_in(before, descriptor))
            add(descriptor, ready);
    before = std::move(now);
}

bool Poller::wait(std::chrono::milliseconds most)
{
    epoll_event events[32]; // if more than 32 descriptors are ready, the next call returns the remaining ones
    const int count = epoll_wait(epoll_, events, static_cast<int>(std::size(events)), static_cast<int>(most.count()));
    for (int i = 0; i < count; ++i) {
        const auto [first, last] = flags_.equal_range(events[i].data.fd);
        std::for_each(first, last, [](const auto& each) { *each.second = true; });
    }
    return count > 0;
}

// Parses messages "ACTION@PATH". A NUL and further text follow, which are ignored here (lib/kobject_uevent.c).

namespace {

constexpr unsigned kKernelsOwn = 1; // netlink multicast group in which the kernel sends its own messages

} // namespace

CpuEvents::~CpuEvents()
{
    if (socket_ >= 0)
        close(socket_);
}

void CpuEvents::listen()
{
    if (socket_ >= 0)
        return;
    socket_ = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = kKernelsOwn;
    if (socket_ >= 0 && bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        close(socket_);
        socket_ = -1;
    }
}

std::vector<int> CpuEvents::gone()
{
    std::vector<int> cpus;
    char text[2048];
    for (;;) {
        // polls before receiving, because system-call monitors would report a recv() that fails
        pollfd waiting{socket_, POLLIN, 0};
        const ssize_t got = poll(&waiting, 1, 0) <= 0 ? -1 : recv(socket_, text, sizeof text, MSG_DONTWAIT);
        if (got < 0)
            return cpus;
        if (const int cpu = offline_cpu({text, static_cast<std::size_t>(got)}); cpu >= 0)
            cpus.push_back(cpu);
    }
}

int offline_cpu(std::string_view announcement)
{
    constexpr std::string_view kBegin = "offline@/devices/system/cpu/cpu";
    announcement = announcement.substr(0, announcement.find('\0'));
    if (!announcement.starts_with(kBegin))
        return -1;
    int cpu = -1;
    const char* const end = announcement.data() + announcement.size();
    const auto read = std::from_chars(announcement.data() + kBegin.size(), end, cpu);
    return read.ec == std::errc() && read.ptr == end ? cpu : -1;
}

} // namespace dt
