// One answer from many hosts: lines come from files or carriers in any order, and go out as those of one run would.
//
// A host has answered when its last line is here. What it printed meanwhile is shown in time order, as far as the
// clocks of hosts agree; what is shown at the end of a run is shown once, of all hosts that answered. Of the others is
// said why they are missing: what they sent is in no sum at the end.
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libdtrace/consume/host_answer.hpp"
#include "libdtrace/format/value.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

class Answers {
public:
    struct Surroundings {
        const Options& options;
        Output& output;
        bool reproducible = false;
    };
    explicit Answers(const Surroundings& with);
    ~Answers();

    /// A host that is asked: it is missing until it answers.
    void expect(const std::string& host) { expected_.emplace(host, Expected()); }
    /// What may be the reason should it not answer: the first one is told.
    void excuse(const std::string& host, std::string reason);
    /// It will not do what it is asked: told apart from those that are missing.
    void refuse(const std::string& host, std::string reason);
    /// Nothing more comes of it.
    void give_up(const std::string& host);

    /// One line of one source (a file, a carrier's stream). `source`: what a host is called whose line has no name in
    /// front and which does not call itself anything. False: the line is none of dtrace's. At `now` (CLOCK_MONOTONIC
    /// ns), which tells who fell silent.
    bool add(uint32_t source, std::string_view line, uint64_t now);
    /// Is every host that is asked complete, or refused?
    bool are_all_here() const;

    /// Prints records and printa()s that no host that is still heard of can precede.
    void print_ready(uint64_t now);
    /// Nothing more comes: prints the rest. `others`: why those that did not end are missing; nothing: they are asked
    /// for no more than they have sent, and count with that.
    void finish(const std::optional<std::string>& others);

    /// "997 of 1000 hosts; missing web17 (timeout), …; refused web3 (memory …), …; lost 0.02 %".
    std::string summary(bool every_name) const;
    /// What each host lost, a line each; the first `most` of them.
    std::vector<std::string> losses(std::size_t most) const;
    bool is_complete() const;

private:
    struct Round {
        int64_t time = 0;
        std::map<std::string, std::unique_ptr<MergedTable>> tables; ///< by name
    };
    /// What one printa() of the program prints, time after time.
    struct Series {
        output::SnapshotPrint how{};
        std::string format;
        std::vector<std::string> names;
        std::deque<Round> rounds;
        std::size_t printed = 0; ///< rounds that are there no more
    };
    struct Host {
        std::unique_ptr<HostAnswer> answer;
        std::map<std::size_t, std::size_t> rounds; ///< by series: how many it has sent
        uint64_t heard = 0;                        ///< CLOCK_MONOTONIC ns
        std::vector<HostAnswer::Print> at_end;     ///< until it is complete
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
    void add_print(Host& host, const HostAnswer::Print& print);
    void complete(Host& host);
    std::size_t series_of(const HostAnswer::Print& print, const HostAnswer& answer);
    void print_round(const Series& series, const Round& round);
    void print_record(const WaitingRecord& record);
    void print_until(int64_t time);
    bool is_whole(std::size_t series) const;
    std::vector<const HostAnswer*> complete_answers() const;
    std::map<std::string, std::string> missing() const;
    bool has_refused(const std::string& host) const;

    const Surroundings with_;
    Options options_; ///< and what the program wants
    std::vector<std::string> names_;
    Symbols symbols_;
    format::Environment env_;
    std::unique_ptr<output::Sink> sink_;
    KeyTexts keys_;
    std::map<std::string, Expected> expected_;
    std::list<Host> hosts_;
    std::map<std::string, Host*> streams_; ///< by source and name
    std::map<std::string, SentAggregation> shapes_;
    std::optional<uint64_t> program_;
    std::deque<Series> series_;
    std::map<std::string, std::size_t> series_by_text_;
    std::multimap<int64_t, WaitingRecord> records_;
    std::size_t waiting_bytes_ = 0;
    int64_t printed_until_ = INT64_MIN;
    uint64_t out_of_order_ = 0;
    bool had_records_ = false, told_heading_ = false;
};

} // namespace dt::consume
