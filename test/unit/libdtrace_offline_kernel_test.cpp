// Tests which attach methods the compiler chooses for another kernel, of which it has only the type information.
#include "libdtrace/kernel/offline_kernel.hpp"

#include <bpf/btf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "libdtrace/session/live_world.hpp"

namespace dt {
namespace {

class OfflineKernelTest : public testing::Test {
protected:
    ~OfflineKernelTest() override { std::filesystem::remove(path_); }

    /// Creates a BTF file with the given functions, all of which have the same parameters, and with a structure.
    const std::string& with_functions(const std::vector<const char*>& functions, const char* structure = nullptr)
    {
        btf* const types = btf__new_empty();
        const int number = btf__add_int(types, "int", 4, BTF_INT_SIGNED),
                  prototype = btf__add_func_proto(types, number);
        btf__add_func_param(types, "number", number);
        for (const char* function : functions)
            btf__add_func(types, function, BTF_FUNC_GLOBAL, prototype);
        if (structure)
            btf__add_struct(types, structure, 0);
        uint32_t size = 0;
        const void* const bytes = btf__raw_data(types, &size);
        std::ofstream(path_).write(static_cast<const char*>(bytes), size);
        btf__free(types);
        return path_;
    }

    /// Creates a BTF file that lists the given helpers.
    const std::string& with_helpers(const std::vector<std::pair<const char*, int>>& helpers)
    {
        btf* const types = btf__new_empty();
        btf__add_enum(types, "bpf_func_id", 4);
        for (const auto& [name, number] : helpers)
            btf__add_enum_value(types, name, number);
        uint32_t size = 0;
        const void* const bytes = btf__raw_data(types, &size);
        std::ofstream(path_).write(static_cast<const char*>(bytes), size);
        btf__free(types);
        return path_;
    }

    /// Returns the attach method that is planned for one function of the kernel described by these BTF files.
    ProgramKind planned()
    {
        RunOptions options;
        options.kernel = path_;
        LiveWorld world;
        EXPECT_TRUE(world.set_up(options, nullptr));
        std::vector<const Probe*> found;
        EXPECT_TRUE(world.probes().find({"fbt", "", "vfs_read", "entry"}, found));
        EXPECT_EQ(found.size(), 1u);
        return world.probes().plan(found, {}).at(0)->kind;
    }

    const std::string path_ = testing::TempDir() + "dt_kernel_" + std::to_string(getpid()) + "_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(OfflineKernelTest, WithoutDirectCallsAFunctionIsAttachedByKprobe)
{
    with_functions({"__arm64_sys_read", "vfs_read", "register_kprobe"});
    EXPECT_EQ(planned(), ProgramKind::Kprobe);
}

TEST_F(OfflineKernelTest, WithDirectCallsAFunctionIsAttachedByFentry)
{
    with_functions({"__arm64_sys_read", "vfs_read", "register_kprobe", "register_ftrace_direct"});
    EXPECT_EQ(planned(), ProgramKind::Fentry);
}

// Debian 11's types list only traceable functions, and register_ftrace_direct() is not one.
TEST_F(OfflineKernelTest, TheStructureOfDirectCallsShowsThatFentryExists)
{
    with_functions({"__arm64_sys_read", "vfs_read", "register_kprobe"}, "ftrace_direct_func");
    EXPECT_EQ(planned(), ProgramKind::Fentry);
}

TEST_F(OfflineKernelTest, ManyFunctionsAreAttachedByAMultiAttachMethod)
{
    const auto missing = kinds_missing_in(with_functions({"register_fprobe_ips", "register_ftrace_direct_all"}));
    EXPECT_THAT(missing, testing::UnorderedElementsAre(ProgramKind::Fentry, ProgramKind::Fexit,
                                                       ProgramKind::UprobeMulti, ProgramKind::UretprobeMulti));
}

TEST_F(OfflineKernelTest, AKernelWithoutADescriptionIsAssumedToHaveEveryFeature)
{
    EXPECT_TRUE(kinds_missing_in(path_).empty());
}

TEST_F(OfflineKernelTest, FeaturesFollowFromTheHelpersThatTheTypesList)
{
    const Features found = features_in(with_helpers(
        {{"BPF_FUNC_map_lookup_elem", 1}, {"BPF_FUNC_get_current_task_btf", 158}, {"__BPF_FUNC_MAX_ID", 159}}));
    EXPECT_TRUE(found.current_task_btf);
    EXPECT_FALSE(found.attach_cookie);
    EXPECT_FALSE(found.fetching_atomics || found.memory_parameters || found.long_keys);
    EXPECT_FALSE(found.bpf_loop || found.task_storage || found.func_ip || found.task_pt_regs);
    EXPECT_TRUE(features_in("/nonexistent").bpf_loop);
}

TEST_F(OfflineKernelTest, TypesWithoutAListOfHelpersDoNotShowMissingFeatures)
{
    EXPECT_TRUE(features_in(with_functions({"vfs_read"})).attach_cookie);
}

} // namespace
} // namespace dt
