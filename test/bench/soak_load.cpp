#include "test/bench/soak_load.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dt::bench {

namespace {

constexpr auto kPause = std::chrono::milliseconds(5);

void use_files(const std::string& folder)
{
    const std::string path = folder + "/file", missing = folder + "/missing";
    std::array<char, 4096> block{};
    const int file = open(path.c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
    if (file < 0)
        return;
    if (write(file, block.data(), block.size()) > 0)
        (void)!pread(file, block.data(), block.size(), 0);
    close(file);
    (void)!access(missing.c_str(), R_OK);
    unlink(path.c_str());
}

void touch_memory()
{
    constexpr std::size_t kBytes = 64 * 4096;
    void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    for (std::size_t i = 0; i < kBytes; i += 4096)
        static_cast<volatile char*>(memory)[i] = 1;
    munmap(memory, kBytes);
}

void contend()
{
    std::mutex lock;
    const auto hold = [&lock] {
        const std::lock_guard<std::mutex> held(lock);
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    };
    std::jthread one(hold), other(hold);
}

/// Listens on a temporary port of this machine and connects to it.
void connect_to_self()
{
    const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const at = reinterpret_cast<sockaddr*>(&address);
    if (bind(server, at, length) == 0 && listen(server, 1) == 0 && getsockname(server, at, &length) == 0 &&
        connect(client, at, length) == 0) {
        const int accepted = accept(server, nullptr, nullptr);
        (void)!write(client, "hello", 5);
        close(accepted);
    }
    close(client);
    close(server);
}

} // namespace

MixedLoad::MixedLoad(const std::string& folder)
    : thread_([folder](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
              use_files(folder);
              touch_memory();
              contend();
              connect_to_self();
              kill(getpid(), SIGURG); // SIGURG is ignored by default, so this signal only serves as an event to trace
              std::this_thread::sleep_for(kPause);
          }
      })
{
}

bool load_and_unload(const std::string& module)
{
    const int file = open(module.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const std::string name = std::filesystem::path(module).stem().string();
    const bool is_done =
        syscall(SYS_finit_module, file, "", 0) == 0 && syscall(SYS_delete_module, name.c_str(), O_NONBLOCK) == 0;
    close(file);
    return is_done;
}

bool switch_off_and_on(int cpu)
{
    const std::string path = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/online";
    const auto put = [&path](int state) {
        std::ofstream file(path);
        file << state << std::flush;
        return file.good();
    };
    const bool is_off = put(0);
    // Waits before the CPU is switched on again, because tracers do not notice a shorter absence of a CPU
    // (docs/kernels.md).
    std::this_thread::sleep_for(std::chrono::seconds(2));
    return put(1) && is_off;
}

} // namespace dt::bench
