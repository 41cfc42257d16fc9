#include "cmd/service/http_client.hpp"

#include <cerrno>

#include "base/linkage.hpp"
#include "libdtrace/output/curl_library.hpp"

namespace dt::service {
namespace {

using output::CurlLibrary;

constexpr unsigned kFirstRefusal = 300;

struct Exchange {
    const CurlLibrary& curl;
    CURL* easy;
    Answered answered;
    const std::function<bool(std::string_view)>* part = nullptr; ///< null: the whole body is stored
    bool is_enough = false;

    static std::size_t take(char* bytes, std::size_t one, std::size_t count, void* self)
    {
        Exchange& it = *static_cast<Exchange*>(self);
        const std::string_view taken(bytes, one * count);
        long code = 0;
        it.curl.get(it.easy, CURLINFO_RESPONSE_CODE, &code);
        if (it.part && static_cast<unsigned>(code) < kFirstRefusal)
            it.is_enough = !(*it.part)(taken);
        else
            it.answered.body += taken;
        return it.is_enough ? 0 : taken.size();
    }
};

} // namespace

std::string escaped_for_url(std::string_view text)
{
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte | 32) >= 'a' && (byte | 32) <= 'z') {
            escaped += c;
        } else if ((c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-') {
            escaped += c;
        } else {
            escaped.append("%") += kDigits[byte >> 4];
            escaped += kDigits[byte & 15];
        }
    }
    return escaped;
}

namespace {

Error no_answer(const std::string& socket, const std::string& why, long system_error)
{
    std::string message = "no service answers at " + socket + ": " + why;
    message += system_error == EACCES
                   ? "\n\tit answers root and the group of the socket"
                   : "\n\tis one running? dtrace --service starts one, -x control=PATH names another";
    return {message, static_cast<int>(system_error)};
}

Result<Answered> exchange(const std::string& socket, const std::string& method, const std::string& target,
                          const std::string& body, const std::function<bool(std::string_view)>* part)
{
    const CurlLibrary* const curl = output::curl_library();
    if (!curl)
        return Error{missing_library("asking a service", "libcurl.so.4", "libcurl4") + "; curl --unix-socket " +
                         socket + " http://localhost" + target + " asks the same",
                     ENOENT};
    CURL* const easy = curl->init();
    if (!easy)
        return Error{"libcurl cannot be used", ENOMEM};
    Exchange one{*curl, easy, {}, part};
    const std::string url = "http://localhost" + target;
    curl->set(easy, CURLOPT_UNIX_SOCKET_PATH, socket.c_str());
    curl->set(easy, CURLOPT_URL, url.c_str());
    curl->set(easy, CURLOPT_CUSTOMREQUEST, method.c_str());
    curl->set(easy, CURLOPT_NOSIGNAL, 1L);
    curl->set(easy, CURLOPT_PROXY, "");
    if (method == "POST") {
        curl->set(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
        curl->set(easy, CURLOPT_POSTFIELDS, body.data());
    }
    curl->set(easy, CURLOPT_WRITEFUNCTION, Exchange::take);
    curl->set(easy, CURLOPT_WRITEDATA, &one);
    const CURLcode done = curl->perform(easy);
    long code = 0, system_error = 0;
    curl->get(easy, CURLINFO_RESPONSE_CODE, &code);
    curl->get(easy, CURLINFO_OS_ERRNO, &system_error);
    const std::string why = curl->error_text(done);
    curl->cleanup(easy);
    one.answered.status = static_cast<unsigned>(code);
    if (done == CURLE_OK || one.is_enough)
        return std::move(one.answered);
    return no_answer(socket, why, system_error);
}

} // namespace

Result<Answered> ask(const std::string& socket, const std::string& method, const std::string& target,
                     const std::string& body)
{
    return exchange(socket, method, target, body, nullptr);
}

Result<Answered> follow(const std::string& socket, const std::string& target,
                        const std::function<bool(std::string_view)>& part)
{
    return exchange(socket, "GET", target, {}, &part);
}

} // namespace dt::service
