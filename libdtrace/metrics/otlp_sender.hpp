// Sends pages of metrics or log records to an OpenTelemetry collector.
//
// A slow, restarting or missing collector must not stop tracing. So a thread sends one page at a time, and the queue is
// bounded: when the queue is full, the oldest page is dropped. A dropped page of metrics loses no counts, because later
// pages contain the totals.
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

#include "base/linkage.hpp"
#include "base/result.hpp"

// libcurl, opened at the first request, so that dtrace does not need the library otherwise.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

namespace dt::output {

/// Functions of libcurl, with the types from its header.
struct CurlLibrary : OpenedLibrary {
    using OpenedLibrary::OpenedLibrary;

    decltype(&curl_easy_init) init = find("curl_easy_init");
    decltype(&curl_easy_setopt) set = find("curl_easy_setopt");
    decltype(&curl_easy_perform) perform = find("curl_easy_perform");
    decltype(&curl_easy_getinfo) get = find("curl_easy_getinfo");
    decltype(&curl_easy_strerror) error_text = find("curl_easy_strerror");
    decltype(&curl_easy_cleanup) cleanup = find("curl_easy_cleanup");
    decltype(&curl_slist_append) append_header = find("curl_slist_append");
    decltype(&curl_slist_free_all) free_headers = find("curl_slist_free_all");
};

/// Returns the functions, or null if libcurl is not installed.
const CurlLibrary* curl_library();

class OtlpSender {
public:
    /// The kind of pages that a sender sends, metrics or log records. `path` is the path below the collector's URL.
    /// `most_waiting` is the maximum number of pages in the queue. If `newest_is_enough` is set and the last attempt
    /// has failed, finish() sends only the newest page.
    struct Kind {
        std::string path;
        std::size_t most_waiting = 8;
        bool newest_is_enough = true;
    };
    /// Creates a sender; `headers` are HTTP header lines. Fails if libcurl is missing. The error message is complete;
    /// the caller adds no prefix.
    static Result<std::unique_ptr<OtlpSender>> make(const std::string& url, const Kind& kind,
                                                    const std::vector<std::string>& headers);
    /// Ends the thread. Drops the pages that are still in the queue.
    ~OtlpSender();
    OtlpSender(const OtlpSender&) = delete;
    OtlpSender& operator=(const OtlpSender&) = delete;

    /// Puts a page into the queue. `entries` is the number of entries that count as lost if the page is dropped.
    void send(std::string page, uint64_t entries = 1);
    /// Blocks until all pages are sent or dropped, but no longer than `most` (libcurl may need one second more to
    /// stop). Pages that are queued later are not sent.
    void finish(std::chrono::milliseconds most);

    /// The number of entries dropped since the last call of take_given_up(), and the reason for the last drop.
    struct GivenUp {
        uint64_t entries = 0;
        std::string reason;
    };
    GivenUp take_given_up();

    static constexpr std::size_t kMaxBytes = 16 << 20; ///< limit of the queue in bytes
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
    static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
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
    std::mutex mutex_; ///< mutex that protects all members after it
    std::condition_variable changed_;
    std::deque<Page> waiting_;
    bool is_sending_ = false;
    bool is_over_ = false;
    std::string failing_; ///< error of the last attempt to send; empty if the attempt succeeded
    GivenUp given_up_;
};

} // namespace dt::output
