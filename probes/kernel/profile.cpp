// profile-N and tick-N: fire by the clock, on every CPU or on one.
//
// The kernel event is PERF_COUNT_SW_CPU_CLOCK with a period in nanoseconds (perf_event_open(2)), an hrtimer without
// hardware counters. A probe with any valid name is created when a description contains its exact name. Globs match
// only the customary names (such as profile-97), and the probes that already exist.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <optional>
#include <strings.h>

#include "base/time.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

/// minimum period in ns; with a shorter period, the CPUs would hardly run anything else
constexpr uint64_t kShortestPeriod = 200'000;
/// The kernel rejects periods whose highest bit is set.
constexpr uint64_t kLongestPeriod = std::numeric_limits<int64_t>::max();

/// Minimum period in ns of ticks that are repeated after a loss. If ticks are more frequent, the loss of some of them
/// does not matter.
constexpr uint64_t kWorthKeeping = 100'000'000;
constexpr std::string_view kTick = "tick-";

struct ClockKind {
    std::string_view prefix;
    std::string_view cpus; ///< the CPUs in the text of an attach target: "all" or "one"
    std::string_view listed[7];
};
constexpr ClockKind kKinds[] = {
    {"profile-", "all", {"97", "199", "499", "997", "1999", "4001", "4999"}},
    {kTick, "one", {"1", "10", "100", "500", "1000", "5000", ""}},
};

/// Parses an interval such as "100ms". Returns nothing if it is invalid, too short or too long.
std::optional<uint64_t> interval(std::string_view text)
{
    uint64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])); ++digits)
        if (__builtin_mul_overflow(number, uint64_t{10}, &number) ||
            __builtin_add_overflow(number, static_cast<uint64_t>(text[digits] - '0'), &number))
            return {};
    const std::string_view word = text.substr(digits);
    // whether the number is a rate per second and not a duration
    const bool is_rate = word.empty() || (word.size() == 2 && strncasecmp(word.data(), "hz", 2) == 0);
    const std::optional<uint64_t> unit = is_rate ? kSecond : time_unit(word);
    if (digits == 0 || number == 0 || !unit)
        return {};
    uint64_t ns = kSecond / number;
    if (!is_rate && __builtin_mul_overflow(number, *unit, &ns))
        return {};
    return ns >= kShortestPeriod && ns <= kLongestPeriod ? std::optional(ns) : std::nullopt;
}

bool is_listed(const ClockKind& kind, std::string_view rate)
{
    return std::find(std::begin(kind.listed), std::end(kind.listed), rate) != std::end(kind.listed);
}

class ProfileProvider final : public Provider {
public:
    std::string_view name() const override { return "profile"; }
    uint32_t places() const override { return std::size(kKinds) * std::size(kKinds[0].listed); }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (!glob_match(pattern.module, "") || !glob_match(pattern.function, ""))
            return {};
        uint32_t place = 0;
        for (const ClockKind& kind : kKinds)
            for (const std::string_view rate : kind.listed) {
                if (!rate.empty())
                    add_matching(kind, rate, place, pattern, sink);
                ++place;
            }
        if (is_literal(pattern.name))
            for (const ClockKind& kind : kKinds)
                if (pattern.name.starts_with(kind.prefix) &&
                    !is_listed(kind, std::string_view(pattern.name).substr(kind.prefix.size())))
                    add_matching(kind, std::string_view(pattern.name).substr(kind.prefix.size()), {}, pattern, sink);
        return {};
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds& refused) override
    {
        if (refused.count(ProgramKind::PerfEvent) != 0)
            return plans_without_link(probes);
        const auto plans = perf_event_plans(probes, [](const Probe& probe) { return target_of(probe.name); });
        for (const std::shared_ptr<AttachPlan>& plan : plans) {
            const std::string_view name = plan->probes.front().probe->name;
            plan->is_asynchronous = name.starts_with(kTick);
            plan->period = period_of(name);
            plan->counts_runs = plan->is_asynchronous && plan->period >= kWorthKeeping;
        }
        return {plans.begin(), plans.end()};
    }

private:
    /// Returns plans for traces without kernel privileges. They contain no kernel event, because timers of the tracer
    /// fire the probes (dt::UserTimers).
    static std::vector<std::shared_ptr<const AttachPlan>> plans_without_link(const std::vector<const Probe*>& probes)
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        for (const Probe* probe : probes) {
            AttachPlan plan;
            plan.kind = ProgramKind::TestRun;
            plan.probes = {{probe, 0}};
            plan.targets = {{target_of(probe->name), 0, 0, probe}};
            plans.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
        }
        return plans;
    }

    static void add_matching(const ClockKind& kind, std::string_view rate, std::optional<uint32_t> place,
                             const ProbePattern& pattern, ProbeSink& sink)
    {
        std::string name = std::string(kind.prefix) + std::string(rate);
        if (!interval(rate) || !glob_match(pattern.name, name))
            return;
        Probe probe;
        probe.provider = "profile";
        probe.name = std::move(name);
        probe.attributes = &kProfileAttributes;
        probe.place = place.value_or(0);
        place ? sink.add(std::move(probe)) : sink.add_on_demand(std::move(probe));
    }

    static uint64_t period_of(std::string_view name)
    {
        return interval(name.substr(name.find('-') + 1)).value_or(kSecond);
    }

    /// Returns the text of an attach target, such as "4999999:all": the period in nanoseconds, and the CPUs.
    static std::string target_of(std::string_view name)
    {
        for (const ClockKind& kind : kKinds)
            if (name.starts_with(kind.prefix))
                return std::to_string(period_of(name)) + ":" + std::string(kind.cpus);
        return {};
    }
};

} // namespace

std::unique_ptr<Provider> make_profile_provider()
{
    return std::make_unique<ProfileProvider>();
}

} // namespace dt::probes
