// --on: runs one program on many hosts and prints one merged result.
//
// The hosts run with -x format=snapshot and send their aggregations once a second. The lines are merged here as by
// --merge. An external program reaches the hosts.
#include <algorithm>

#include "base/time.hpp"
#include "cmd/hosts/carriers.hpp"
#include "cmd/hosts/host_command.hpp"
#include "cmd/hosts/host_names.hpp"
#include "cmd/hosts/tell_answers.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "libdtrace/consume/consumer.hpp"

namespace dt::cmd {
namespace {

constexpr char kUsualCarrier[] = "clush -n -w %h";
constexpr int kLookMs = 100;

/// Host and text of a line that names a host at its start or after the transport's own prefix: "web17: …", "clush:
/// web17: …".
struct SpokenOf {
    std::string host, text;
};
SpokenOf spoken_of(std::string_view line, const std::vector<std::string>& sorted)
{
    for (std::size_t from = 0; from < line.size();) {
        const std::size_t colon = line.find(": ", from);
        if (colon == std::string_view::npos)
            break;
        const std::string_view word = line.substr(from, colon - from);
        if (std::binary_search(sorted.begin(), sorted.end(), word))
            return {std::string(word), std::string(line.substr(colon + 2))};
        from = colon + 2;
    }
    return {};
}

/// Returns whether a message reports a normal run.
bool is_good_news(std::string_view text)
{
    return (text.find(" matched ") != std::string_view::npos && text.find(" probe") != std::string_view::npos) ||
           text.find(kCompiledAnew) != std::string_view::npos;
}

bool is_end(std::string_view text)
{
    return text.find("exited with") != std::string_view::npos;
}

class HostsRun {
public:
    HostsRun(const Arguments& arguments, const Options& options, Output& output, std::vector<std::string> hosts)
        : arguments_(arguments), options_(options), hosts_(std::move(hosts)),
          answers_({options, output, reproducible_output()})
    {
        for (const std::string& host : hosts_)
            answers_.expect(host);
        sorted_ = hosts_;
        std::sort(sorted_.begin(), sorted_.end());
    }

    Result<void> start(const std::string& command)
    {
        const std::string carrier = arguments_.carrier.empty() ? kUsualCarrier : arguments_.carrier;
        return carriers_.start(carrier, arguments_.hosts, hosts_, command);
    }

    void run()
    {
        const uint64_t began = now(), deadline = options_.run().deadline;
        std::optional<std::string> others = "no answer";
        const Carriers::Heard heard = {[this](uint32_t from, std::string_view line) { hear(from, line); },
                                       [this](uint32_t from, std::string_view line) { hear_error(from, line); },
                                       [this](uint32_t from) { hear_end(from); }};
        while (carriers_.any_left() && !answers_.are_all_here()) {
            if (deadline != 0 && now() - began >= deadline) {
                others = "timeout";
                break;
            }
            if (!carriers_.wait(kLookMs, heard)) {
                others = std::nullopt;
                break;
            }
            if (const uint64_t here = now(); here - printed_ >= static_cast<uint64_t>(kLookMs) * kMillisecond)
                answers_.print_ready(printed_ = here);
        }
        answers_.finish(others);
    }

    const consume::Answers& answers() const { return answers_; }
    void end() { carriers_.end(); }

private:
    static uint64_t now() { return static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)); }

    /// A line without a host name belongs to the transport's only host.
    void hear(uint32_t from, std::string_view line)
    {
        const std::string& host = carriers_.host(from);
        const bool is_ours =
            host.empty() ? answers_.add(from, line, now()) : answers_.add(from, host + ": " + std::string(line), now());
        if (!is_ours)
            hear_error(from, line);
    }

    void hear_error(uint32_t from, std::string_view line)
    {
        SpokenOf spoken = spoken_of(line, sorted_);
        if (spoken.host.empty())
            spoken = {carriers_.host(from), std::string(line)};
        if (arguments_.verbose)
            say(arguments_, (spoken.host.empty() ? "" : spoken.host + ": ") + spoken.text);
        if (spoken.host.empty() || is_good_news(spoken.text))
            return;
        if (const std::size_t refused = spoken.text.find(kRefused); refused != std::string::npos)
            return answers_.refuse(spoken.host, spoken.text.substr(refused + kRefused.size()));
        answers_.excuse(spoken.host, spoken.text);
        if (is_end(spoken.text))
            answers_.give_up(spoken.host);
    }

    void hear_end(uint32_t from)
    {
        if (const std::string& host = carriers_.host(from); !host.empty())
            answers_.give_up(host);
    }

    const Arguments& arguments_;
    const Options& options_;
    const std::vector<std::string> hosts_;
    std::vector<std::string> sorted_;
    consume::Answers answers_;
    Carriers carriers_;
    uint64_t printed_ = 0;
};

} // namespace

int hosts_mode(const Arguments& arguments, const Options& options, Output& output)
{
    if (arguments.programs.empty()) {
        say(arguments, "no probes specified");
        return kFailure;
    }
    auto hosts = host_names(arguments.hosts);
    if (!hosts) {
        say(arguments, hosts.error().message);
        return kFailure;
    }
    const std::optional<std::string> command = command_for_hosts(arguments, options, output);
    if (!command)
        return kFailure;
    HostsRun run(arguments, options, output, std::move(hosts.value()));
    if (const Result<void> started = run.start(*command); !started) {
        say(arguments, started.error().message);
        return kFailure;
    }
    run.run();
    const int status = tell_answers(arguments, run.answers(), output);
    run.end();
    return status;
}

} // namespace dt::cmd
