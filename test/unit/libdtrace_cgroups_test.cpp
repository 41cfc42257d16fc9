// Tests how the names of control groups are found by id. Temporary folders replace the folders of cgroup2.
#include "libdtrace/kernel/cgroups.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "libdtrace_support.hpp"
#include "test/support/temporary_folder.hpp"

namespace dt {
namespace {

using Part = Datum::Part;

class ControlGroupNames : public testing::Test {
protected:
    /// Creates a control group, and returns its id.
    uint64_t make(const std::string& path)
    {
        const std::string folder = root_.path() + path;
        std::filesystem::create_directories(folder);
        struct stat status {};
        EXPECT_EQ(stat(folder.c_str(), &status), 0);
        return status.st_ino;
    }
    void remove(const std::string& path) { std::filesystem::remove_all(root_.path() + path); }
    std::string unit(uint64_t id) { return std::string(groups_.text(id, Part::Unit)); }

    test::TemporaryFolder root_, state_;
    ControlGroups groups_{root_.path(), ContainerState(state_.path()), 8};
};

TEST_F(ControlGroupNames, GroupsThatExistAtTheStartAreNamed)
{
    const uint64_t root = make(""), slice = make("/system.slice"), ssh = make("/system.slice/ssh.service"),
                   inner = make("/system.slice/ssh.service/inner");
    groups_.open(false);
    EXPECT_EQ(unit(ssh), "ssh.service");
    EXPECT_EQ(unit(inner), "ssh.service");
    EXPECT_EQ(unit(slice), "");
    EXPECT_EQ(unit(root), "");
    EXPECT_EQ(groups_.unknown(), 0u);
}

TEST_F(ControlGroupNames, GroupsCreatedLaterAreReadWhenTheyAreNeeded)
{
    make("/system.slice");
    groups_.open(false);
    const uint64_t late = make("/system.slice/late.service/deep/deeper");
    EXPECT_EQ(unit(late), "late.service");
}

TEST_F(ControlGroupNames, RemovedGroupsKeepTheirNames)
{
    const uint64_t old = make("/old.service");
    groups_.open(false);
    const uint64_t young = make("/young.service");
    groups_.update();
    remove("/old.service");
    remove("/young.service");
    groups_.update();
    EXPECT_EQ(unit(old), "old.service");
    EXPECT_EQ(unit(young), "young.service");
}

TEST_F(ControlGroupNames, AnUnknownGroupIsCountedOnce)
{
    make("");
    groups_.open(false);
    EXPECT_EQ(unit(12345678), "<unknown>");
    EXPECT_EQ(unit(12345678), "<unknown>");
    EXPECT_EQ(groups_.unknown(), 1u);
}

TEST_F(ControlGroupNames, TheOldestRemovedGroupIsEvictedFirst)
{
    std::vector<uint64_t> ids;
    for (int i = 0; i < 12; ++i)
        ids.push_back(make("/s" + std::to_string(i) + ".service"));
    groups_.open(false);
    for (int i = 0; i < 12; ++i) {
        remove("/s" + std::to_string(i) + ".service");
        groups_.update();
    }
    EXPECT_EQ(unit(ids[0]), "<unknown>");
    EXPECT_EQ(unit(ids[4]), "<unknown>");
    // seven of twelve control groups have names, because the limit is eight names including the root
    EXPECT_EQ(unit(ids[5]), "s5.service");
    EXPECT_EQ(unit(ids[11]), "s11.service");
    EXPECT_EQ(groups_.unknown(), 2u);
}

TEST_F(ControlGroupNames, LiveGroupsAreNeverEvicted)
{
    std::vector<uint64_t> ids;
    for (int i = 0; i < 12; ++i)
        ids.push_back(make("/s" + std::to_string(i) + ".service"));
    groups_.open(false);
    groups_.update();
    for (int i = 0; i < 12; ++i)
        EXPECT_EQ(unit(ids[static_cast<std::size_t>(i)]), "s" + std::to_string(i) + ".service");
}

TEST_F(ControlGroupNames, WithoutFilesOfTheRuntimeAContainerHasAnIdButNoName)
{
    const std::string id(64, '7');
    const uint64_t group = make("/docker/" + id);
    groups_.open(false);
    EXPECT_EQ(groups_.text(group, Part::ContainerId), id);
    EXPECT_EQ(groups_.text(group, Part::ContainerName), "");
}

TEST_F(ControlGroupNames, AContainerKeepsItsNameAfterTheRuntimeRemovedItsFile)
{
    const std::string id(64, '7'), folder = state_.path() + "/var/lib/docker/containers/" + id;
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/config.v2.json") << R"({"Name": "/web"})";
    const uint64_t group = make("/docker/" + id);
    groups_.open(true);
    remove("/docker/" + id);
    std::filesystem::remove_all(folder);
    groups_.update();
    EXPECT_EQ(groups_.text(group, Part::ContainerName), "web");
}

TEST_F(ControlGroupNames, AContainerIsNamedEvenIfItsFileAppearsAfterTheGroup)
{
    const std::string id(64, '7'), folder = state_.path() + "/var/lib/docker/containers/" + id;
    make("");
    groups_.open(true);
    const uint64_t group = make("/docker/" + id);
    groups_.update();
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/config.v2.json") << R"({"Name": "/web"})";
    EXPECT_EQ(groups_.text(group, Part::ContainerName), "web");
}

TEST_F(ControlGroupNames, AVirtualMachineIsAContainerWithAName)
{
    const uint64_t group = make("/machine.slice/machine-box.scope/payload");
    groups_.open(true);
    EXPECT_EQ(groups_.text(group, Part::ContainerName), "box");
    EXPECT_EQ(groups_.text(group, Part::ContainerId), "");
}

TEST_F(ControlGroupNames, WithoutAMountedFileSystemNoGroupHasAName)
{
    ControlGroups none{""};
    none.open(true);
    none.update();
    EXPECT_EQ(none.text(1, Part::Unit), "<unknown>");
}

/// An aggregation that counts by the name of a control group.
class GroupStore final : public consume::AggregationStore {
public:
    explicit GroupStore(std::vector<uint64_t> keys) : keys_(std::move(keys)) {}
    uint32_t cpus() const override { return 1; }
    Result<void> read(const AggregationSchema&, const Visit& visit) override
    {
        const int64_t one = 1;
        for (const uint64_t key : keys_)
            visit(reinterpret_cast<const uint8_t*>(&key), reinterpret_cast<const uint8_t*>(&one), sizeof one);
        return {};
    }
    void remove(const AggregationSchema&, std::span<const uint8_t>) override {}
    void zero(const AggregationSchema&) override {}

private:
    const std::vector<uint64_t> keys_;
};

TEST_F(ControlGroupNames, ARestartedServiceHasTheSameAggregationKeyAsBefore)
{
    make("");
    groups_.open(false);
    const uint64_t first = make("/a.service");
    groups_.update();
    // The old folder is renamed, not removed, so that its inode number stays in use.
    std::filesystem::rename(root_.path() + "/a.service", root_.path() + "/was");
    const uint64_t second = make("/a.service"), other = make("/b.service");
    ASSERT_NE(first, second);
    AggregationSchema schema;
    schema.function = find_agg_function("count");
    schema.key_size = 8;
    schema.words = 1;
    schema.keys = {{Datum::Kind::Cgroup, 0, 8}};
    auto table = consume::AggregationTable::make(schema, false);
    ASSERT_TRUE(table);
    GroupStore store({first, other, second});
    test::Surroundings world;
    world.env.cgroups = &groups_;
    ASSERT_TRUE(table->snapshot(store, world.env));
    ASSERT_EQ(table->size(), 2u);
    EXPECT_EQ(table->words(0)[0], 2);
    EXPECT_EQ(table->words(1)[0], 1);
}

TEST_F(ControlGroupNames, FormatsShowNamesForGroupIds)
{
    const uint64_t ssh = make("/ssh.service");
    groups_.open(false);
    test::Surroundings world;
    world.env.cgroups = &groups_;
    EXPECT_EQ(test::print(world, "[%-14s]", test::Bytes().words({ssh}, Datum::Kind::Cgroup)), "[ssh.service   ]");
    EXPECT_EQ(test::trace(world, test::Bytes().words({ssh}, Datum::Kind::Cgroup)),
              "  ssh.service" + std::string(22, ' '));
}

TEST_F(ControlGroupNames, TheKeyOfAGroupWithoutAUnitIsPrintedAsEmpty)
{
    const uint64_t root = make("");
    groups_.open(false);
    test::Surroundings world;
    world.env.cgroups = &groups_;
    const test::Bytes key = test::Bytes().words({root}, Datum::Kind::Cgroup);
    format::Text out;
    format::append_key(out, world.env, key.datums[0], key.data.data());
    EXPECT_EQ(out.view(), std::string(52, ' '));
}

} // namespace
} // namespace dt
