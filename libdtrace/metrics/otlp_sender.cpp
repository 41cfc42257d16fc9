// Sends pages, and tries again after a failed connection and HTTP status 429, 502, 503 and 504, as the protocol
// requires. The last part of the file opens libcurl.
#include "libdtrace/metrics/otlp_sender.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/linkage.hpp"
#include "base/phase_times.hpp"
#include "libdtrace/metrics/otlp_message.hpp"

namespace dt::output {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr long kConnectMs = 2'000, kExchangeMs = 10'000;
constexpr Milliseconds kFirstPause{500}; // pause before the first retry; each later pause is twice as long
constexpr Milliseconds kLongestPause{10'000};
constexpr std::size_t kMaxOfAnswer = 64 << 10;

bool may_be_tried_again(long status)
{
    return status == 429 || status == 502 || status == 503 || status == 504;
}

/// Appends the collector's reason to `status`. The reason is printed on a terminal, so it must be a line of printable
/// ASCII.
std::string with_reason(std::string status, std::string_view body)
{
    constexpr std::size_t kMaxToTell = 200;
    body = body.substr(0, std::min(body.find('\n'), kMaxToTell));
    const bool is_plain =
        !body.empty() && std::all_of(body.begin(), body.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return is_plain ? status.append(": ").append(body) : status;
}

} // namespace

struct OtlpSender::Answer {
    CURLcode done = CURLE_OK;
    long status = 0;
    curl_off_t retry_after = 0; ///< pause before the next attempt that the collector requests, in seconds
    std::string body;
};

Result<std::unique_ptr<OtlpSender>> OtlpSender::make(const std::string& url, const Kind& kind,
                                                     const std::vector<std::string>& headers)
{
    const CurlLibrary* const curl = curl_library();
    if (!curl)
        return Error{missing_library("sending metrics", "libcurl.so.4", "libcurl4"), ENOENT};
    CURL* const easy = curl->init();
    if (!easy)
        return Error{"libcurl cannot be used", ENOMEM};
    return std::unique_ptr<OtlpSender>(new OtlpSender(*curl, easy, url, kind, headers));
}

OtlpSender::OtlpSender(const CurlLibrary& curl, CURL* easy, const std::string& url, Kind kind,
                       const std::vector<std::string>& headers)
    : curl_(curl), easy_(easy), kind_(std::move(kind))
{
    headers_ = curl.append_header(nullptr, "Content-Type: application/x-protobuf");
    // Without this header libcurl would wait for the collector's permission to send a large page.
    headers_ = curl.append_header(headers_, "Expect:");
    for (const std::string& header : headers)
        headers_ = curl.append_header(headers_, header.c_str());
    curl.set(easy, CURLOPT_URL, (url + kind_.path).c_str());
    curl.set(easy, CURLOPT_HTTPHEADER, headers_);
    curl.set(easy, CURLOPT_USERAGENT, "dtrace");
    curl.set(easy, CURLOPT_NOSIGNAL, 1L);
    curl.set(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    curl.set(easy, CURLOPT_TIMEOUT_MS, kExchangeMs);
    curl.set(easy, CURLOPT_WRITEFUNCTION, take);
    curl.set(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl.set(easy, CURLOPT_NOPROGRESS, 0L);
    curl.set(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl.set(easy, CURLOPT_XFERINFODATA, this);
}

OtlpSender::~OtlpSender()
{
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
    curl_.cleanup(easy_);
    curl_.free_headers(headers_);
}

std::size_t OtlpSender::take(char* bytes, std::size_t one, std::size_t count, void* answer)
{
    std::string& body = static_cast<Answer*>(answer)->body;
    body.append(bytes, std::min(one * count, kMaxOfAnswer - body.size()));
    return one * count;
}

/// Aborts a transfer when the sender ends. libcurl calls this function about once a second.
int OtlpSender::on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    OtlpSender& sender = *static_cast<OtlpSender*>(self);
    const std::lock_guard lock(sender.mutex_);
    return sender.is_over_ ? 1 : 0;
}

/// Opens sockets with close-on-exec, so that child processes do not inherit them.
curl_socket_t OtlpSender::open_socket(void*, curlsocktype, curl_sockaddr* address)
{
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t OtlpSender::waiting_bytes() const
{
    std::size_t bytes = 0;
    for (const Page& page : waiting_)
        bytes += page.bytes.size();
    return bytes;
}

std::string OtlpSender::why_it_waits() const
{
    return failing_.empty() ? "it accepts data too slowly" : failing_;
}

void OtlpSender::give_up(uint64_t entries, std::string reason)
{
    given_up_ = {given_up_.entries + entries, std::move(reason)};
}

void OtlpSender::give_up_oldest()
{
    give_up(waiting_.front().entries, why_it_waits());
    waiting_.pop_front();
}

void OtlpSender::send(std::string page, uint64_t entries)
{
    {
        const std::lock_guard lock(mutex_);
        if (!thread_.joinable())
            thread_ = side_thread([this] { work(); });
        if (!thread_.joinable() || is_over_)
            return give_up(entries, "cannot start a thread that sends them");
        waiting_.push_back({std::move(page), entries});
        while (waiting_.size() > 1 && (waiting_.size() > kind_.most_waiting || waiting_bytes() > kMaxBytes))
            give_up_oldest();
    }
    changed_.notify_all();
}

void OtlpSender::finish(std::chrono::milliseconds most)
{
    {
        std::unique_lock lock(mutex_);
        while (kind_.newest_is_enough && !failing_.empty() && waiting_.size() > 1)
            give_up_oldest();
        changed_.wait_for(lock, most, [this] { return waiting_.empty() && !is_sending_; });
        is_over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
    const std::lock_guard lock(mutex_);
    while (!waiting_.empty())
        give_up_oldest();
}

OtlpSender::GivenUp OtlpSender::take_given_up()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(given_up_, {});
}

void OtlpSender::work()
{
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
        if (is_over_)
            return;
        is_sending_ = true;
        deliver(lock);
        is_sending_ = false;
        changed_.notify_all();
    }
}

/// Sends one page with retries. The mutex is released meanwhile.
void OtlpSender::deliver(std::unique_lock<std::mutex>& lock)
{
    const Page page = std::move(waiting_.front());
    waiting_.pop_front();
    Milliseconds pause = kFirstPause;
    for (int attempt = 1; attempt <= kTries; ++attempt, pause *= 2) {
        lock.unlock();
        const Answer answer = post(page.bytes);
        lock.lock();
        const bool is_answered = answer.done == CURLE_OK;
        failing_.clear();
        if (is_answered && answer.status >= 200 && answer.status < 300) {
            const auto [rejected, why] = otlp_rejected(answer.body);
            if (rejected > 0 && page.entries == 1)
                give_up(1, with_reason(std::to_string(rejected) + (rejected == 1 ? " data point" : " data points") +
                                           " refused",
                                       why));
            else if (rejected > 0)
                give_up(std::min(static_cast<uint64_t>(rejected), page.entries),
                        with_reason("the collector refused some records of a message", why));
            return;
        }
        if (answer.done == CURLE_ABORTED_BY_CALLBACK) // aborted because the time limit of finish() has passed
            break;
        failing_ = is_answered ? with_reason("HTTP " + std::to_string(answer.status), answer.body)
                               : curl_.error_text(answer.done);
        if ((is_answered && !may_be_tried_again(answer.status)) || attempt == kTries)
            break;
        const Milliseconds asked(1000 * std::clamp<curl_off_t>(answer.retry_after, 0, 10));
        if (changed_.wait_for(lock, std::min(std::max(pause, asked), kLongestPause), [this] { return is_over_; }))
            break;
    }
    give_up(page.entries, why_it_waits());
}

OtlpSender::Answer OtlpSender::post(const std::string& page)
{
    Answer answer;
    curl_.set(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(page.size()));
    curl_.set(easy_, CURLOPT_POSTFIELDS, page.data());
    curl_.set(easy_, CURLOPT_WRITEDATA, &answer);
    answer.done = curl_.perform(easy_);
    curl_.get(easy_, CURLINFO_RESPONSE_CODE, &answer.status);
    curl_.get(easy_, CURLINFO_RETRY_AFTER, &answer.retry_after);
    return answer;
}

// Opens libcurl, whichever TLS library it was built with.

const CurlLibrary* curl_library()
{
    static std::optional<CurlLibrary> curl;
    for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
        if (curl.emplace(name).is_complete())
            return &*curl;
    return nullptr;
}

} // namespace dt::output
