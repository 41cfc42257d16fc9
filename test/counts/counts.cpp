// counts OBJECT FOLDER [--write]: counts the instructions of each compiled script of a folder, and of the equivalent C
// program that clang compiled.
//
// The scripts are compiled for fixed kernel data (the frozen World), so the counts depend only on the compiler. They
// must equal those in FOLDER/table.txt; a difference shows that a change of the compiler affects generated code.
// --write updates the table after an intended change.
// Column "program" counts the instructions of the normal case. Column "all" also counts the functions that report
// faults and losses and that store new elements. Runtime functions are not counted.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "bpf-runtime/embedded.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "dcompiler/object/functions.hpp"
#include "libdtrace/options/options.hpp"
#include "test/unit/frozen_world.hpp"

namespace {

using namespace dt;
namespace fs = std::filesystem;

std::string contents(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

using Counts = std::map<std::string, std::size_t>; // number of instructions of each function, by its name

Counts counts_of(std::span<const uint8_t> elf)
{
    Counts counts;
    if (auto functions = read_functions(elf))
        for (const ObjectFunction& function : *functions)
            counts[function.name] = function.insns.size();
    return counts;
}

struct Row {
    std::size_t program = 0, all = 0;
    std::string problem;
};

Row count(const std::string& name, const std::string& text)
{
    test::FrozenWorld world;
    Source source;
    source.kind = Source::Kind::Script;
    source.name = name;
    source.text = text;
    Options options;
    options.put("passtiming"); // the compiler then reports how many instructions it has emitted
    Compiler compiler(world, options);
    Row row;
    if (!compiler.add(source, SpecKind::Script, {})) {
        row.problem = compiler.diagnostics().list().front().message;
        return row;
    }
    auto object = compiler.finish(embedded_runtime());
    if (!object) {
        row.problem = object.error().message;
        return row;
    }
    row.all = compiler.passes().emitted;
    const Counts counts = counts_of(object->elf);
    for (const ProgramPlan& plan : object->schema.programs)
        if (const auto found = counts.find(plan.name); found != counts.end())
            row.program += found->second;
    return row;
}

std::size_t by_hand(const Counts& hand, const std::string& name)
{
    std::size_t sum = 0;
    for (const auto& [function, size] : hand)
        if (function == name || function == name + "_end")
            sum += size;
    return sum;
}

std::string table(const fs::path& folder, const Counts& hand)
{
    std::vector<fs::path> scripts;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".d")
            scripts.push_back(entry.path());
    std::sort(scripts.begin(), scripts.end());
    std::string text = "script           program   all  by hand\n";
    for (const fs::path& script : scripts) {
        const std::string name = script.stem();
        const Row row = count(name + ".d", contents(script));
        char line[160];
        std::snprintf(line, sizeof line, "%-16s %7zu %5zu %8zu%s\n", name.c_str(), row.program, row.all,
                      by_hand(hand, name), row.problem.c_str());
        text += line;
    }
    return text;
}

void print_differences(const std::string& expected, const std::string& now)
{
    std::istringstream was(expected), is(now);
    for (std::string before, after; std::getline(is, after);) {
        std::getline(was, before);
        if (before != after)
            std::printf("was  %s\nis   %s\n", before.c_str(), after.c_str());
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: counts OBJECT FOLDER [--write]\n");
        return 2;
    }
    const std::string object = contents(argv[1]);
    const Counts hand = counts_of({reinterpret_cast<const uint8_t*>(object.data()), object.size()});
    const fs::path file = fs::path(argv[2]) / "table.txt";
    const std::string now = table(argv[2], hand);
    if (argc > 3 && std::strcmp(argv[3], "--write") == 0) {
        std::ofstream(file) << now;
        return 0;
    }
    const std::string expected = contents(file);
    if (now == expected)
        return 0;
    print_differences(expected, now);
    return 1;
}
