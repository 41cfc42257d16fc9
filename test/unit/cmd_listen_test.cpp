// Tests the addresses on which --service listens. They are numeric, so that no name service library is needed.
#include "cmd/service/control.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace dt::service {
namespace {

/// Listens at the address or path `place`. Returns the address of the socket without the port, or the error message.
std::string listened(const std::string& place)
{
    const Result<int> descriptor = listen_at(place, 1);
    if (!descriptor)
        return descriptor.error().message;
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    getsockname(descriptor.value(), reinterpret_cast<sockaddr*>(&address), &size);
    close(descriptor.value());
    char text[INET6_ADDRSTRLEN] = "";
    const void* const bytes = address.ss_family == AF_INET
                                  ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr)
                                  : &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    return inet_ntop(address.ss_family, bytes, text, sizeof text);
}

TEST(ListenAddress, NumericAddressesAreParsed)
{
    EXPECT_EQ(listened("127.0.0.1:0"), "127.0.0.1");
    EXPECT_EQ(listened(":0"), "0.0.0.0");
    if (const int probe = socket(AF_INET6, SOCK_STREAM, 0); probe >= 0) {
        close(probe);
        EXPECT_EQ(listened("[::]:0"), "::");
    }
}

TEST(ListenAddress, HostNamesAndInvalidPortsAreRefused)
{
    for (const char* place : {"localhost:0", "127.0.0.1:http", "127.0.0.1:", "127.0.0.1:70000", "[fe80::1%nosuch]:0"})
        EXPECT_EQ(listened(place).find("give the address and the port as numbers"), 0u) << place;
}

} // namespace
} // namespace dt::service
