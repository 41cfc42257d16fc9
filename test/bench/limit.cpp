// bench limit: storms under -x maxcost: what they lose to tracing, and how well their totals are known.
//
//   bench limit [SECONDS]   how long each storm lasts (20)
//     --svg FILE            a plot of the share over time
//
//     --rate MILLIONS       only the storm of so many calls a second (1, 5 or 10)
//     --limit LIMIT         only under that limit (1% or 5%), and without a tracer
//
// A thread on each CPU makes so many calls (storm.cpp): what they take longer than without a tracer, and the tracer's
// own CPU time, is what tracing costs. The storm knows how many calls it made and what their arguments add up to. Now
// and then it waits between two other calls, for as long as chance says, and knows how long: a script with both ends of
// the wait must find the same quantiles.
#include "test/bench/limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "test/bench/plot.hpp"
#include "test/bench/storm.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr int kLooks = 10;     // a second
constexpr double kSettled = 2; // seconds until the limit is to be kept
constexpr int kMostReadyMs = 20'000;
constexpr double kWaitStep = 100;       // ns of a bucket
constexpr double kOpenBucket = 100'000; // the last one begins there
constexpr double kQuantiles[] = {0.5, 0.9, 0.99};
constexpr const char* kNoTracer = "no tracer"; // what the method itself says of nothing

struct LimitResult {
    double made = 0;                      ///< calls a second
    std::vector<double> shares;           ///< percent of the machine, at each look
    std::map<std::string, double> errors; ///< of aggregations, in percent
    std::vector<double> waits;            ///< of kQuantiles, likewise
};

std::vector<double> quantiles_of_storm(const StormState& state)
{
    std::vector<float> all(state.wait_ns, state.wait_ns + std::min<long>(state.waits, kMostWaits));
    std::sort(all.begin(), all.end());
    std::vector<double> found;
    for (const double part : kQuantiles)
        found.push_back(all.empty() ? 0 : all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1))]);
    return found;
}

/// `buckets`: the least value of each, and its count, in order.
std::vector<double> quantiles_of_buckets(const nlohmann::json& buckets)
{
    double all = 0;
    for (const auto& bucket : buckets)
        all += bucket[1].get<double>();
    std::vector<double> found;
    for (const double part : kQuantiles) {
        double before = 0;
        for (const auto& bucket : buckets) {
            const double count = bucket[1].get<double>();
            if (before + count >= part * all) {
                const double least = bucket[0].is_number() ? bucket[0].get<double>() : kOpenBucket; // that one is open
                found.push_back(least + kWaitStep * (part * all - before) / count);
                break;
            }
            before += count;
        }
    }
    return found;
}

bool is_ready(const Tool& tool, const std::string& path)
{
    for (int ms = 0; ms < kMostReadyMs && tool.running(); ms += 10) {
        std::ifstream file(path);
        std::stringstream text;
        text << file.rdbuf();
        if (text.str().find("ready") != std::string::npos)
            return true;
        usleep(10'000);
    }
    return false;
}

LimitResult storm_under(const std::string& limit, double rate, int seconds, const std::string& build)
{
    const std::string path = std::filesystem::temp_directory_path() / ("limit." + std::to_string(getpid()));
    LimitResult result;
    Storm storm(rate);
    if (limit == kNoTracer) {
        result.shares = storm.watch(seconds, kLooks, 0);
        result.made = static_cast<double>(storm.state().calls()) / seconds;
        return result;
    }
    const std::string script =
        "BEGIN { printf(\"ready\"); } syscall::getppid:entry /pid == " + std::to_string(storm.pid()) +
        "/ { @calls = count(); @sum = sum(arg2); } syscall::getpgid:entry /pid == " + std::to_string(storm.pid()) +
        "/ { self->at = timestamp; } syscall::getsid:entry /self->at/ { @waits = lquantize(timestamp - self->at, 0, "
        "100000, 100); "
        "self->at = 0; }";
    std::vector<std::string> command{build + "/dtrace", "-x", "format=jsonl", "-qn", script};
    if (!limit.empty())
        command.insert(command.begin() + 1, {"-x", "maxcost=" + limit});
    Tool tracer(command, path);
    if (is_ready(tracer, path)) {
        result.shares = storm.watch(seconds, kLooks, tracer.pid());
        storm.end();
        tracer.interrupt();
        const std::map<std::string, double> truth{{"calls", static_cast<double>(storm.state().calls())},
                                                  {"sum", static_cast<double>(storm.state().sum())}};
        result.made = truth.at("calls") / seconds;
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);) {
            const auto row = nlohmann::json::parse(line, nullptr, false);
            if (row.is_discarded() || row.value("type", "") != "agg")
                continue;
            if (row.contains("buckets")) {
                const std::vector<double> found = quantiles_of_buckets(row["buckets"]),
                                          made = quantiles_of_storm(storm.state());
                for (std::size_t i = 0; i < found.size(); ++i)
                    result.waits.push_back(100 * (found[i] / made[i] - 1));
            } else
                result.errors[row["name"]] = 100 * (row["value"].get<double>() / truth.at(row["name"]) - 1);
        }
    }
    std::filesystem::remove(path);
    return result;
}

double mean(const double* begin, const double* end)
{
    double sum = 0;
    for (const double* each = begin; each != end; ++each)
        sum += *each;
    return end > begin ? sum / static_cast<double>(end - begin) : 0;
}

void print_row(double rate, const std::string& limit, const LimitResult& result)
{
    const std::vector<double>& shares = result.shares;
    const auto settled = static_cast<std::size_t>(kSettled * kLooks);
    if (shares.size() < 2 * settled) {
        std::printf("| %.0f | the tracer did not start |\n", rate);
        return;
    }
    double most = -HUGE_VAL;
    for (std::size_t i = settled; i + settled <= shares.size(); ++i)
        most = std::max(most, mean(&shares[i], &shares[i] + settled));
    std::printf("| %.0f M | %.1f M | %s | %.2f %% | %.2f %% |", rate / 1e6, result.made / 1e6,
                limit.empty() ? "none" : limit.c_str(), mean(&shares[settled], shares.data() + shares.size()), most);
    for (const char* name : {"calls", "sum"})
        if (const auto error = result.errors.find(name); error != result.errors.end())
            std::printf(" %+.2f %% |", error->second);
        else
            std::printf(" |");
    for (std::size_t i = 0; i < std::size(kQuantiles); ++i)
        if (i < result.waits.size())
            std::printf(" %+.1f %% |", result.waits[i]);
        else
            std::printf(" |");
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int run_limit(const std::vector<std::string>& words, const std::string& build)
{
    int seconds = 20;
    std::string svg, only_rate, only_limit;
    const std::map<std::string, std::string*> texts{{"--svg", &svg}, {"--rate", &only_rate}, {"--limit", &only_limit}};
    for (std::size_t i = 0; i < words.size(); ++i)
        if (const auto text = texts.find(words[i]); text != texts.end() && i + 1 < words.size())
            *text->second = words[++i];
        else
            seconds = std::clamp(std::atoi(words[i].c_str()), 4, 3600);
    Plot plot{"percent of the machine that tracing takes", "%", static_cast<double>(seconds), {}};
    std::printf(
        "| calls a second, asked | made | limit | taken after %.0f s | most in any 2 s | count() | sum() | waits: "
        "median | 90 %% | 99 %% |\n|---|---|---|---|---|---|---|---|---|---|\n",
        kSettled);
    for (const double rate : {1e6, 5e6, 10e6}) {
        if (!only_rate.empty() && std::stod(only_rate) * 1e6 != rate)
            continue;
        double zero = 0; // what runs take longer than the middle one without a tracer
        for (const std::string limit : {kNoTracer, "", "1%", "5%"}) {
            if (!only_limit.empty() && limit != only_limit && limit != kNoTracer)
                continue;
            LimitResult result = storm_under(limit, rate, seconds, build);
            if (limit == kNoTracer)
                zero = mean(result.shares.data(), result.shares.data() + result.shares.size());
            for (double& share : result.shares)
                share -= zero;
            print_row(rate, limit, result);
            if (!limit.empty() && limit != kNoTracer)
                plot.lines.push_back({std::to_string(static_cast<int>(rate / 1e6)) + " M/s, " + limit, result.shares});
        }
    }
    if (!svg.empty())
        write_svg(svg, plot);
    return 0;
}

} // namespace dt::bench
