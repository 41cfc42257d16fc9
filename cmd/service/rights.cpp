#include "cmd/service/rights.hpp"

#include <unistd.h>

namespace dt::service {

std::string why_refused(const Request& request)
{
    const bool only_looks = request.method == "GET" || request.method == "HEAD";
    const bool may_change = request.peer.user == 0 || request.peer.user == geteuid();
    if (only_looks || may_change)
        return {};
    return "user " + std::to_string(request.peer.user) +
           " may look at what is traced and may not change it: that is root's";
}

} // namespace dt::service
