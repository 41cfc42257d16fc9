// Tests the ready-made tools: each states its purpose and usage, and has a section of the manual and a run test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cmd/common/tools.hpp"

namespace dt::cmd {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> tools()
{
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(fs::path(DTRACE_SOURCE) / "tools"))
        paths.push_back(entry.path());
    return paths;
}

TEST(ReadyTools, AtLeastThirtyExist)
{
    EXPECT_GE(tools().size(), 30U);
}

TEST(ReadyTools, EachBeginsWithItsPurposeAndUsage)
{
    for (const fs::path& tool : tools()) {
        const std::string name = tool.filename(), text = text_of(tool);
        EXPECT_EQ(text.rfind("#!/usr/sbin/dtrace -s\n/*\n * " + name + " - ", 0), 0U) << name;
        EXPECT_NE(text.find("\n *\n * USAGE: " + name), std::string::npos) << name;
        EXPECT_NE(fs::status(tool).permissions() & fs::perms::owner_exec, fs::perms::none) << name;
    }
}

TEST(ReadyTools, EachHasASectionInTheManual)
{
    const std::string manual = text_of(fs::path(DTRACE_SOURCE) / "man/dtrace-tools.7");
    for (const fs::path& tool : tools())
        EXPECT_NE(manual.find("\n.SS " + tool.filename().string() + "\n"), std::string::npos) << tool;
}

TEST(ReadyTools, TheNameOfAToolIsNotAHintForAnotherTool)
{
    for (const fs::path& tool : tools())
        EXPECT_EQ(tool_meant_by(tool.stem().string()).find(" replaces "), std::string::npos) << tool;
}

TEST(ReadyTools, EachHasARunTest)
{
    for (const fs::path& tool : tools())
        EXPECT_TRUE(fs::exists(fs::path(DTRACE_SOURCE) / "test/run/tools" / ("tool_" + tool.stem().string() + ".sh")))
            << tool;
}

} // namespace
} // namespace dt::cmd
