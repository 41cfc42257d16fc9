// Implements class Session, which decides when facts about the machine must be determined again. Also counts the
// tracer's own frames in kernel stacks, and reads options from the environment.
#include "libdtrace/session/session.hpp"

#include <bpf/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "base/descriptor.hpp"
#include "libdtrace/kernel/features.hpp"

namespace dt {

Session::Session(Options options, MakeWorld make_world)
    : options_(std::move(options)), make_world_(std::move(make_world)),
      processes_(options_.run().procfspath, options_.compile().followchildren, readers_of_files(options_.run())),
      system_context_(std::make_shared<SystemContext>(make_world_()))
{
}

Session::Session(Options options, const Session& other)
    : options_(std::move(options)), make_world_(other.make_world_),
      processes_(options_.run().procfspath, options_.compile().followchildren),
      system_context_(SystemContext::shared_with(*other.system_context_)), shares_context_(true)
{
}

Result<void> Session::prepare()
{
    if (shares_context_)
        return {};
    if (set_up_ && system_context_->world().refresh())
        return {};
    if (std::exchange(set_up_, true))
        system_context_ = std::make_shared<SystemContext>(make_world_());
    return system_context_->world().set_up(options_.run(), &processes_);
}

// Counts the frames of the tracer in recorded kernel stacks. Their number depends on the kernel and on how a BPF
// program is run. A small program records the stack of a system call that this process makes.

namespace {

constexpr std::size_t kFrames = 16;
using Stack = std::array<uint64_t, kFrames>;

/// Loads a program for sys_enter that stores the stack of this process's system call in the only element of the map.
int load_program(int map)
{
    const bpf_insn program[] = {
        copy(BPF_REG_6, BPF_REG_1),
        call(BPF_FUNC_get_current_pid_tgid),
        insn(BPF_JMP32 | BPF_JNE | BPF_K, BPF_REG_0, 0, 6, static_cast<int32_t>(syscall(SYS_gettid))),
        copy(BPF_REG_1, BPF_REG_6),
        insn(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_2, BPF_PSEUDO_MAP_VALUE, 0, map),
        kSecondHalf,
        mov(BPF_REG_3, sizeof(Stack)),
        mov(BPF_REG_4, 0),
        call(BPF_FUNC_get_stack),
        mov(BPF_REG_0, 0),
        kExit,
    };
    return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_frames", "GPL", program, std::size(program), nullptr);
}

/// Returns whether a symbol belongs to the tracer. The tracepoint's iterator (__traceiter_*) is not in every stack, so
/// compiled programs check for it separately.
bool is_tracer(std::string_view symbol)
{
    constexpr std::string_view begins[] = {"bpf_trace_run", "__bpf_trace_", "bpf_dispatcher_", "__bpf_prog_test_run",
                                           "bpf_prog_test_run"};
    const std::size_t mark = symbol.find('`');
    symbol.remove_prefix(mark == std::string_view::npos ? symbol.size() : mark + 1);
    if (symbol.ends_with("_sys_bpf")) // matches __sys_bpf, and __x64_sys_bpf or its equivalent on other architectures
        return true;
    return std::any_of(std::begin(begins), std::end(begins),
                       [symbol](std::string_view begin) { return symbol.starts_with(begin); });
}

/// Returns the number of innermost frames of the recorded stack that belong to the tracer.
uint64_t count(int map, Symbols& symbols)
{
    Stack stack{};
    const uint32_t key = 0;
    if (bpf_map_lookup_elem(map, &key, stack.data()) != 0 || stack[0] == 0)
        return 0;
    uint64_t count = 1; // counts the first frame, which belongs to the BPF program itself
    while (count < kFrames && stack[count] == stack[0])
        ++count; // on some machines the program's frame appears twice, as its own frame and as the caller of the helper
    while (count < kFrames && stack[count] && is_tracer(symbols.kernel(stack[count], Symbols::Form::Symbol)))
        ++count;
    return count;
}

} // namespace

TracerFrames count_tracer_frames(Symbols& symbols)
{
    const Descriptor map(bpf_map_create(BPF_MAP_TYPE_ARRAY, "dt_frames", 4, sizeof(Stack), 1, nullptr));
    const Descriptor program(map.get() < 0 ? -1 : load_program(map.get()));
    TracerFrames frames;
    if (program.get() < 0)
        return frames;
    LIBBPF_OPTS(bpf_test_run_opts, options);
    if (bpf_prog_test_run_opts(program.get(), &options) == 0)
        frames.test_run = count(map.get(), symbols);
    {
        const Descriptor link(bpf_raw_tracepoint_open("sys_enter", program.get()));
        if (link.get() < 0)
            return frames;
        syscall(SYS_getppid);
        // the link is closed before the stack is read; close() is also a system call, and its stack begins with the
        // same number of tracer frames
    }
    frames.tracepoint = count(map.get(), symbols);
    return frames;
}

// Reads options from the environment. DTRACE_OPT_BUFSIZE=8m has the meaning of -x bufsize=8m, with lower precedence.

Result<void> set_options_from_environment(Options& options, const char* const* environment)
{
    static constexpr std::string_view kPrefix = "DTRACE_OPT_";
    for (; environment && *environment; ++environment) {
        std::string_view variable = *environment;
        const auto equals = variable.find('=');
        if (variable == "DTRACE_DEBUG" || variable.starts_with("DTRACE_DEBUG=")) {
            options.put("debug");
            continue;
        }
        if (variable.starts_with("DTRACE_CHECK_FIRINGS=") && equals + 1 != variable.size()) {
            options.check_hits();
            continue;
        }
        if (!variable.starts_with(kPrefix) || equals == std::string_view::npos)
            continue;
        std::string name(variable.substr(kPrefix.size(), equals - kPrefix.size()));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (const Result<void> set = options.set(name, variable.substr(equals + 1), OptionSource::Environment); !set) {
            const std::string meant = Options::meant(name);
            return Error{"failed to set " + std::string(variable.substr(0, equals)) + ": " + set.error().message +
                             (meant.empty() ? "" : "\n\t" + meant),
                         set.error().code};
        }
    }
    return {};
}

} // namespace dt
