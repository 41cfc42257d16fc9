// Pages of metrics, or of records, on their way to a collector.
//
// A collector that is slow, restarts or is gone must not stop tracing. So a thread sends, one page after the other, and
// what waits for it is bounded: the oldest page is given up. Each later page of metrics has all that it counted.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/output/curl_library.hpp"

namespace dt::output {

class OtlpSender {
public:
    /// Of what is sent: where to, behind the collector's URL, and how many pages may wait. At the end, where the last
    /// try failed, one of `newest_is_enough` is worth waiting for.
    struct Kind {
        std::string path;
        std::size_t most_waiting = 8;
        bool newest_is_enough = true;
    };
    /// `headers`: lines. Fails, with a complete error, where there is no libcurl.
    static Result<std::unique_ptr<OtlpSender>> make(const std::string& url, const Kind& kind,
                                                    const std::vector<std::string>& headers);
    /// What waits is given up.
    ~OtlpSender();
    OtlpSender(const OtlpSender&) = delete;
    OtlpSender& operator=(const OtlpSender&) = delete;

    /// `entries`: what is lost with it.
    void send(std::string page, uint64_t entries = 1);
    /// Returns when all pages are sent or given up, after `most` at the latest (libcurl may need a second more to
    /// stop); none is sent afterwards.
    void finish(std::chrono::milliseconds most);

    /// Entries given up since the last call, and what was wrong with the last of them.
    struct GivenUp {
        uint64_t entries = 0;
        std::string reason;
    };
    GivenUp take_given_up();

    static constexpr std::size_t kMostBytes = 16 << 20; ///< of what waits
    static constexpr int kTries = 3;

private:
    struct Answer;
    struct Page {
        std::string bytes;
        uint64_t entries = 0;
    };
    OtlpSender(const CurlLibrary& curl, CURL* easy, const std::string& url, Kind kind,
               const std::vector<std::string>& headers);
    void work();
    void deliver(std::unique_lock<std::mutex>& lock);
    Answer post(const std::string& page);
    static std::size_t take(char* bytes, std::size_t one, std::size_t count, void* answer);
    static int look(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
    static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
    void give_up(uint64_t entries, std::string reason);
    void give_up_oldest();
    std::size_t waiting_bytes() const;
    std::string why_it_waits() const;

    const CurlLibrary& curl_;
    CURL* const easy_;
    const Kind kind_;
    curl_slist* headers_ = nullptr;
    std::thread thread_;
    std::mutex mutex_; ///< of all below
    std::condition_variable changed_;
    std::deque<Page> waiting_;
    bool is_sending_ = false;
    bool is_over_ = false;
    std::string failing_; ///< what was wrong with the last try
    GivenUp given_up_;
};

} // namespace dt::output
