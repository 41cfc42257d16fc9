// A second reader of what a trace records, who comes and goes while it runs: from when it comes on it has a copy, in a
// format of its own.
//
// It may be slow, or stand still. Then it loses of its own copy, which is counted and said in it, and nobody else loses
// anything or waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {

class Follower {
public:
    static constexpr std::size_t kMost = 1 << 20; ///< bytes that wait for it

    explicit Follower(OutputFormat format) : format_(format) {}

    /// Called when there is something to take, or nothing will come any more, after take() had nothing.
    void when_ready(std::function<void()> ready) { ready_ = std::move(ready); }
    /// At most so many bytes of what waits.
    std::string take(std::size_t most);
    /// Nothing will come behind what waits: the trace has ended.
    bool is_over() const { return is_over_; }
    /// Nobody reads it any more.
    void leave() { has_left_ = true; }
    bool has_left() const { return has_left_; }
    uint64_t lost() const { return lost_; }

    // For the trace.
    OutputFormat format() const { return format_; }
    Output& output() { return output_; }
    /// A record is whole, or several are.
    void end_record(Sink& sink);
    void finish();

private:
    const OutputFormat format_;
    Output output_{-1}; ///< only its text is used
    std::string waiting_;
    std::function<void()> ready_;
    bool is_asked_ = false; ///< take() had nothing
    bool is_over_ = false, has_left_ = false;
    uint64_t lost_ = 0, untold_ = 0; ///< records
};

/// Hands everything that is recorded to one sink and to those of followers.
class ForkedSink final : public Sink {
public:
    explicit ForkedSink(Sink& own) : own_(own) {}
    ~ForkedSink() override { finish_followers(); }

    /// `env`, as `reproducible`: SinkOptions.
    void add(std::shared_ptr<Follower> follower, const PrintOptions& options, const format::Environment& env,
             bool reproducible);
    /// Those that have left are forgotten. False: there are no others.
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
        std::unique_ptr<PrintOptions> options; ///< that the sink has a reference to
        std::unique_ptr<Sink> sink;
    };
    template <typename Call> void hand_out(Call call);
    void finish_followers();

    Sink& own_;
    std::vector<Branch> branches_;
};

} // namespace dt::output
