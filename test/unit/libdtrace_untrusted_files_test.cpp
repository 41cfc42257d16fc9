// Tests the sandboxed readers, unprivileged processes that parse untrusted files: what they may do, and how they end
// when they try a forbidden operation.
#include "libdtrace/sandbox/untrusted_files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/packed_bytes.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/identification.hpp"
#include "libdtrace/sandbox/sandboxed_reader.hpp"
#include "libdtrace/usdt/file_probes.hpp"

// NOLINT(bugprone-reserved-identifier): defined by the address sanitizer
extern "C" __attribute__((weak)) void __asan_init();

extern "C" int dt_foreign_test_function()
{
    return 7;
}

namespace dt {
namespace {

const std::string kSelf = "/proc/self/exe";

std::string echo(ReaderState&, std::string_view request)
{
    return "<" + std::string(request) + ">";
}

std::string crash(ReaderState&, std::string_view)
{
    abort();
}

std::string loop_for_ever(ReaderState&, std::string_view)
{
    while (true) {
        __asm__ volatile("");
    }
}

std::string eat(ReaderState&, std::string_view)
{
    std::vector<std::unique_ptr<std::string>> eaten;
    while (true)
        eaten.push_back(std::make_unique<std::string>(1 << 20, 'x'));
}

std::string tell_much(ReaderState&, std::string_view)
{
    return std::string(2 << 20, 'x');
}

/// Returns one letter for each forbidden operation that succeeded in the reader's process.
std::string escape(ReaderState&, std::string_view folder)
{
    std::string done;
    const std::string place(folder);
    const auto note = [&](bool is_done, char letter) { done += is_done ? std::string(1, letter) : ""; };
    note(open((place + "/text").c_str(), O_RDONLY) >= 0, 'o');
    note(open((place + "/made").c_str(), O_WRONLY | O_CREAT, 0600) >= 0, 'c');
    note(open("/dev/null", O_RDONLY) >= 0, 'd');
    note(unlink((place + "/text").c_str()) == 0, 'u');
    note(socket(AF_INET, SOCK_DGRAM, 0) >= 0, 's');
    note(kill(getppid(), 0) == 0, 'k');
    note(fork() >= 0, 'f');
    note(fcntl(0, F_GETFD) >= 0 || write(1, "", 1) >= 0 || write(2, "", 1) >= 0, 'w');
    note(mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED, 'x');
    return done;
}

std::string count_reads(ReaderState& state, std::string_view)
{
    auto& kept = state["count"];
    kept = kept ? kept : std::make_shared<int>(0);
    return std::to_string(++*static_cast<int*>(kept.get()));
}

class UntrustedFilesTest : public testing::Test {
protected:
    UntrustedFilesTest() : folder_(std::filesystem::path(testing::TempDir()) / ("foreign" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "text") << "no ELF file";
    }
    ~UntrustedFilesTest() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;
    UntrustedFiles files_{ReadBy::Readers, {.memory = 64 << 20, .answer = 1 << 20, .seconds = 2}};
};

TEST_F(UntrustedFilesTest, OneReaderAnswersManyRequests)
{
    EXPECT_EQ(files_.read(kSelf, echo, "1").value(), "<1>");
    EXPECT_EQ(files_.read(kSelf, echo, "").value(), "<>");
    EXPECT_EQ(files_.read(kSelf, count_reads, "").value(), "1");
    EXPECT_EQ(files_.read(kSelf, count_reads, "").value(), "2");
    EXPECT_EQ(files_.readers(), 1U);
    EXPECT_TRUE(files_.take_refused().empty());
    EXPECT_FALSE(files_.read(folder_ / "no", echo, ""));
    files_.end();
    EXPECT_EQ(files_.readers(), 0U);
}

TEST_F(UntrustedFilesTest, ReaderFailuresAreReportedOnce)
{
    if (&__asan_init)
        GTEST_SKIP() << "the sanitizer has its own way to end a process that crashes or has no memory";
    const std::pair<ReadFunction, std::string> deeds[] = {
        {crash, "the process that reads it crashed (Aborted)"},
        {loop_for_ever, "the process that reads it took more than 2 s"},
        {eat, "the process that reads it needed more than 64 MB of memory"},
        {tell_much, "the process that reads it returned more than 1 MB"}};
    int number = 0;
    for (const auto& [deed, reason] : deeds) {
        const std::string path = folder_ / std::to_string(number++);
        std::filesystem::copy_file(kSelf, path);
        EXPECT_FALSE(files_.read(path, deed, "")) << reason;
        const auto refused = files_.take_refused();
        ASSERT_EQ(refused.size(), 1U) << reason;
        EXPECT_EQ(refused[0].path, path);
        EXPECT_EQ(refused[0].reason, reason);
        EXPECT_FALSE(files_.read(path, echo, "")) << "it is not read again";
        EXPECT_TRUE(files_.take_refused().empty());
    }
    EXPECT_EQ(files_.read(kSelf, echo, "on").value(), "<on>");
}

TEST_F(UntrustedFilesTest, FilesOfAnOwnerAreSkippedAfterHisFilesTookTooLong)
{
    UntrustedFiles files{ReadBy::Readers, {.owner = 0}};
    std::ofstream(folder_ / "other") << "x";
    EXPECT_TRUE(files.read(folder_ / "other", echo, ""));
    EXPECT_FALSE(files.read(folder_ / "text", crash, ""));
    EXPECT_EQ(files.take_refused().size(), 2U);
    EXPECT_FALSE(files.read(folder_ / "other", echo, ""));
    EXPECT_TRUE(files.take_refused().empty());
    if (geteuid() != 0)
        return;
    ASSERT_EQ(chown((folder_ / "other").c_str(), 1, 1), 0);
    EXPECT_TRUE(files.read(folder_ / "other", echo, "")) << "of somebody else";
}

TEST_F(UntrustedFilesTest, AReaderIsSandboxed)
{
    EXPECT_EQ(files_.read(kSelf, escape, folder_.string()).value(), "");
    EXPECT_TRUE(std::filesystem::exists(folder_ / "text"));
}

TEST_F(UntrustedFilesTest, FilesOfEachOwnerHaveASeparateReader)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "files are given away";
    for (const uid_t owner : {1U, 2U, 1U}) {
        const std::string path = folder_ / ("of" + std::to_string(owner));
        std::ofstream(path) << "x";
        ASSERT_EQ(chown(path.c_str(), owner, owner), 0);
        ASSERT_EQ(chmod(path.c_str(), 0644), 0);
        EXPECT_TRUE(files_.read(path, echo, ""));
    }
    EXPECT_EQ(files_.readers(), 2U);
}

TEST_F(UntrustedFilesTest, AnAnswerThatNobodyReadsIsNoFailure)
{
    std::atomic<bool> stop = true;
    const auto answer = files_.read(kSelf, loop_for_ever, "", &stop);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ECANCELED);
    EXPECT_TRUE(files_.take_refused().empty());
    EXPECT_TRUE(files_.read(kSelf, echo, ""));
}

TEST_F(UntrustedFilesTest, DuringALongWaitTheCallbackRunsEverySecond)
{
    const auto reader = SandboxedReader::start({.seconds = 2}, confine);
    ASSERT_TRUE(reader);
    int calls = 0;
    reader.value()->set_waiting_callback([&] { ++calls; });
    EXPECT_FALSE(reader.value()->query(loop_for_ever, ""));
    EXPECT_GE(calls, 1);
}

TEST_F(UntrustedFilesTest, SymbolsFromTheReaderEqualThoseReadDirectly)
{
    UntrustedFiles files(ReadBy::Readers);
    const ElfSymbols here(kSelf), there = ElfSymbols::of_untrusted(files, kSelf);
    ASSERT_TRUE(there.found());
    ASSERT_EQ(there.all().size(), here.all().size());
    ASSERT_EQ(there.aliases().size(), here.aliases().size());
    for (std::size_t i = 0; i < here.all().size(); ++i) {
        const ElfSymbols::Symbol &a = here.all()[i], &b = there.all()[i];
        ASSERT_TRUE(a.start == b.start && a.size == b.size && a.name == b.name && a.is_function == b.is_function &&
                    a.is_ifunc == b.is_ifunc && a.binding == b.binding)
            << a.name;
    }
    const ElfSymbols::Symbol* const found = there.find_name("dt_foreign_test_function");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(there.code_offset(found->start), here.code_offset(found->start));
    EXPECT_FALSE(ElfSymbols::of_untrusted(files, folder_ / "text").found());
}

TEST_F(UntrustedFilesTest, PackedSymbolsFromTheReaderEqualThoseReadDirectly)
{
    UntrustedFiles files(ReadBy::Readers);
    const ElfSymbols here(kSelf), there = ElfSymbols::packed_of_untrusted(files, kSelf, kSelf);
    ASSERT_TRUE(there.found() && there.is_packed());
    EXPECT_LT(there.bytes(), here.bytes() / 4);
    for (const ElfSymbols::Symbol& symbol : here.all()) {
        const ElfSymbols::Symbol* const found = there.find(symbol.start);
        ASSERT_TRUE(found && found->name == symbol.name && found->size == symbol.size) << symbol.name;
    }
    EXPECT_EQ(there.code_offset(here.all().back().start), here.code_offset(here.all().back().start));
    EXPECT_FALSE(ElfSymbols::packed_of_untrusted(files, folder_ / "text", folder_ / "text").found());
}

TEST(ReaderAnswers, OversizedSymbolBlocksAreRefused)
{
    PackedWriter writer;
    writer.number(1);
    writer.number(0x1000);
    writer.number(UINT32_MAX);
    writer.text("a few bytes");
    const std::string bytes = writer.take();
    PackedReader reader(bytes);
    EXPECT_TRUE(PackedSymbols::deserialize(reader).empty());
    EXPECT_FALSE(reader.good());
}

TEST(ReaderAnswers, TruncatedAnswersAreDetected)
{
    PackedWriter writer;
    writer.number(1'000'000);
    const std::string bytes = writer.take();
    PackedReader reader(bytes);
    EXPECT_EQ(reader.count(8, SIZE_MAX), 0U);
    EXPECT_FALSE(reader.good());
    EXPECT_EQ(reader.number(), 0U);
    EXPECT_EQ(reader.text(), "");
    EXPECT_EQ(PackedReader(std::string_view("\x03xxx")).count(1, 2), 0U);
    EXPECT_TRUE(PackedReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff").array<uint64_t>().empty());
}

TEST(ReaderAnswers, ImpossibleLocationsAreIgnored)
{
    usdt::FileProbes found;
    found.probes.resize(1);
    probes::UserProbe& probe = found.probes[0];
    probe.provider = "shop";
    probe.native = {"int", "int"};
    probe.sites.push_back({64,
                           0,
                           {{.kind = Location::Kind::Register, .index = 5},
                            {.kind = Location::Kind::KernelMemory, .index = 0, .offset = 8},
                            {.kind = Location::Kind::Register, .index = 5000}}});
    const auto told = usdt::deserialize_file_probes(usdt::serialize_file_probes(found));
    ASSERT_TRUE(told);
    ASSERT_EQ(told->probes.size(), 1U);
    EXPECT_EQ(told->probes[0].provider, "shop");
    EXPECT_EQ(told->probes[0].sites[0].arguments[0], probe.sites[0].arguments[0]);
    EXPECT_EQ(told->probes[0].sites[0].arguments[1], Location{});
    EXPECT_EQ(told->probes[0].sites[0].arguments[2], Location{});
    EXPECT_FALSE(usdt::deserialize_file_probes("\x7f"));
    probe.native.assign(100, ""); // refused, because a probe cannot have so many arguments
    EXPECT_FALSE(usdt::deserialize_file_probes(usdt::serialize_file_probes(found)));
    EXPECT_FALSE(usdt::deserialize_file_probes(std::string(16 << 20, '\0')));
}

TEST(ElfIdentification, AgreesWithLibelf)
{
    const ElfIdentification found = identify_elf(kSelf);
    EXPECT_TRUE(found.found);
    EXPECT_FALSE(found.is_narrow);
    EXPECT_FALSE(found.loaded.empty());
    EXPECT_FALSE(identify_elf("/").found);
    EXPECT_FALSE(identify_elf("/no").found);
}

} // namespace
} // namespace dt
