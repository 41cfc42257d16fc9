// differential_test [--count N] [--seed S] [--level N] [--kernel] [--only-kernel] [--print] [--objects FOLDER]
// [--no-faults]
// [--no-texts] [--no-subroutines] [--no-aggregations] [--saved FILE]: generates N programs from seed S on and compares
// their results.
//
// The results come from the language's rules (evaluate.hpp), the user-space virtual machine (interpreted and compiled)
// and, with --kernel, the kernel. They are compared at each level of the optimizer, or only at --level. All must agree.
// Constant folding is tested too, because programs trace expressions together with equal constant expressions. A
// program whose results disagree is reduced before it is shown. Status 0: all agree; 1: some disagree; 77: --kernel is
// given but programs cannot be loaded.
//
// With --only-kernel the virtual machine does not run: its results do not depend on the kernel.
//
// --short-texts makes most programs cheaper to verify on Linux 5.10, which follows each step of a loop over a string.
//
// With --save FILE nothing runs: the programs are compiled for this machine, or for --target MACHINE, with --oldest for
// Linux 5.10. --saved FILE reads these objects.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "dcompiler/opt/passes.hpp"
#include "test/verify/differential/compile.hpp"
#include "test/verify/differential/generate.hpp"
#include "test/verify/differential/observe.hpp"
#include "test/verify/differential/shrink.hpp"

namespace {

using namespace dt::differential;

constexpr uint64_t kAnyLevel = UINT64_MAX;

struct Arguments {
    uint64_t count = 300, seed = 1, most_failures = 10;
    uint64_t level = kAnyLevel;    ///< level of the optimizer; kAnyLevel: all levels
    const char* objects = nullptr; ///< folder in which compiled objects are saved for other tools
    const char *save = nullptr, *saved = nullptr, *target = nullptr;
    bool kernel = false, only_kernel = false, print = false, oldest = false;
    Wanted wanted;
};

bool parse(int argc, char** argv, Arguments& out)
{
    const struct {
        const char* name;
        bool* flag;
        bool value;
    } flags[] = {
        {"--kernel", &out.kernel, true},
        {"--only-kernel", &out.only_kernel, true},
        {"--print", &out.print, true},
        {"--oldest", &out.oldest, true},
        {"--no-faults", &out.wanted.faults, false},
        {"--no-texts", &out.wanted.texts, false},
        {"--short-texts", &out.wanted.short_texts, true},
        {"--no-subroutines", &out.wanted.subroutines, false},
        {"--no-aggregations", &out.wanted.aggregations, false},
    };
    const struct {
        const char* name;
        uint64_t* number;
    } numbers[] = {
        {"--count", &out.count}, {"--seed", &out.seed}, {"--failures", &out.most_failures}, {"--level", &out.level}};
    const struct {
        const char* name;
        const char** text;
    } texts[] = {
        {"--objects", &out.objects}, {"--save", &out.save}, {"--saved", &out.saved}, {"--target", &out.target}};
    for (int i = 1; i < argc; ++i) {
        bool known = false;
        for (const auto& f : flags)
            if (std::strcmp(argv[i], f.name) == 0) {
                *f.flag = f.value;
                known = true;
            }
        for (const auto& n : numbers)
            if (i + 1 < argc && std::strcmp(argv[i], n.name) == 0) {
                *n.number = std::strtoull(argv[++i], nullptr, 0);
                known = true;
                break;
            }
        for (const auto& t : texts)
            if (i + 1 < argc && std::strcmp(argv[i], t.name) == 0) {
                *t.text = argv[++i];
                known = true;
                break;
            }
        if (!known)
            return false;
    }
    return true;
}

/// Runs a compiled program in all environments (kernel and virtual machine) and returns the first wrong result, or
/// nothing if all results are as expected.
std::optional<std::string> verdict(const Program& program, const dt::Object& object, const Outcome& expected,
                                   const std::vector<Runner*>& runners)
{
    for (Runner* runner : runners) {
        // Repeats an incomplete run. Another tracer on this CPU may hold the lock that a variable's update needs; the
        // kernel then refuses the update, which is counted as lost. If the loss occurs again, the program is wrong.
        auto seen = observe(*runner, object, program.clauses.size());
        for (int again = 0; !seen && seen.error().message == kEventsLost && again < 3; ++again)
            seen = observe(*runner, object, program.clauses.size());
        if (!seen)
            return std::string(runner->name()) + ": " + seen.error().message;
        if (auto found = difference(expected, *seen))
            return std::string(runner->name()) + ": " + *found;
    }
    return std::nullopt;
}

/// Returns the first error of a program compiled here, at all requested levels of the optimizer.
std::optional<std::string> verdict(const Program& program, const std::vector<uint64_t>& levels,
                                   const std::vector<Runner*>& runners)
{
    const Outcome expected = evaluate(program);
    for (const uint64_t level : levels) {
        const auto object = compile(program, level);
        if (auto wrong =
                object ? verdict(program, object.value(), expected, runners) : "compiler: " + object.error().message)
            return "level " + std::to_string(level) + ", " + *wrong;
    }
    return std::nullopt;
}

/// Returns the first error of a program compiled on another machine, at all requested levels of the optimizer.
std::optional<std::string> verdict(const Program& program, ObjectReader& saved, const std::vector<uint64_t>& levels,
                                   const std::vector<Runner*>& runners)
{
    const Outcome expected = evaluate(program);
    for (const uint64_t level : levels) {
        auto object = saved.next(program, level);
        if (auto wrong = object ? verdict(program, *object.value(), expected, runners)
                                : "compiled elsewhere: " + object.error().message)
            return "level " + std::to_string(level) + ", " + *wrong;
    }
    return std::nullopt;
}

/// Compiles all programs and runs none.
int save_all(const Arguments& arguments, const std::vector<uint64_t>& levels)
{
    const dt::machine::Machine* machine =
        arguments.target ? dt::machine::named(arguments.target) : &dt::machine::native();
    if (!machine) {
        std::fprintf(stderr, "no machine of the name %s is known\n", arguments.target);
        return 2;
    }
    ObjectWriter writer(arguments.save, *machine, arguments.oldest);
    for (uint64_t seed = arguments.seed; seed < arguments.seed + arguments.count; ++seed) {
        const Program program = generate(seed, arguments.wanted);
        for (const uint64_t level : levels)
            if (const auto added = writer.add(program, level); !added) {
                std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed),
                             added.error().message.c_str());
                return 1;
            }
    }
    std::printf("%llu programs compiled\n", static_cast<unsigned long long>(arguments.count));
    return 0;
}

/// Saves the object for inspection with other tools: bpftool, llvm-objdump.
void save(const Program& program, const std::string& path)
{
    auto object = compile(program, dt::kAllOptimising);
    if (!object)
        return;
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(object->elf.data()), static_cast<std::streamsize>(object->elf.size()));
}

} // namespace

int main(int argc, char** argv)
{
    Arguments arguments;
    if (!parse(argc, argv, arguments)) {
        std::fprintf(stderr, "usage: differential_test [--count N] [--seed S] [--failures N] [--level N] [--kernel] "
                             "[--only-kernel] [--print] [--objects FOLDER] [--no-faults] [--no-texts] "
                             "[--short-texts] [--no-subroutines] [--no-aggregations] [--saved FILE | --save FILE "
                             "[--target MACHINE] [--oldest]]\n");
        return 2;
    }
    const std::vector<uint64_t> levels =
        arguments.level == kAnyLevel
            ? std::vector<uint64_t>{dt::kNoOptimising, dt::kCheapOptimising, dt::kAllOptimising}
            : std::vector<uint64_t>{arguments.level};
    if (arguments.save)
        return save_all(arguments, levels);
    const auto user = arguments.only_kernel ? std::vector<std::unique_ptr<Runner>>() : user_runners();
    const bool in_kernel = arguments.kernel || arguments.only_kernel;
    const auto kernel = in_kernel ? kernel_runner() : nullptr;
    if (in_kernel && !kernel) {
        std::printf("BPF programs cannot be loaded here\n");
        return 77;
    }
    std::vector<Runner*> runners;
    for (const auto& runner : user)
        runners.push_back(runner.get());
    if (kernel)
        runners.push_back(kernel.get());

    std::optional<ObjectReader> saved;
    if (arguments.saved)
        saved.emplace(arguments.saved);
    uint64_t failures = 0;
    for (uint64_t seed = arguments.seed; seed < arguments.seed + arguments.count && failures < arguments.most_failures;
         ++seed) {
        Program program = generate(seed, arguments.wanted);
        if (arguments.print)
            std::printf("/* seed %llu */\n%s\n", static_cast<unsigned long long>(seed), to_d(program).c_str());
        if (arguments.objects)
            save(program, std::string(arguments.objects) + "/" + std::to_string(seed) + ".o");
        const auto wrong = saved ? verdict(program, *saved, levels, runners) : verdict(program, levels, runners);
        if (!wrong)
            continue;
        ++failures;
        std::string last = *wrong;
        std::fprintf(stderr, "seed %llu: %.100s\n", static_cast<unsigned long long>(seed), last.c_str());
        shrink(program, [&](const Program& smaller) {
            const auto still = verdict(smaller, levels, runners);
            // A reduced program must show an error of the same kind as the original program. The beginning of the
            // message shows the kind: optimizer level, environment, and whether the program was refused.
            if (!still || still->substr(0, 21) != wrong->substr(0, 21))
                return false;
            last = *still;
            return true;
        });
        std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed), last.c_str(), to_d(program).c_str());
        std::fflush(stdout);
    }
    std::printf("%llu programs, %llu wrong\n", static_cast<unsigned long long>(arguments.count),
                static_cast<unsigned long long>(failures));
    return failures ? 1 : 0;
}
