// A follower is an additional reader of a running trace's output (dtrace service follow). From the time at which it
// joins, a follower receives a copy of each record, in a format of its own. Class ForkedSink sends each event to all
// readers.
//
// A follower may be slow or stop reading. If so, records are missing in its copy. The missing records are counted, and
// the copy reports their number. Neither the trace nor other readers wait or lose data.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {

class Follower {
public:
    static constexpr std::size_t kMax = 1 << 20; ///< maximum number of unread bytes

    explicit Follower(OutputFormat format) : format_(format) {}

    /// Sets a callback. If take() has returned nothing, the callback runs once when new bytes arrive or the trace ends.
    void when_ready(std::function<void()> ready) { ready_ = std::move(ready); }
    /// Returns and removes at most `most` unread bytes.
    std::string take(std::size_t most);
    /// Returns whether the trace has ended, so that no more bytes will be added.
    bool is_over() const { return is_over_; }
    /// Records that the reader has disconnected.
    void leave() { has_left_ = true; }
    bool has_left() const { return has_left_; }
    uint64_t lost() const { return lost_; }

    // Functions that only the trace calls:
    OutputFormat format() const { return format_; }
    Output& output() { return output_; }
    /// Appends a complete record from `output_` to the unread bytes, or drops the record if it does not fit.
    void end_record(Sink& sink);
    void finish();

private:
    const OutputFormat format_;
    Output output_{-1}; ///< buffer into which records are formatted; it has no descriptor
    std::string waiting_;
    std::function<void()> ready_;
    /// whether the last take() returned nothing, so that the callback must run when bytes arrive
    bool is_asked_ = false;
    bool is_over_ = false, has_left_ = false;
    /// number of all lost records, and number of lost records that are not reported yet
    uint64_t lost_ = 0, unreported_ = 0;
};

/// Passes every call to the trace's own sink and to the sinks of its followers.
class ForkedSink final : public Sink {
public:
    explicit ForkedSink(Sink& own) : own_(own) {}
    ~ForkedSink() override { finish_followers(); }

    /// Adds a follower. `env` and `reproducible` are passed to its sink (SinkOptions).
    void add(std::shared_ptr<Follower> follower, const PrintOptions& options, const format::Environment& env,
             bool reproducible);
    /// Removes followers that have disconnected. Returns false if no follower is left.
    bool has_followers();

    void begin(const Line& line) override;
    void end(const Line& line) override;
    void value(const Datum& datum, const uint8_t* data) override;
    void stack(const Datum& datum, const uint8_t* data) override;
    void symbol(const Datum& datum, const uint8_t* data) override;
    void formatted(const format::BoundFormat& format, const uint8_t* data) override;
    void memory(std::span<const uint8_t> bytes) override;
    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override;
    void packet(const Packet& packet) override;
    void aggregations(Tables tables) override;
    void aggregations(Tables tables, std::span<const format::BoundFormat> formats) override;
    void unprinted(const Aggregation& table) override;
    void error(const ErrorReport& report) override;

private:
    struct Branch {
        std::shared_ptr<Follower> follower;
        std::unique_ptr<PrintOptions> options; ///< options of the sink `sink`, which contains a reference to them
        std::unique_ptr<Sink> sink;
    };
    template <typename Call> void hand_out(Call call);
    void finish_followers();

    Sink& own_;
    std::vector<Branch> branches_;
};

} // namespace dt::output

// The sink of a trace's records, including additional readers (followers) that may join and leave.

namespace dt::consume {

class Followers {
public:
    /// All arguments of the constructor must outlive this object. `own` always receives the records, with or without
    /// followers.
    Followers(output::Sink& own, const PrintOptions& options, const format::Environment& env, bool reproducible)
        : own_(own), options_(options), env_(env), reproducible_(reproducible)
    {
    }

    /// Adds a follower. Fails for formats other than text, jsonl and csv.
    Result<void> add(std::shared_ptr<output::Follower> follower);
    /// Returns the current sink of the records, and removes followers that have left.
    output::Sink& sink();
    /// Returns whether followers existed at the last call of sink(). Removes no followers, so the sink stays valid.
    bool were_there() const { return fork_ != nullptr; }
    /// Removes all followers at the end of the trace.
    void finish() { fork_.reset(); }

private:
    output::Sink& own_;
    const PrintOptions& options_;
    const format::Environment& env_;
    const bool reproducible_;
    /// sink that also sends to the followers; null if there are no followers
    std::unique_ptr<output::ForkedSink> fork_;
};

} // namespace dt::consume
