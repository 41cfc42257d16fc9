// Tests the files of a D library directory: which depends_on lines count, and in which order files are compiled.
#include "dcompiler/driver/libraries.hpp"

#include <gmock/gmock.h>

#include "frozen_world.hpp"

namespace {

using namespace dt;
using namespace dt::sema;
using dt::test::FrozenWorld;
using testing::ElementsAre;

std::deque<Source> files(std::initializer_list<std::pair<const char*, const char*>> list)
{
    std::deque<Source> made;
    for (const auto& [name, text] : list)
        made.push_back({Source::Kind::Library, name, text, {}});
    return made;
}

std::vector<std::string> ordered(const std::deque<Source>& libraries, bool with_classic = true)
{
    FrozenWorld world;
    Diagnostics diagnostics;
    std::vector<std::string> names;
    for (const Source* each : order_libraries(libraries, world, with_classic, diagnostics))
        names.push_back(each->name);
    if (diagnostics.has_errors())
        return {diagnostics.list().front().tag};
    return names;
}

TEST(LibraryDependencies, AreFoundOnControlLinesOnly)
{
    const Source source{Source::Kind::Library,
                        "lib.d",
                        "/* #pragma D depends_on module a\n#pragma D depends_on module b\n */\n"
                        "// it's\n  # pragma D depends_on module c // why\n"
                        "inline string s = \"\\\"#\"; #pragma D depends_on module d\n"
                        "#pragma D depends_on library\n#pragma D option quiet\n#pragma D depends_on library e.d",
                        {}};
    const auto found = find_dependencies(source);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].name, "c");
    EXPECT_EQ(found[0].at.line, 5u);
    EXPECT_EQ(found[1].kind, "library");
    EXPECT_EQ(found[1].name, "e.d");
    EXPECT_EQ(found[1].at.line, 9u);
}

TEST(LibraryDependencies, ATextWithAnIncompleteLineHasNoDependencies)
{
    for (const char* text : {"", "/*", "\"", "'\\", "#", "\"\\"})
        EXPECT_TRUE(find_dependencies(Source{Source::Kind::Library, "lib.d", text, {}}).empty()) << text;
}

TEST(LibraryOrder, IsTheGivenOrderUnlessADependencyRequiresAnother)
{
    EXPECT_THAT(ordered(files({{"l/a.d", "#pragma D depends_on library c.d\n"}, {"l/b.d", ""}, {"l/c.d", ""}})),
                ElementsAre("l/c.d", "l/a.d", "l/b.d"));
}

TEST(LibraryOrder, LibrariesWithUnmetDependenciesAreSkipped)
{
    EXPECT_THAT(
        ordered(files({{"l/a.d", "#pragma D depends_on library b.d\n"},
                       {"l/b.d", "#pragma D depends_on provider nosuch\n"},
                       {"l/c.d", "#pragma D depends_on provider profile\n#pragma D depends_on module ext4\n"}})),
        ElementsAre("l/c.d"));
}

TEST(LibraryOrder, AFileInTheSameDirectoryIsPreferred)
{
    EXPECT_THAT(ordered(files({{"k/b.d", ""}, {"l/a.d", "#pragma D depends_on library b.d\n"}, {"l/b.d", ""}})),
                ElementsAre("k/b.d", "l/b.d", "l/a.d"));
}

TEST(LibraryOrder, LibrariesOfClassicDTraceExistUnlessAFileReplacesThem)
{
    const auto one = files({{"l/a.d", "#pragma D depends_on library procfs.d\n"}});
    EXPECT_THAT(ordered(one), ElementsAre("l/a.d"));
    EXPECT_THAT(ordered(one, false), ElementsAre());
}

TEST(LibraryOrder, CircularDependenciesAreErrors)
{
    EXPECT_THAT(ordered(files({{"l/a.d", "#pragma D depends_on library a.d\n"}})), ElementsAre("D_PRAGMA_DEPEND"));
}

} // namespace
