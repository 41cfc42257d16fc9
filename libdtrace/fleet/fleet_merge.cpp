#include "libdtrace/fleet/fleet_merge.hpp"

#include <algorithm>
#include <cstdio>

#include "base/time.hpp"
#include "dcompiler/syntax/format.hpp"
#include "libdtrace/format/printf.hpp"

namespace dt::consume {
namespace {

using State = HostResult::State;

constexpr uint64_t kMaxKeysOfHost = 1 << 20;
/// maximum size in bytes of the records that must wait until other hosts have sent earlier records
constexpr std::size_t kMaxWaiting = 32 << 20;
/// If a host sends no message for this time, the output of other hosts no longer waits for it.
constexpr uint64_t kSilentNs = 3 * kSecond;
constexpr std::size_t kFewHosts = 10;

/// Returns the aggregation's declaration with the host's name as an additional first part of the key.
SentAggregation with_host_key(SentAggregation sent)
{
    sent.parts.insert(sent.parts.begin(), {output::SentKind::Text, 0});
    return sent;
}

std::string host_key(const std::string& host)
{
    output::SnapshotWriter key;
    key.text(host);
    return key.bytes();
}

std::string number_and_word(uint64_t count, const std::string& one, const std::string& several)
{
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

/// Returns a duration in s or ms, for example "12.3 ms".
std::string time_text(uint64_t ns)
{
    char text[32];
    if (ns >= kSecond)
        std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ns) / kSecond);
    else
        std::snprintf(text, sizeof text, "%.1f ms", static_cast<double>(ns) / kMillisecond);
    return text;
}

/// Returns, for example, "; missing web1 (timeout), web2 (timeout)". If there are many hosts, lists only the first
/// ones, unless `every_name` is set.
std::string named_hosts(const char* what, const std::map<std::string, std::string>& hosts, bool every_name)
{
    std::string text;
    std::size_t named = 0;
    for (const auto& [host, reason] : hosts) {
        if (named++ == kFewHosts && !every_name && hosts.size() > kFewHosts + 1)
            return text + " and " + std::to_string(hosts.size() - kFewHosts) + " others";
        text += named == 1 ? std::string("; ") + what + " " : ", ";
        text += host + " (" + (reason.empty() ? "no answer" : reason) + ")";
    }
    return text;
}

} // namespace

FleetMerge::FleetMerge(const MergeContext& with)
    : with_(with), options_(with.options), env_{names_, options_.print(), symbols_, 0},
      sink_(output::make_sink({options_.print(), with.output, env_, with.reproducible}))
{
    if (const auto terminal = with.output.terminal())
        env_.columns = terminal->columns;
    env_.escape = options_.print().escape == "on" || (options_.print().escape == "auto" && env_.columns != 0);
}

FleetMerge::~FleetMerge() = default;

void FleetMerge::excuse(const std::string& host, std::string reason)
{
    if (const auto found = expected_.find(host); found != expected_.end() && found->second.reason.empty())
        found->second.reason = std::move(reason);
}

void FleetMerge::refuse(const std::string& host, std::string reason)
{
    if (const auto found = expected_.find(host); found != expected_.end())
        found->second = {std::move(reason), true, false, true};
}

bool FleetMerge::has_refused(const std::string& host) const
{
    const auto found = expected_.find(host);
    return found != expected_.end() && found->second.has_refused;
}

void FleetMerge::give_up(const std::string& host)
{
    if (const auto found = expected_.find(host); found != expected_.end())
        found->second.is_gone = true;
    for (Host& each : hosts_)
        if (each.answer->host() == host && each.answer->state() == State::Begun)
            each.answer->end(State::Broken, "its answer is incomplete");
}

// ---- received lines -------------------------------------------------------------------------------------------------

FleetMerge::Host& FleetMerge::begin(const std::string& stream, std::string_view carried, uint64_t now)
{
    Host& host = hosts_.emplace_back();
    host.answer = std::make_unique<HostResult>(std::string(carried), keys_, kMaxKeysOfHost);
    host.heard = now;
    streams_[stream] = &host;
    if (const auto found = expected_.find(std::string(carried)); found != expected_.end())
        found->second.has_begun = true;
    return host;
}

bool FleetMerge::add(uint32_t source, std::string_view line, uint64_t now)
{
    const std::optional<output::SnapshotLine> read = output::read_snapshot_line(line);
    if (!read)
        return false;
    const std::string stream = std::to_string(source) + " " + std::string(read->carried);
    const auto known = streams_.find(stream);
    // The first line of an answer has sequence number 0 and begins with a message of type Head. One file can contain
    // several answers, one after the other.
    const bool is_first = read->bytes.starts_with(std::string("\0H", 2));
    const bool begins = known == streams_.end() || (is_first && known->second->answer->has_head());
    Host& host = begins ? begin(stream, read->carried, now) : *known->second;
    host.heard = now;
    if (!read->is_whole) {
        if (host.answer->state() == State::Begun)
            host.answer->end(State::Broken, "a line was truncated");
        return true;
    }
    HostResult& answer = *host.answer;
    const State before = answer.state();
    answer.read(read->bytes, {[&](int64_t time, std::string_view text) {
                                  check(host);
                                  if (answer.state() != State::Begun)
                                      return;
                                  records_.emplace(time, WaitingRecord{time, answer.host(), std::string(text)});
                                  waiting_bytes_ += text.size() + sizeof(WaitingRecord);
                                  had_records_ = true;
                                  while (waiting_bytes_ > kMaxWaiting)
                                      print_until(records_.begin()->first);
                              },
                              [&](const HostResult::Print& print) {
                                  check(host);
                                  if (answer.state() == State::Begun)
                                      add_print(host, print);
                              },
                              [&](std::string_view text) {
                                  if (options_.print().format == OutputFormat::Text && !printed_heading_)
                                      with_.output.write(text);
                                  printed_heading_ = true;
                              },
                              [&](std::string_view name, uint64_t value) {
                                  check(host);
                                  const bool counts = answer.state() == State::Begun && value != 0;
                                  if (counts)
                                      options_.put(name, name.ends_with("pos") ? std::to_string(value) : "on");
                              }});
    if (before == State::Begun)
        check(host);
    if (before == State::Begun && answer.state() == State::Complete)
        complete(host);
    return true;
}

/// Rejects the host's answer if the host's program or aggregations differ from the other hosts' program or
/// aggregations.
void FleetMerge::check(Host& host)
{
    HostResult& answer = *host.answer;
    if (!answer.has_head() || (answer.state() != State::Begun && answer.state() != State::Complete))
        return;
    if (!program_)
        program_ = answer.program();
    if (answer.program() != *program_)
        return answer.end(State::Refused, "it ran a different program");
    for (const auto& [id, received] : answer.aggregations()) {
        const auto [shape, is_new] = shapes_.try_emplace(received.sent.name, received.sent);
        if (const std::string misfit = is_new ? "" : shape->second.misfit(received.sent); !misfit.empty())
            return answer.end(State::Refused, misfit);
    }
}

std::size_t FleetMerge::series_of(const HostResult::Print& print, const HostResult& answer)
{
    std::string text = std::to_string(static_cast<int>(print.how)) + print.format;
    std::vector<std::string> names;
    for (const uint32_t id : print.ids)
        text.append(1, '\0').append(names.emplace_back(answer.aggregations().at(id).sent.name));
    const auto [found, is_new] = series_by_text_.try_emplace(text, series_.size());
    if (is_new)
        series_.push_back({print.how, print.format, std::move(names), {}});
    return found->second;
}

void FleetMerge::add_print(Host& host, const HostResult::Print& print)
{
    if (print.how == output::SnapshotPrint::AtEnd && host.answer->state() != State::Complete) {
        host.at_end.push_back(print);
        return;
    }
    const HostResult& answer = *host.answer;
    const std::size_t index = series_of(print, answer);
    Series& series = series_[index];
    const std::size_t turn = host.rounds[index]++;
    if (turn < series.printed) {
        ++out_of_order_;
        return;
    }
    while (series.rounds.size() <= turn - series.printed)
        series.rounds.emplace_back();
    Round& round = series.rounds[turn - series.printed];
    round.time = std::max(round.time, print.time);
    const bool by_host = options_.print().hostkey;
    for (const uint32_t id : print.ids) {
        const HostResult::ReceivedAggregation& received = answer.aggregations().at(id);
        std::unique_ptr<MergedTable>& table = round.tables[received.sent.name];
        if (!table)
            table = std::make_unique<MergedTable>(by_host ? with_host_key(received.sent) : received.sent);
        answer.add_to(*table, received, by_host ? host_key(answer.host()) : std::string());
    }
}

void FleetMerge::complete(Host& host)
{
    for (const HostResult::Print& print : host.at_end)
        add_print(host, print);
    host.at_end.clear();
    // There may be thousands of hosts, so a host's values are freed as soon as they are merged.
    for (auto& [id, received] : host.answer->aggregations()) {
        received.values = {};
        received.keys = {};
    }
}

bool FleetMerge::are_all_here() const
{
    const auto is_here = [](const auto& each) { return each.second.is_gone || each.second.has_begun; };
    return !expected_.empty() && std::all_of(expected_.begin(), expected_.end(), is_here) &&
           std::none_of(hosts_.begin(), hosts_.end(),
                        [](const Host& host) { return host.answer->state() == State::Begun; });
}

// ---- output ---------------------------------------------------------------------------------------------------------

void FleetMerge::print_record(const WaitingRecord& record)
{
    waiting_bytes_ -= record.text.size() + sizeof(WaitingRecord);
    out_of_order_ += record.time < printed_until_ ? 1 : 0;
    printed_until_ = std::max(printed_until_, record.time);
    if (options_.print().format == OutputFormat::Text) {
        std::string_view text = record.text;
        if (options_.print().hostkey && text.starts_with('\n'))
            text.remove_prefix(1);
        with_.output.write((options_.print().hostkey ? record.host + ": " : std::string()) + std::string(text));
        return with_.output.drain();
    }
    const int64_t offset = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
    const output::ProbeText probe;
    const output::Line line{static_cast<uint64_t>(record.time - offset), 0, 0, probe};
    sink_->begin(line);
    for (const std::string* text : {&record.host, &record.text}) {
        Datum datum;
        datum.kind = Datum::Kind::Text;
        datum.size = static_cast<uint32_t>(text->size());
        sink_->value(datum, reinterpret_cast<const uint8_t*>(text->data()));
    }
    sink_->end(line);
    with_.output.drain();
}

void FleetMerge::print_round(const Series& series, const Round& round)
{
    std::vector<const MergedTable*> merged;
    for (const std::string& name : series.names)
        if (const auto found = round.tables.find(name); found != round.tables.end())
            merged.push_back(found->second.get());
    if (merged.empty())
        return;
    PrintableTables printable(merged);
    names_ = printable.names;
    symbols_.know_texts(printable.names);
    const auto tables = printable.tables();
    std::vector<format::BoundFormat> formats;
    const auto parsed = format::parse(series.format);
    for (const output::Aggregation* table : tables) {
        auto bound = parsed ? format::BoundFormat::bind(parsed.value(), table->schema().keys, tables.size())
                            : Result<format::BoundFormat>(parsed.error());
        if (bound)
            formats.push_back(std::move(bound.value()));
    }
    // With option hostkey, the host's name is an additional first key. The formats of the program's printa() do not fit
    // these keys, so the default layout is used.
    const bool has_format =
        series.how == output::SnapshotPrint::Format && !options_.print().hostkey && formats.size() == tables.size();
    if (series.how == output::SnapshotPrint::AtEnd) {
        sink_->unprinted(*tables[0]);
    } else {
        const output::ProbeText probe;
        const output::Line line{now_monotonic(), 0, 0, probe, false};
        sink_->begin(line);
        has_format ? sink_->aggregations(tables, formats) : sink_->aggregations(tables);
        sink_->end(line);
    }
    with_.output.drain();
}

/// Returns whether the next round of a series of printa() outputs is complete, which means that no host can still add
/// values to this round.
bool FleetMerge::is_whole(std::size_t series) const
{
    const std::size_t turn = series_[series].printed;
    const auto is_missing = [&](const Host& host) {
        const auto sent = host.rounds.find(series);
        return host.answer->state() == State::Begun && (sent == host.rounds.end() || sent->second <= turn);
    };
    return std::none_of(hosts_.begin(), hosts_.end(), is_missing) &&
           std::all_of(expected_.begin(), expected_.end(),
                       [](const auto& each) { return each.second.is_gone || each.second.has_begun; });
}

/// Prints records and complete rounds of printa() outputs up to `time`, in time order. If `time` is INT64_MAX,
/// incomplete rounds are printed too.
void FleetMerge::print_until(int64_t time)
{
    for (;;) {
        Series* next = nullptr;
        for (std::size_t i = 0; i < series_.size(); ++i) {
            Series& series = series_[i];
            if (series.rounds.empty() || series.how == output::SnapshotPrint::AtEnd ||
                series.rounds.front().time > time)
                continue;
            if ((!next || series.rounds.front().time < next->rounds.front().time) && (time == INT64_MAX || is_whole(i)))
                next = &series;
        }
        const int64_t of_record = records_.empty() ? INT64_MAX : records_.begin()->first;
        if (next && next->rounds.front().time <= of_record) {
            print_round(*next, next->rounds.front());
            next->rounds.pop_front();
            ++next->printed;
        } else if (!records_.empty() && of_record <= time) {
            print_record(records_.begin()->second);
            records_.erase(records_.begin());
        } else {
            return;
        }
    }
}

void FleetMerge::print_ready(uint64_t now)
{
    int64_t until = INT64_MAX - 1;
    for (const Host& host : hosts_)
        if (host.answer->state() == State::Begun && now - host.heard < kSilentNs)
            until = std::min(until, host.answer->last_time());
    print_until(until);
    with_.output.offer();
}

void FleetMerge::finish(const std::optional<std::string>& others)
{
    for (auto& [name, expected] : expected_)
        if (!expected.has_begun && others)
            excuse(name, *others);
    for (Host& host : hosts_) {
        if (host.answer->state() != State::Begun || !host.answer->has_head())
            continue;
        if (others) {
            host.answer->end(State::Broken, *others);
            continue;
        }
        for (const auto& [id, received] : host.answer->aggregations())
            if (!received.is_printed)
                host.at_end.push_back({host.answer->last_time(), output::SnapshotPrint::AtEnd, {}, {id}});
        host.answer->end(State::Complete, {});
        complete(host);
    }
    print_until(INT64_MAX);
    sink_->end_of_records();
    for (const Series& series : series_)
        for (const Round& round : series.rounds)
            print_round(series, round);
    sink_->finish();
}

// ---- the result -----------------------------------------------------------------------------------------------------

std::vector<const HostResult*> FleetMerge::complete_results() const
{
    std::vector<const HostResult*> all;
    for (const Host& host : hosts_)
        if (host.answer->state() == State::Complete)
            all.push_back(host.answer.get());
    return all;
}

std::map<std::string, std::string> FleetMerge::missing() const
{
    std::map<std::string, std::string> missing;
    for (const auto& [name, expected] : expected_)
        missing[name] = expected.reason;
    for (const Host& host : hosts_)
        if (host.answer->state() != State::Complete)
            missing[host.answer->host()] = host.answer->state() == State::Begun ? "no answer" : host.answer->reason();
    for (const HostResult* answer : complete_results())
        missing.erase(answer->host());
    return missing;
}

bool FleetMerge::is_complete() const
{
    return missing().empty() && !complete_results().empty();
}

std::string FleetMerge::summary(bool every_name) const
{
    const auto absent = missing();
    const auto answers = complete_results();
    std::map<std::string, bool> present;
    uint64_t lost = 0, arrived = 0, error = 0, largest = 0;
    bool knows_clocks = true;
    for (const HostResult* answer : answers) {
        present[answer->host()] = true;
        arrived += answer->arrived();
        knows_clocks &= answer->clock_error() != 0;
        error = std::max(largest + answer->clock_error(), error);
        largest = std::max(largest, answer->clock_error());
        for (const auto& [cause, loss] : answer->losses())
            lost += loss.kind == output::LossKind::Lost ? loss.count : 0;
    }
    const std::size_t all = present.size() + absent.size();
    std::string text = "results of " + std::to_string(present.size()) + " of " + number_and_word(all, "host", "hosts");
    std::map<std::string, std::string> unheard, unwilling;
    for (const auto& [host, reason] : absent)
        (has_refused(host) ? unwilling : unheard)[host] = reason;
    text += named_hosts("missing", unheard, every_name) + named_hosts("refused by", unwilling, every_name);
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.2g %%",
                  100.0 * static_cast<double>(lost) / static_cast<double>(std::max<uint64_t>(lost + arrived, 1)));
    text += lost == 0 ? std::string("; lost nothing") : "; lost " + std::string(percent);
    if (out_of_order_ != 0)
        text += "; " + number_and_word(out_of_order_, "record", "records") +
                " arrived too late to be printed in order of time";
    if (had_records_ && present.size() > 1 && !with_.reproducible)
        text +=
            knows_clocks ? "; clocks agree within " + time_text(error) : "; the difference between clocks is unknown";
    return text;
}

std::vector<std::string> FleetMerge::losses(std::size_t most) const
{
    std::vector<std::pair<uint64_t, std::string>> lines;
    for (const HostResult* answer : complete_results()) {
        std::string text;
        uint64_t sum = 0;
        for (const auto& [cause, loss] : answer->losses()) {
            if (loss.kind != output::LossKind::Lost)
                continue;
            sum += loss.count;
            text += (text.empty() ? "" : ", ") + number_and_word(loss.count, loss.one, loss.several) + " (" +
                    loss.text + ")";
        }
        if (sum != 0)
            lines.emplace_back(sum, "lost on " + answer->host() + ": " + text);
    }
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < std::min(most, lines.size()); ++i)
        notes.push_back(lines[i].second);
    if (lines.size() > most)
        notes.push_back("lost on " + std::to_string(lines.size() - most) + " other hosts: -v lists them");
    return notes;
}

} // namespace dt::consume
