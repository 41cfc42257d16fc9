// Copies each event of the decoder to the sinks of all followers, and limits the amount of text that waits until a
// follower reads it.
#include "libdtrace/output/follower.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.hpp"

namespace dt::output {

std::string Follower::take(std::size_t most)
{
    std::string taken = waiting_.substr(0, most);
    waiting_.erase(0, taken.size());
    is_asked_ = taken.empty();
    return taken;
}

/// The lost records are reported to the follower before the first record that fits again.
void Follower::end_record(Sink& sink)
{
    format::Text& text = output_.text();
    if (!text.empty() && waiting_.size() + text.size() > kMax) {
        text.clear();
        ++lost_;
        ++unreported_;
        return;
    }
    const std::string record(text.view());
    text.clear();
    if (const uint64_t missing = std::exchange(unreported_, 0); missing != 0) {
        const std::string said =
            grouped(missing) + (missing == 1 ? " record" : " records") + " lost here: the follower reads too slowly";
        sink.note({"FOLLOWER_LOST", {{"records", missing}}, said});
        waiting_ += text.empty() ? "# " + said + "\n" : std::string(text.view());
        text.clear();
    }
    waiting_ += record;
    if (!waiting_.empty() && std::exchange(is_asked_, false) && ready_)
        ready_();
}

void Follower::finish()
{
    is_over_ = true;
    if (std::exchange(is_asked_, false) && ready_)
        ready_();
}

void ForkedSink::add(std::shared_ptr<Follower> follower, const PrintOptions& options, const format::Environment& env,
                     bool reproducible)
{
    auto own = std::make_unique<PrintOptions>(options);
    own->format = follower->format();
    std::unique_ptr<Sink> sink = make_sink({*own, follower->output(), env, reproducible});
    branches_.push_back({std::move(follower), std::move(own), std::move(sink)});
}

bool ForkedSink::has_followers()
{
    std::erase_if(branches_, [](const Branch& branch) { return branch.follower->has_left(); });
    return !branches_.empty();
}

void ForkedSink::finish_followers()
{
    for (const Branch& branch : branches_) {
        branch.follower->end_record(*branch.sink);
        branch.follower->finish();
    }
}

template <typename Call> void ForkedSink::hand_out(Call call)
{
    call(own_);
    for (const Branch& branch : branches_)
        call(*branch.sink);
}

void ForkedSink::begin(const Line& line)
{
    hand_out([&](Sink& sink) { sink.begin(line); });
}

void ForkedSink::end(const Line& line)
{
    hand_out([&](Sink& sink) { sink.end(line); });
    for (const Branch& branch : branches_)
        branch.follower->end_record(*branch.sink);
}

void ForkedSink::value(const Datum& datum, const uint8_t* data)
{
    hand_out([&](Sink& sink) { sink.value(datum, data); });
}

void ForkedSink::stack(const Datum& datum, const uint8_t* data)
{
    hand_out([&](Sink& sink) { sink.stack(datum, data); });
}

void ForkedSink::symbol(const Datum& datum, const uint8_t* data)
{
    hand_out([&](Sink& sink) { sink.symbol(datum, data); });
}

void ForkedSink::formatted(const format::BoundFormat& format, const uint8_t* data)
{
    hand_out([&](Sink& sink) { sink.formatted(format, data); });
}

void ForkedSink::memory(std::span<const uint8_t> bytes)
{
    hand_out([&](Sink& sink) { sink.memory(bytes); });
}

void ForkedSink::object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes)
{
    hand_out([&](Sink& sink) { sink.object(pointer, type, bytes); });
}

void ForkedSink::packet(const Packet& packet)
{
    hand_out([&](Sink& sink) { sink.packet(packet); });
}

void ForkedSink::aggregations(Tables tables)
{
    hand_out([&](Sink& sink) { sink.aggregations(tables); });
}

void ForkedSink::aggregations(Tables tables, std::span<const format::BoundFormat> formats)
{
    hand_out([&](Sink& sink) { sink.aggregations(tables, formats); });
}

void ForkedSink::unprinted(const Aggregation& table)
{
    hand_out([&](Sink& sink) { sink.unprinted(table); });
}

void ForkedSink::error(const ErrorReport& report)
{
    hand_out([&](Sink& sink) { sink.error(report); });
}

} // namespace dt::output

// Implements class Followers: followers join and leave while the trace runs.

namespace dt::consume {

Result<void> Followers::add(std::shared_ptr<output::Follower> follower)
{
    const OutputFormat format = follower->format();
    if (format != OutputFormat::Text && format != OutputFormat::Jsonl && format != OutputFormat::Csv)
        return Error{"records can be followed only in formats text, jsonl and csv", EINVAL};
    if (!fork_)
        fork_ = std::make_unique<output::ForkedSink>(own_);
    fork_->add(std::move(follower), options_, env_, reproducible_);
    return {};
}

output::Sink& Followers::sink()
{
    if (fork_ && !fork_->has_followers())
        fork_.reset();
    return fork_ ? static_cast<output::Sink&>(*fork_) : own_;
}

} // namespace dt::consume
