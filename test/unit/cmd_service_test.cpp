// Tests the parts of a service that need no kernel: script names, access rights, messages to the service manager, and
// clients that read a script's records.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cmd/service/service.hpp"
#include "cmd/service/script_instance.hpp"
#include "libdtrace/output/follower.hpp"

namespace dt::service {
namespace {

TEST(ServiceScripts, TheNameOfAScriptIsItsFileNameWithoutTheSuffix)
{
    EXPECT_EQ(name_of_script("/etc/dtrace/scripts.d/reads.d"), "reads");
    EXPECT_EQ(name_of_script("reads"), "reads");
}

TEST(ServiceScripts, NamesMustBeUsableAsPartsOfPaths)
{
    for (const char* good : {"a", "A-b_c.2", "a@b+c"})
        EXPECT_TRUE(is_name(good)) << good;
    for (const char* bad : {"", ".", "..", ".a", "a/b", "a b", "a\n", "\xc3\xa4"})
        EXPECT_FALSE(is_name(bad)) << bad;
    EXPECT_TRUE(is_name(std::string(128, 'a')));
    EXPECT_FALSE(is_name(std::string(129, 'a')));
}

TEST(ServiceScripts, OnlyVisibleFilesWithTheSuffixAreScripts)
{
    namespace fs = std::filesystem;
    char folder[] = "/tmp/dtrace-scripts-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    const fs::path at(folder);
    for (const char* file : {"b.d", "a.d", ".c.d", "d.txt", "e f.d"})
        std::ofstream(at / file) << "BEGIN";
    fs::create_directory(at / "folder.d");
    fs::create_symlink("/dev/null", at / "masked.d");
    const auto found = find_scripts(folder);
    ASSERT_TRUE(found);
    ASSERT_EQ(found.value().size(), 2u);
    EXPECT_EQ(found.value()[0].name, "a");
    EXPECT_EQ(found.value()[1].path, std::string(folder) + "/b.d");
    chmod((at / "a.d").c_str(), 0664);
    chmod((at / "b.d").c_str(), 0644);
    EXPECT_EQ(read_script(at / "a.d").error().code, EPERM);
    EXPECT_EQ(read_script(at / "b.d").value(), "BEGIN");
    fs::remove_all(at);
}

TEST(ServiceRights, UsersOtherThanRootMayOnlyRead)
{
    const auto may = [](const char* method, uid_t user) {
        Request request;
        request.method = method;
        request.peer.user = user;
        return why_refused(request).empty();
    };
    const uid_t other = 54321;
    EXPECT_TRUE(may("GET", other));
    for (const char* method : {"POST", "DELETE", "PUT", "PATCH", "get", ""})
        EXPECT_FALSE(may(method, other)) << method;
    EXPECT_TRUE(may("POST", 0));
    EXPECT_FALSE(may("POST", static_cast<uid_t>(-1))); // uid -1: the user of the connection is unknown
}

/// A sink whose functions do nothing, because the tests write the text of a record themselves.
class QuietSink final : public output::Sink {
public:
    void begin(const output::Line&) override {}
    void end(const output::Line&) override {}
    void value(const Datum&, const uint8_t*) override {}
    void stack(const Datum&, const uint8_t*) override {}
    void symbol(const Datum&, const uint8_t*) override {}
    void formatted(const format::BoundFormat&, const uint8_t*) override {}
    void memory(std::span<const uint8_t>) override {}
    void object(std::optional<uint64_t>, const Type*, std::span<const uint8_t>) override {}
    void packet(const output::Packet&) override {}
    void aggregations(Tables) override {}
    void aggregations(Tables, std::span<const format::BoundFormat>) override {}
    void unprinted(const output::Aggregation&) override {}
};

void record(output::Follower& follower, std::string_view text)
{
    QuietSink sink;
    follower.output().write(text);
    follower.end_record(sink);
}

TEST(Follower, AReaderCanTakeRecordsInPiecesOfAnySize)
{
    output::Follower follower(OutputFormat::Text);
    record(follower, "one\n");
    record(follower, "two\n");
    EXPECT_EQ(follower.take(5), "one\nt");
    EXPECT_EQ(follower.take(100), "wo\n");
    EXPECT_EQ(follower.take(100), "");
}

TEST(Follower, AReaderIsNotifiedOfNewRecordsAfterAnEmptyRead)
{
    output::Follower follower(OutputFormat::Text);
    int told = 0;
    follower.when_ready([&] { ++told; });
    record(follower, "one\n");
    EXPECT_EQ(told, 0);
    follower.take(100);
    EXPECT_EQ(follower.take(100), "");
    record(follower, "two\n");
    record(follower, "three\n");
    EXPECT_EQ(told, 1);
    follower.take(100);
    follower.take(100);
    follower.finish();
    EXPECT_EQ(told, 2);
    EXPECT_TRUE(follower.is_over());
}

TEST(Follower, RecordsThatDoNotFitAreReportedAtTheirPlaceInTheOutput)
{
    output::Follower follower(OutputFormat::Text);
    const std::string large(output::Follower::kMax - 10, 'x');
    record(follower, large);
    record(follower, "lost, lost\n");
    record(follower, "also lost, lost\n");
    EXPECT_EQ(follower.lost(), 2u);
    EXPECT_EQ(follower.take(large.size()), large);
    record(follower, "kept\n");
    EXPECT_EQ(follower.take(1000), "# 2 records lost here: the follower reads too slowly\nkept\n");
}

} // namespace
} // namespace dt::service
