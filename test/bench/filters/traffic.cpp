// Generates system calls, packets and task switches.
#include "test/bench/filters/traffic.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/bench/filters/event.h"

namespace dt::bench::filters {

// Makes a system call with unknown flags in its last argument, so that it returns immediately with an error.
void call_with(const uint8_t* event)
{
    chain_event call;
    std::memcpy(&call, event, sizeof call);
    syscall(SYS_process_vm_writev, call.word[0], call.word[1], call.word[2], call.word[3], call.word[4], call.word[5]);
}

namespace {

class Calls final : public Traffic {
public:
    void use(const Shape& shape, Bias bias) override
    {
        events_ = make_events(shape, bias, 4096, 1);
        next_ = 0;
    }

    void fire(std::size_t events) override
    {
        for (std::size_t i = 0; i < events; i++) {
            call_with(events_.at(next_));
            next_ = next_ + 1 == events_.count() ? 0 : next_ + 1;
        }
    }

private:
    Events events_;
    std::size_t next_ = 0;
};

// Sends packets. The receive tracepoint fires in the sender's own context, at the end of sendto().
class Packets final : public Traffic {
public:
    explicit Packets(std::string& problem)
    {
        ifreq request{};
        std::strcpy(request.ifr_name, "lo");
        request.ifr_flags = IFF_UP;
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address_;
        if (unshare(CLONE_NEWNET) != 0 || (socket_ = socket(AF_INET, SOCK_DGRAM, 0)) < 0 ||
            ioctl(socket_, SIOCSIFFLAGS, &request) != 0 ||
            bind(socket_, reinterpret_cast<sockaddr*>(&address_), sizeof address_) != 0 ||
            getsockname(socket_, reinterpret_cast<sockaddr*>(&address_), &length) != 0)
            problem = std::string("packets over lo: ") + std::strerror(errno);
    }

    ~Packets() override { close(socket_); }

    void use(const Shape& shape, Bias bias) override
    {
        events_ = make_events(shape, bias, 4096, 1);
        next_ = 0;
    }

    void fire(std::size_t events) override
    {
        char bytes[2048] = {};
        for (std::size_t i = 0; i < events; i++) {
            packet_event event;
            std::memcpy(&event, events_.at(next_), sizeof event);
            next_ = next_ + 1 == events_.count() ? 0 : next_ + 1;
            sendto(socket_, bytes, event.length - kHeaders, 0, reinterpret_cast<const sockaddr*>(&address_),
                   sizeof address_);
            recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
        }
    }

private:
    static constexpr std::size_t kHeaders = 28; // size of the IP and UDP headers in bytes
    int socket_ = -1;
    sockaddr_in address_{};
    Events events_;
    std::size_t next_ = 0;
};

// Two threads that wake each other in turn. Each sleeps in a read of an eventfd. Other means, such as a pipe, have a
// lock that would make the threads sleep additionally.
class Switches final : public Traffic {
public:
    explicit Switches(std::string& problem)
    {
        if (mine_ < 0 || partners_ < 0)
            problem = std::string("eventfd: ") + std::strerror(errno);
        else
            partner_ = std::thread([this] { answer(); });
    }

    ~Switches() override
    {
        if (partner_.joinable()) {
            exchange(Letter::Quit);
            partner_.join();
        }
        close(mine_);
        close(partners_);
    }

    // Renames the threads so that their events pass or fail the filter by the name. Other combinations of name and task
    // state, which synthetic events have, are not possible in the kernel.
    void use(const Shape&, Bias bias) override
    {
        name(bias == Bias::AllPass);
        exchange(bias == Bias::AllPass ? Letter::Passes : Letter::Fails);
    }

    void fire(std::size_t events) override
    {
        for (std::size_t i = 0; i < events; i += 2)
            exchange(Letter::Nothing);
    }

    long sleeps() override
    {
        exchange(Letter::Nothing);
        return sleeps_of_thread() + partner_sleeps_;
    }

private:
    enum class Letter { Nothing, Passes, Fails, Quit };

    static void name(bool passes) { prctl(PR_SET_NAME, passes ? "filt-switch" : "other-switch"); }

    static long sleeps_of_thread()
    {
        rusage used{};
        getrusage(RUSAGE_THREAD, &used);
        return used.ru_nvcsw;
    }

    static void give_turn(int event)
    {
        if (eventfd_write(event, 1) != 0)
            std::perror("eventfd");
    }

    static bool wait_for_turn(int event)
    {
        eventfd_t turns = 0;
        return eventfd_read(event, &turns) == 0;
    }

    void exchange(Letter letter)
    {
        letter_ = letter;
        give_turn(partners_);
        wait_for_turn(mine_);
    }

    // Runs the second thread, which inherits the CPU affinity of its creator.
    void answer()
    {
        for (Letter letter = Letter::Nothing; letter != Letter::Quit && wait_for_turn(partners_); give_turn(mine_)) {
            letter = letter_;
            if (letter == Letter::Passes || letter == Letter::Fails)
                name(letter == Letter::Passes);
            partner_sleeps_ = sleeps_of_thread();
        }
    }

    int mine_ = eventfd(0, 0), partners_ = eventfd(0, 0);
    Letter letter_ = Letter::Nothing; // command for the thread that is woken next
    long partner_sleeps_ = 0;
    std::thread partner_;
};

} // namespace

std::unique_ptr<Traffic> make_traffic(Source source, std::string& problem)
{
    std::unique_ptr<Traffic> traffic;
    if (source == Source::Chain)
        traffic = std::make_unique<Calls>();
    else if (source == Source::Packet)
        traffic = std::make_unique<Packets>(problem);
    else
        traffic = std::make_unique<Switches>(problem);
    return problem.empty() ? std::move(traffic) : nullptr;
}

} // namespace dt::bench::filters
