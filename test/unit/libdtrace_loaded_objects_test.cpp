// Tests symbol lookup in a process. The process is the test itself, whose addresses are known.
#include "libdtrace/mappings/loaded_objects.hpp"
#include "libdtrace/process/process_functions.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

extern "C" {
int dt_test_counter = 3;
int dt_test_function()
{
    return dt_test_counter;
}
}

namespace dt {
namespace {

class ObjectSymbolLookUp : public testing::Test {
protected:
    LoadedObjects objects{"/proc", getpid()};
    UntrustedFiles files_{ReadBy::Readers};
};

TEST_F(ObjectSymbolLookUp, AddressesOfVariablesAndFunctionsAreFound)
{
    const auto data = objects.lookup(files_, "", "dt_test_counter");
    ASSERT_TRUE(data);
    EXPECT_EQ(data->address, reinterpret_cast<uintptr_t>(&dt_test_counter));
    EXPECT_GE(data->size, sizeof(int)); // the size may be larger, because the address sanitizer enlarges variables
    EXPECT_FALSE(data->is_function);
    EXPECT_FALSE(data->is_32bit);
    const auto code = objects.lookup(files_, "", "dt_test_function");
    ASSERT_TRUE(code);
    EXPECT_EQ(code->address, reinterpret_cast<uintptr_t>(&dt_test_function));
    EXPECT_TRUE(code->is_function);
}

TEST_F(ObjectSymbolLookUp, AnExecutableHasTwoNamesAndALibraryHasAShortOne)
{
    const auto* executable = objects.find("a.out");
    ASSERT_NE(executable, nullptr);
    const std::string base = executable->path.substr(executable->path.rfind('/') + 1);
    EXPECT_EQ(objects.find(base), executable);
    EXPECT_EQ(objects.find(executable->path), executable);
    ASSERT_NE(objects.find("libc"), nullptr);
    EXPECT_EQ(objects.find("libc"), objects.find("libc.so.6"));
    EXPECT_EQ(objects.find("lib"), nullptr);
    EXPECT_EQ(objects.find("nosuch"), nullptr);
}

TEST_F(ObjectSymbolLookUp, AModuleNameRestrictsTheSearch)
{
    EXPECT_FALSE(objects.lookup(files_, "libc", "dt_test_counter"));
    EXPECT_TRUE(objects.lookup(files_, "a.out", "dt_test_counter"));
    const auto found = objects.lookup(files_, "libc", "abort");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->object, objects.find("libc"));
    EXPECT_TRUE(found->is_function);
}

TEST_F(ObjectSymbolLookUp, MissingSymbolsAreNotFound)
{
    EXPECT_FALSE(objects.lookup(files_, "", "dt_no_such_symbol"));
    EXPECT_FALSE(objects.lookup(files_, "", ""));
    EXPECT_FALSE(objects.lookup(files_, "nosuch", "abort"));
    EXPECT_FALSE(LoadedObjects("/proc", 0x7fffffff).lookup(files_, "", "abort"));
}

TEST(LiveProcesses, AreFoundAtThePresentMountPointOfProc)
{
    std::string proc = "/proc";
    const auto processes = live_processes([&proc] { return proc; }, []() -> const Processes* { return nullptr; });
    EXPECT_TRUE(processes->objects(getpid()));
    proc = "/nonexistent";
    EXPECT_EQ(processes->objects(getpid()).error().code, ESRCH);
}

} // namespace
} // namespace dt
