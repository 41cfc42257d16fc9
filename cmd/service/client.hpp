// HTTP client for a service on this machine. It uses libcurl, opened at the first request.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::service {

struct Response {
    unsigned status = 0;
    std::string body;
};

/// Sends a request. `method` is GET, POST or DELETE; `target` is an escaped path with query; `body` is the body of a
/// POST request. The error message gives the cause: the socket is missing or not accessible, no service listens, or
/// libcurl is missing.
Result<Response> ask(const std::string& socket, const std::string& method, const std::string& target,
                     const std::string& body);

/// Sends a GET request whose response is an endless stream. Calls `part` for each piece until the response ends or
/// `part` returns false. If the service refuses the request, the result's body is its message.
Result<Response> follow(const std::string& socket, const std::string& target,
                        const std::function<bool(std::string_view)>& part);

/// Escapes a path component or a query value for use in a URL.
std::string escaped_for_url(std::string_view text);

} // namespace dt::service
