// Requests to a service on this machine, by libcurl, which is opened when the first is made.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::service {

struct Answered {
    unsigned status = 0;
    std::string body;
};

/// `method`: GET, POST, DELETE; `target`: path and query, escaped; `body`: of a POST. The error is complete: the socket
/// is not there, may not be opened, nobody answers, libcurl is missing.
Result<Answered> ask(const std::string& socket, const std::string& method, const std::string& target,
                     const std::string& body);

/// The same with GET, of an answer that has no end: `part` gets it as it comes, until it ends or `part` is false. What
/// is refused is in the result's body.
Result<Answered> follow(const std::string& socket, const std::string& target,
                        const std::function<bool(std::string_view)>& part);

/// For a part of a path or a value in a query.
std::string escaped_for_url(std::string_view text);

} // namespace dt::service
