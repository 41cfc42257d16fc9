// Merges the answers of many hosts into one output (dtrace --merge). Lines arrive from files or remote shells in any
// order; the output looks like that of a single run.
//
// A host's answer is complete when its last line has arrived. Records are printed in time order, as far as the hosts'
// clocks agree. The output at the end of a run is printed once, merged over all hosts with complete answers. The other
// hosts are listed with the reason why they are missing, and the final sums exclude them.
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libdtrace/fleet/host_result.hpp"
#include "libdtrace/format/value.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

class FleetMerge {
public:
    struct MergeContext {
        const Options& options;
        Output& output;
        bool reproducible = false;
    };
    explicit FleetMerge(const MergeContext& with);
    ~FleetMerge();

    /// Adds a host from which an answer is expected; the host counts as missing until it answers.
    void expect(const std::string& host) { expected_.emplace(host, Expected()); }
    /// Records a reason to report if the host's answer does not arrive. If several reasons are recorded, the first one
    /// is reported.
    void excuse(const std::string& host, std::string reason);
    /// Records that the host has refused the request. Such hosts are reported separately from missing ones.
    void refuse(const std::string& host, std::string reason);
    /// Marks the host's answer as ended, because nothing more will arrive from it.
    void give_up(const std::string& host);

    /// Adds one line. `source` identifies the file or stream from which the line came. `now` (CLOCK_MONOTONIC ns) is
    /// used to detect silent hosts. Returns false if the line is not a dtrace message.
    bool add(uint32_t source, std::string_view line, uint64_t now);
    /// Returns whether every expected host has answered or is no longer expected to answer, and every answer that has
    /// begun is complete.
    bool are_all_here() const;

    /// Prints the records and printa() outputs that no later data of an active host can precede.
    void print_ready(uint64_t now);
    /// Ends all answers and prints the remaining output. If `others` is not empty, it is the reason to report for hosts
    /// whose answer is incomplete, and these hosts count as missing. If `others` is empty, the values received so far
    /// are included, even those of incomplete answers.
    void finish(const std::optional<std::string>& others);

    /// Returns, for example, "results of 997 of 1000 hosts; missing web17 (timeout), …; refused by web3 (memory …), …;
    /// lost 0.02 %".
    std::string summary(bool every_name) const;
    /// Returns a line for each host that lost data, largest loss first: at most `most` hosts, and then one line with
    /// the count of the other hosts.
    std::vector<std::string> losses(std::size_t most) const;
    bool is_complete() const;

private:
    struct Round {
        int64_t time = 0;
        /// aggregations that were merged over the hosts; the key is the name
        std::map<std::string, std::unique_ptr<MergedTable>> tables;
    };
    /// All rounds of one printa() statement. A round is one execution of the statement, merged over the hosts.
    struct Series {
        output::SnapshotPrint how{};
        std::string format;
        std::vector<std::string> names;
        std::deque<Round> rounds;
        std::size_t printed = 0; ///< number of rounds that were printed and removed from this list
    };
    struct Host {
        std::unique_ptr<HostResult> answer;
        /// number of rounds that the host has sent of each series of printa() outputs; the key is the series' index
        std::map<std::size_t, std::size_t> rounds;
        uint64_t heard = 0; ///< time when the host's last line arrived (CLOCK_MONOTONIC ns)
        /// output for the end of the run, until the host's answer is complete
        std::vector<HostResult::Print> at_end;
    };
    struct Expected {
        std::string reason;
        bool is_gone = false, has_begun = false, has_refused = false;
    };
    struct WaitingRecord {
        int64_t time = 0;
        std::string host, text;
    };

    Host& begin(const std::string& stream, std::string_view carried, uint64_t now);
    void check(Host& host);
    void add_print(Host& host, const HostResult::Print& print);
    void complete(Host& host);
    std::size_t series_of(const HostResult::Print& print, const HostResult& answer);
    void print_round(const Series& series, const Round& round);
    void print_record(const WaitingRecord& record);
    void print_until(int64_t time);
    bool is_whole(std::size_t series) const;
    std::vector<const HostResult*> complete_results() const;
    std::map<std::string, std::string> missing() const;
    bool has_refused(const std::string& host) const;

    const MergeContext with_;
    Options options_; ///< the user's options, and the options that the hosts have sent
    std::vector<std::string> names_;
    Symbols symbols_;
    format::Environment env_;
    std::unique_ptr<output::Sink> sink_;
    KeyTexts keys_;
    std::map<std::string, Expected> expected_;
    std::list<Host> hosts_;
    /// host that sends the lines of a stream; the key consists of the stream's source and of the host name before each
    /// line
    std::map<std::string, Host*> streams_;
    std::map<std::string, SentAggregation> shapes_;
    std::optional<uint64_t> program_;
    std::deque<Series> series_;
    std::map<std::string, std::size_t> series_by_text_;
    std::multimap<int64_t, WaitingRecord> records_;
    std::size_t waiting_bytes_ = 0;
    int64_t printed_until_ = INT64_MIN;
    uint64_t out_of_order_ = 0;
    bool had_records_ = false, printed_heading_ = false;
};

} // namespace dt::consume
