// The loop.
#include "libdtrace/host/host.hpp"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "libdtrace/consume/rings.hpp"

namespace dt {
namespace {

/// CPUs come and go. Looked at so often, by what looks once a second at least, where nobody tells.
constexpr auto kCpuInterval = std::chrono::milliseconds(900);

} // namespace

Host::Host(Signals* signals)
    : own_signals_(signals ? nullptr : std::make_unique<Signals>(Signals::Then::Restore)),
      signals_(signals ? signals : own_signals_.get())
{
}

Host::~Host()
{
    signals_->end(); // its thread uses the list
}

Result<void> Host::start(Trace& trace, Ended ended)
{
    if (const int error = signals_->error(); error != 0)
        return Error{std::string("could not enable tracing: cannot watch for signals: ") + std::strerror(error), error};
    {
        const std::lock_guard lock(changing_);
        running_.push_back(std::make_unique<Running>(Running{&trace, std::move(ended)}));
    }
    signals_->at_stake("what was not printed yet, END and the aggregations are thrown away");
    signals_->begin([this] { switch_off_all(); });
    if (signals_->interrupted() && !is_to_be_left(trace)) // before anybody waited for it
        trace.switch_off();
    Result<void> activated = trace.activate();
    if (!activated) {
        const std::lock_guard lock(changing_);
        std::erase_if(running_, [&](const auto& each) { return each->trace == &trace; });
    }
    return activated;
}

void Host::switch_off_all()
{
    const std::lock_guard lock(changing_);
    for (const auto& each : running_)
        if (each->trace && !is_to_be_left(*each->trace))
            each->trace->switch_off();
}

bool Host::is_to_be_left(const Trace& trace) const
{
    return leaving_ != 0 && signals_->first() == leaving_ && !trace.options().compile().pin.empty();
}

void Host::end(Trace& trace)
{
    for (const auto& each : running_)
        each->is_ending |= each->trace == &trace;
}

void Host::end_now(Trace& trace)
{
    for (std::size_t i = 0; i < running_.size(); ++i)
        if (running_[i]->trace == &trace)
            return end(*running_[i], {});
}

void Host::at(Clock::time_point due, std::function<void()> action)
{
    timers_.emplace(due, std::move(action));
}

void Host::run()
{
    cpu_events_.listen();
    for (;;) {
        turn();
        if (running_.empty())
            return;
        wait();
    }
}

void Host::serve(const std::function<void()>& ending)
{
    serves_ = is_kept_ = true;
    cpu_events_.listen();
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

void Host::watch(int descriptor, std::function<void()> readable)
{
    watched_[descriptor] = {std::move(readable)};
}

void Host::unwatch(int descriptor)
{
    watched_.erase(descriptor);
}

/// What one of them does may watch others, or this one no more.
void Host::answer_watched()
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
}

void Host::turn()
{
    act_when_due();
    answer_watched();
    answer_wishes();
    look_at_cpus();
    for (std::size_t i = 0; i < running_.size(); ++i)
        turn(*running_[i]);
    std::vector<std::unique_ptr<Running>> over; // what they call may start others
    {
        const std::lock_guard lock(changing_);
        const auto first = std::stable_partition(running_.begin(), running_.end(),
                                                 [](const auto& each) { return each->trace != nullptr; });
        over.assign(std::make_move_iterator(first), std::make_move_iterator(running_.end()));
        running_.erase(first, running_.end());
    }
}

void Host::turn(Running& running)
{
    if (!running.trace)
        return;
    if (signals_->interrupted() && !is_kept_) {
        if (is_to_be_left(*running.trace) && !running.trace->is_over())
            return leave(running);
        if (!serves_) // else nobody has typed ^C where it prints
            running.trace->interrupted();
        return end(running, {});
    }
    if (running.is_ending || running.trace->is_over())
        return end(running, {});
    if (!running.is_ready && running.trace->until_due() > running.trace->early())
        return;
    running.is_ready = false;
    if (const Result<void> passed = running.trace->pass(); !passed)
        end(running, passed);
}

void Host::end(Running& running, const Result<void>& result)
{
    Trace& trace = *running.trace;
    Result<int> status = 0;
    if (result) {
        const Result<void> detached = trace.detach();
        if (running_.size() == 1)
            signals_->at_stake("what was not printed yet is thrown away");
        status = detached ? trace.finish() : Result<int>(detached.error());
    } else {
        trace.switch_off();
        status = result.error();
    }
    tell_ended(running, std::move(status));
}

void Host::leave(Running& running)
{
    const Result<void> left = running.trace->leave();
    tell_ended(running, left ? Result<int>(0) : Result<int>(left.error()));
}

void Host::tell_ended(Running& running, Result<int> status)
{
    {
        const std::lock_guard lock(changing_);
        running.trace = nullptr;
    }
    running.ended(status ? std::move(status)
                         : Result<int>(Error{"processing aborted: " + status.error().message, status.error().code}));
}

void Host::act_when_due()
{
    while (!timers_.empty() && timers_.begin()->first <= Clock::now()) {
        const auto action = std::move(timers_.begin()->second);
        timers_.erase(timers_.begin());
        action();
    }
}

/// What signals asked for since the last turn.
void Host::answer_wishes()
{
    const Wishes wishes = signals_->take_wishes();
    for (const auto& each : running_) {
        if (each->trace && wishes.reopening)
            each->trace->reopen_output();
        if (!each->trace || !wishes.so_far)
            continue;
        each->trace->show_so_far();
        each->is_ready = true;
    }
    if (wished_ && (wishes.so_far || wishes.reopening))
        wished_(wishes);
}

void Host::look_at_cpus()
{
    if (running_.empty())
        return;
    if (!cpus_have_news_ && Clock::now() - looked_at_cpus_ < kCpuInterval)
        return;
    cpus_have_news_ = false;
    const std::vector<int> gone = cpu_events_.gone();
    looked_at_cpus_ = Clock::now();
    const std::vector<int> online = consume::online_cpus();
    if (!gone.empty()) { // who is back already needs new events as well
        std::vector<int> stayed = online;
        std::erase_if(stayed, [&](int cpu) { return std::find(gone.begin(), gone.end(), cpu) != gone.end(); });
        follow_cpus(stayed);
    }
    follow_cpus(online);
}

void Host::follow_cpus(const std::vector<int>& online)
{
    for (std::size_t i = 0; i < running_.size(); ++i)
        if (running_[i]->trace)
            if (const Result<void> followed = running_[i]->trace->follow_cpus(online); !followed)
                end(*running_[i], followed);
}

Host::Clock::time_point Host::next_due() const
{
    auto due = timers_.empty() ? Clock::time_point::max() : timers_.begin()->first;
    for (const auto& each : running_)
        due = std::min(due, Clock::now() + each->trace->until_due());
    return due;
}

/// How long what no descriptor tells may wait.
std::chrono::milliseconds Host::next_look() const
{
    auto look = std::chrono::milliseconds(std::chrono::minutes(1)); // fits poll(2)
    for (const auto& each : running_)
        look = std::min(look, each->trace->look_every());
    return look;
}

/// Marks those that have news.
bool Host::is_anything_ready()
{
    bool is_ready = false;
    for (const auto& each : running_) {
        each->is_ready |= each->trace->has_news();
        is_ready |= each->is_ready || each->is_ending;
    }
    return is_ready;
}

/// Sleeps until a signal, the end of a process, exit(), data, or the time of the next pass.
void Host::wait()
{
    std::vector<pollfd> polled{{signals_->descriptor(), POLLIN, 0},
                               {signals_->wish_descriptor(), POLLIN, 0},
                               {cpu_events_.descriptor(), POLLIN, 0}};
    constexpr std::size_t kCpuEvents = 2;
    std::vector<Running*> owners(polled.size(), nullptr);
    for (const auto& each : running_) {
        for (const int descriptor : each->trace->descriptors()) {
            polled.push_back({descriptor, POLLIN, 0});
            owners.push_back(each.get());
        }
    }
    const std::size_t first_watched = polled.size();
    for (const auto& [descriptor, watched] : watched_)
        polled.push_back({descriptor, POLLIN, 0});
    const auto due = next_due();
    while (!is_anything_ready()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now()); // or its last part is spun
        if (left.count() <= 0)
            return;
        if (poll(polled.data(), polled.size(), static_cast<int>(std::min(left, next_look()).count())) > 0) {
            for (std::size_t i = 0; i < first_watched; ++i)
                if (owners[i])
                    owners[i]->is_ready |= polled[i].revents != 0;
            cpus_have_news_ |= polled[kCpuEvents].revents != 0;
            for (std::size_t i = first_watched; i < polled.size(); ++i)
                watched_.at(polled[i].fd).is_ready = polled[i].revents != 0;
            return;
        }
        for (const auto& each : running_)
            each->trace->keep_time();
    }
}

} // namespace dt
