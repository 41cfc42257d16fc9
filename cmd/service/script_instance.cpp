// Runs one script of a service, from compilation to its end, and finds the scripts of a directory.
#include "cmd/service/script_instance.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>
#include <numeric>
#include <utility>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/service/compiler_process.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/estimate/hook_costs.hpp"
#include "libdtrace/output/output_target.hpp"
#include "libdtrace/session/program_file.hpp"
#include "libdtrace/trace/program_set.hpp"

namespace dt::service {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kWords[] = {"starting", "tracing", "failed", "ended", "detached"};

/// Minimum time over which a rate of firings is computed.
constexpr auto kRatePeriod = std::chrono::seconds(1);

} // namespace

Options options_of_scripts(const Options& given)
{
    Options options = given;
    options.watch_costs();
    options.allow_successor();
    return options;
}

std::string_view name_of_state(State state)
{
    return kWords[static_cast<std::size_t>(state)];
}

ScriptInstance::ScriptInstance(const ServiceContext& context, Script script)
    : context_(context), script_(std::move(script))
{
    enter(State::Starting);
}

ScriptInstance::~ScriptInstance()
{
    stop();
    release();
}

void ScriptInstance::release()
{
    trace_.reset();
    output_.reset();
    if (descriptor_ >= 0)
        close(descriptor_);
    descriptor_ = -1;
}

void ScriptInstance::enter(State state)
{
    state_ = state;
    since_ = std::time(nullptr);
}

void ScriptInstance::print_message(std::string_view text)
{
    cmd::print_message(context_.arguments, script_.name + ": " + std::string(text));
}

bool ScriptInstance::fail(std::string error)
{
    error_ = std::move(error);
    print_message(error_);
    enter(State::Failed);
    return false;
}

/// Catches an out-of-memory error of this script, so that the other scripts continue.
bool ScriptInstance::prepare(ScriptInstance* former)
{
    try {
        if (load(former))
            return true;
    } catch (const std::bad_alloc&) {
        fail("could not enable tracing: Memory allocation failure");
    }
    release();
    return false;
}

bool ScriptInstance::begin(TraceValues values)
{
    try {
        if (attach(std::move(values)))
            return true;
    } catch (const std::bad_alloc&) {
        fail("could not enable tracing: Memory allocation failure");
    }
    release();
    return false;
}

bool ScriptInstance::load(ScriptInstance* former)
{
    context_.lives();
    session_ = std::make_unique<Session>(options_of_scripts(context_.options), context_.base_session);
    trace_ = std::make_unique<Trace>(*session_, session_->options());
    if (!compile())
        return false;
    labels_ = trace_->options().print().labels;
    pin_ = trace_->options().compile().pin;
    if (trace_->matched(0) == 0 && !trace_->options().compile().zdefs)
        return fail("no probes matched");
    if (former && former->trace())
        trace_->replace(*former->trace());
    context_.lives();
    context_.grows();
    trace_->load_in_child(context_.lives);
    const Result<void> loaded = trace_->load();
    cmd::print_verifier_log(trace_->programs().verifier_log());
    end_compiler_if_refused();
    if (!loaded)
        return fail(loaded.error().message);
    trace_->release_ir();
    return true;
}

/// Ends the compiler process, because it does not know that the kernel has just rejected a program. The next one will
/// plan to attach without such programs.
void ScriptInstance::end_compiler_if_refused()
{
    if (!trace_->programs().report().fallbacks.empty())
        context_.compiler.end();
}

bool ScriptInstance::compile()
{
    Result<std::string> text = script_.path.empty() || !script_.text.empty() ? script_.text : read_script(script_.path);
    if (text && context_.options.run().cpp)
        text = preprocess(std::move(text.value()), context_.options);
    if (!text)
        return fail(text.error().message);
    const std::string name = script_.path.empty() ? script_.name : script_.path;
    // Expands macros without an output object, because no macro depends on the output. Macros about the process have
    // the values of the service's process.
    Output nowhere(-1);
    const cmd::Command command{context_.arguments, *session_, *trace_, nowhere};
    TypedProgram typed{
        {Source::Kind::Script, name, std::move(text.value()), {}}, SpecKind::Script, cmd::macros_for(command, name)};
    Compiled compiled = context_.compiler.compile(context_, typed);
    session_->world().untrusted_files()->add_refused(compiled.unread);
    if (compiled.what == Compiled::What::Refused)
        return fail(std::move(compiled.text));
    if (compiled.what == Compiled::What::Packed) {
        Result<std::unique_ptr<PackedProgram>> unpacked = unpack(std::exchange(compiled.text, {}));
        const Result<void> taken =
            unpacked ? trace_->take(std::move(unpacked.value()), std::move(typed)) : Result<void>(unpacked.error());
        return taken || fail("failed to compile script " + name + ": " + taken.error().message);
    }
    const bool added = trace_->add(std::move(typed.source), typed.kind, typed.macros);
    const Result<void> made = added ? trace_->compile() : Result<void>();
    return (added && made) || fail(error_of(*trace_, added, made));
}

/// Opens the output that the script names, or the service's standard output.
bool ScriptInstance::open_output()
{
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    output_ = std::make_unique<Output>(descriptor_);
    output_->messages() = {script_.name, [this](std::string_view message) { error_ = message; }};
    const std::string path = output_path_ = trace_->options().run().output;
    if (path.empty())
        return true;
    const output::OutputTarget destination = output::target_of(trace_->options().print().format);
    const Result<void> opened = output::open_target(*output_, path, destination, trace_->options().run().user);
    return opened || fail(opened.error().message);
}

bool ScriptInstance::attach(TraceValues values)
{
    if (!open_output())
        return false;
    context_.lives();
    trace_->set_hook_overheads(
        measure_hook_overheads(hooks_of(trace_->object().schema), trace_->options().compile().maxcost != 0));
    trace_->restore(std::move(values));
    trace_->set_attach_listener({nullptr, [this](std::size_t, std::size_t) { context_.lives(); }, nullptr});
    Result<void> started = trace_->attach(*output_);
    end_compiler_if_refused();
    if (started) {
        counted_ = Clock::now();
        state_after_ = State::Ended;
        started = context_.host.start(*trace_, [this](Result<int> status) { ended(std::move(status)); });
    }
    if (!started) {
        output_->send();
        return fail(started.error().message);
    }
    trace_->forget_program();
    enter(State::Tracing);
    for (const std::string& anew : trace_->programs().report().restarted_globals)
        print_message("previous value not restored: " + anew);
    const auto& refused = trace_->programs().report().refused;
    if (!refused.empty()) {
        error_ = "cannot attach " + refused.front().probe->full_name() + ": " + refused.front().reason +
                 (refused.size() == 1 ? "" : "; and " + std::to_string(refused.size() - 1) + " others");
        print_message(error_);
    }
    return true;
}

/// Adds up the numbers of firings of all probes: fired, filtered, recorded and lost. The sums are exact when no BPF
/// program of the trace runs any more.
void ScriptInstance::sum_firings()
{
    if (!trace_->options().compile().counts_hits())
        return;
    firings_.emplace();
    for (const output::HitCounts& probe : trace_->results().losses().probes) {
        firings_->fired += probe.fired;
        firings_->filtered += probe.filtered;
        firings_->recorded += probe.recorded;
        firings_->lost += probe.lost;
        firings_->sampled_out += probe.sampled_out;
    }
}

void ScriptInstance::ended(Result<int> status)
{
    sum_firings();
    if (const Result<void> flushed = output_->flush(); !flushed && status)
        status = flushed.error();
    if (trace_->is_left())
        print_message("the trace of pin " + trace_->options().compile().pin +
                      " continues after the end of this service, until another service takes it over");
    if (status) {
        exit_status_ = status.value();
        enter(state_after_);
    } else {
        fail(status.error().message);
    }
    // A detached script keeps its values (globals and aggregations) here, because the script that replaces it may
    // continue with them.
    if (state_ != State::Detached)
        release();
    context_.changed();
}

void ScriptInstance::stop(State into)
{
    if (state_ != State::Tracing)
        return;
    state_after_ = into;
    context_.host.end_now(*trace_);
}

bool ScriptInstance::claims(const std::string& pin) const
{
    if (refused_ && has_name(*refused_, pin))
        return true;
    if (pin_)
        return *pin_ == pin;
    const Options& given = context_.options;
    return script_.text.empty() || given.run().cpp || given.compile().pin == pin || has_name(script_.text, pin);
}

void ScriptInstance::succeed(ScriptInstance& former)
{
    former.stop();
    for (const std::string& anew : trace_->continue_from(former.values()))
        print_message("previous value not restored: " + anew);
}

TraceValues ScriptInstance::values()
{
    if (!trace_ || state_ != State::Detached)
        return {};
    Result<TraceValues> values = trace_->values();
    return values ? std::move(values.value()) : TraceValues{};
}

/// Computes the rate of firings if the last computation was at least kRatePeriod ago, or if the rate is still 0.
void ScriptInstance::count_firings(const output::CostReport& costs)
{
    uint64_t fired = 0;
    for (const output::Cost& probe : costs.probes)
        fired += probe.fired;
    const auto now = Clock::now();
    if (now - counted_ >= kRatePeriod || rate_ == 0) {
        const double seconds = std::chrono::duration<double>(now - counted_).count();
        rate_ = seconds > 0 ? static_cast<double>(fired - std::min(fired, fired_)) / seconds : 0;
        if (now - counted_ >= kRatePeriod) {
            counted_ = now;
            fired_ = fired;
        }
    }
}

Health ScriptInstance::health()
{
    Health health;
    health.name = script_.name;
    health.path = script_.path;
    health.state = state_;
    health.since = since_;
    health.error = error_;
    health.exit_status = exit_status_;
    health.output = output_path_;
    health.pin = pin_.value_or("");
    health.labels = labels_;
    if (state_ == State::Tracing)
        sum_firings();
    health.firings = firings_;
    if (state_ != State::Tracing)
        return health;
    const output::CostReport costs = trace_->results().costs();
    count_firings(costs);
    health.probes = trace_->matched(0);
    double took = 0;
    for (const output::Cost& probe : costs.probes) {
        health.fired += probe.fired;
        took += probe.total();
    }
    for (const output::Cost& others : costs.others)
        took += others.total();
    // the reported count must not decrease, but the sum of estimates may
    health.fired = max_fired_ = std::max(max_fired_, health.fired);
    health.firings_a_second = rate_;
    health.cost = costs.elapsed == 0 ? 0 : took / static_cast<double>(costs.elapsed);
    health.memory = costs.kernel_memory;
    health.memory_bound = output::sum(trace_->memory()).kernel;
    health.losses = trace_->results().losses().causes;
    std::erase_if(health.losses, [](const output::DropRow& row) { return !output::has_losses({&row, 1}); });
    return health;
}

uint64_t ScriptInstance::memory_bound() const
{
    if (state_ != State::Tracing)
        return 0;
    const std::vector<output::MemoryPart> parts = trace_->memory();
    const auto bytes = [](uint64_t sum, const output::MemoryPart& part) {
        // skips the memory of the service's process, which has no limit and is shared by all scripts
        return sum + (part.is_measured ? 0 : part.most);
    };
    return std::accumulate(parts.begin(), parts.end(), uint64_t{0}, bytes);
}

namespace {

constexpr std::string_view kEnding = ".d";

/// Returns whether the owner is root or this user, and no one else can write the file.
bool is_trusted(const struct stat& status)
{
    return (status.st_uid == 0 || status.st_uid == geteuid()) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_file(const std::string& path)
{
    struct stat status {};
    // no error here if the file is missing: reading it will fail later
    return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

} // namespace

std::string name_of_script(const std::string& path)
{
    std::string name = path.substr(path.rfind('/') + 1);
    if (name.ends_with(kEnding))
        name.resize(name.size() - kEnding.size());
    return name;
}

bool is_name(const std::string& name)
{
    constexpr std::size_t kLongest = 128;
    constexpr std::string_view kSigns = "._-+@";
    return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [&](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      kSigns.find(c) != std::string_view::npos;
           });
}

Result<std::vector<Script>> find_scripts(const std::string& directory)
{
    DIR* const opened = opendir(directory.c_str());
    if (!opened)
        return Error{std::strerror(errno), errno};
    std::vector<Script> scripts;
    while (const dirent* const entry = readdir(opened)) {
        const std::string file = entry->d_name;
        const std::string path = directory + "/" + file;
        const std::string name = name_of_script(file);
        if (file.front() == '.' || !file.ends_with(kEnding) || !is_name(name) || !is_file(path))
            continue;
        scripts.push_back({name, path, {}, true});
    }
    closedir(opened);
    std::sort(scripts.begin(), scripts.end(), [](const Script& a, const Script& b) { return a.name < b.name; });
    return scripts;
}

Result<std::string> read_script(const std::string& path)
{
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && !is_trusted(status))
        return Error{"failed to open " + path +
                         ": users other than root may change it\n\t"
                         "run chown root and chmod go-w on it",
                     EPERM};
    Result<std::string> text = read_program_file(path);
    if (!text)
        return Error{"failed to open " + path + ": " + text.error().message, text.error().code};
    return text;
}

bool has_name(std::string_view text, std::string_view pin)
{
    const auto goes_on = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' || text[at] == '-');
    };
    for (std::size_t at = text.find(pin); at != std::string_view::npos; at = text.find(pin, at + 1))
        // if `at` is 0, `at - 1` wraps around to a value that is out of range
        if (!goes_on(at - 1) && !goes_on(at + pin.size()))
            return true;
    return false;
}

} // namespace dt::service
