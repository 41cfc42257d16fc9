// pidN:object:function:name. Descriptions are looked up in the process and every mistake in one has its tag
// (dtrace-errors(7), PROBES OF PROCESSES).
//
// Probes are made when they are asked for. A probe is a place in a file, or several where functions of one name are
// several, and the kernel is told the one process it fires in: nobody else who maps the file pays for it. However many
// there are, one program serves all entries, one all returns and one all other instructions, each target with its
// probe's number as a cookie.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "machine/machine.hpp"
#include "probes/attributes.hpp"
#include "probes/pid_points.hpp"
#include "probes/process_view.hpp"
#include "probes/provider.hpp"
#include "probes/unwinders.hpp"
#include "probes/uprobe_placement.hpp"

namespace dt::probes {
namespace {

using Object = ProcessView::Object;
using Function = ProcessView::Function;
using Calls = ProcessView::Calls;
using Point = PidPoint;

constexpr std::string_view kFamily = "pid", kOfFile = "pid@";
constexpr uint64_t kLongest = 1 << 20; ///< bytes of a function that are looked at
constexpr uint64_t kLongestInstruction = 15;

Error tagged(const char* tag, std::string message)
{
    return Error{std::move(message), 0, tag};
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

class PidProvider final : public Provider {
public:
    explicit PidProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return kFamily; }

    /// A name spelled out to its number, and patterns: of processes, or of the probes that were made before. Another
    /// name that ends in digits (nfsv3) is that of some other provider.
    bool serves(std::string_view provider) const override
    {
        if (is_of_file(provider))
            return true;
        if (!is_literal(provider))
            return !probes_.empty() || means_processes(provider);
        return provider.size() > kFamily.size() && provider.starts_with(kFamily) && is_digit(provider[kFamily.size()]);
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (is_of_file(pattern.provider))
            return match_file(pattern, &sink, nullptr);
        if (!is_literal(pattern.provider))
            return match_all(pattern, sink);
        const std::string& provider = pattern.provider;
        const char* last = provider.data() + provider.size();
        int64_t pid = 0;
        const auto [end, error] = std::from_chars(provider.data() + kFamily.size(), last, pid);
        if (error != std::errc{} || pid > std::numeric_limits<int32_t>::max())
            return {}; // no process can have that number: matches nothing
        if (pid == 0 || end != last)
            return tagged("D_PROC_BADPID", "'" + provider + "' does not contain a valid pid");
        if (kernel_.processes().is_tracer(pid))
            return tagged("D_PROC_DYN", "process " + std::to_string(pid) +
                                            " is dtrace itself, which cannot be traced with the pid provider");
        Search search{*this, pattern, &sink, nullptr, pid};
        Result<void> looked;
        for (const int64_t process : kernel_.processes().tree(pid)) {
            const auto objects = kernel_.processes().objects(process);
            search.process = process;
            if (!objects && process == pid)
                looked = tagged("D_PROC_GRAB",
                                "failed to grab process " + std::to_string(pid) + ": " + objects.error().message);
            else if (objects && process == pid)
                looked = search.run(objects.value());
            else if (objects)
                static_cast<void>(search.run(objects.value())); // what its origin has not, it may have
        }
        return search.found.empty() ? looked : Result<void>{};
    }

    void explain_absent(const ProbePattern& pattern, const VisitAbsent& visit) override
    {
        if (is_of_file(pattern.provider))
            return static_cast<void>(match_file(pattern, nullptr, &visit));
        int64_t pid = 0;
        std::from_chars(pattern.provider.data() + kFamily.size(), pattern.provider.data() + pattern.provider.size(),
                        pid);
        const auto objects = is_literal(pattern.provider) ? kernel_.processes().objects(pid) : Error{};
        if (objects)
            static_cast<void>(Search{*this, pattern, nullptr, &visit, pid}.run(objects.value()));
    }

    bool is_other_name(const Probe& probe) const override
    {
        const auto made = probes_.find(probe.full_name());
        return made != probes_.end() && made->second.is_alias;
    }

    /// Of an entry the parameters, of a return what is given back: as far as debug information tells.
    ProbeSignature signature(const Probe& probe) override
    {
        const Made& made = probes_.at(probe.full_name());
        ProbeSignature signature;
        if (made.point == Point::Offset || made.places.empty())
            return signature;
        const Place& begin = made.places.front();
        ProcessView::Prototype prototype =
            kernel_.processes().prototype(begin.file, begin.offset, probe.function, made.function_calls);
        signature.untyped = prototype.untyped;
        if (const std::string origin = origin_of(probe.function, made.function_calls);
            !origin.empty() && prototype.note.empty())
            prototype.note = "The compiler has made it of " + origin + ": arguments may differ";
        if (!prototype.note.empty())
            signature.note = [note = prototype.note] { return note; };
        if (made.point != Point::Entry) {
            if (signature.untyped.empty())
                signature.arguments.push_back({"uint64_t", {}, 0});
            if (prototype.result)
                signature.arguments.push_back(typed(*prototype.result));
            return signature;
        }
        for (const ProcessView::Value& parameter : prototype.parameters)
            if (signature.arguments.size() < kMostArguments)
                signature.arguments.push_back(typed(parameter));
        return signature;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds& refused) override
    {
        const bool at_once =
            !refused.contains(ProgramKind::UprobeMulti) && !refused.contains(ProgramKind::UretprobeMulti);
        std::map<std::tuple<Point, Calls, FiresIn, bool>, AttachPlan> plans;
        std::map<std::string, ProcessView::Identity> identities;
        for (const Probe* probe : probes) {
            const Made& made = probes_.at(probe->full_name());
            AttachPlan fresh = plan_pid_probes(kernel_.machine(), made.point, made.calls, at_once);
            fresh.fires_in = made.pid == 0 ? FiresIn::Any : fires_in(kernel_.processes(), made.pid, fresh.kind);
            fresh.everywhere = made.pid == 0;
            AttachPlan& plan =
                plans.try_emplace({made.point, made.calls, fresh.fires_in, fresh.everywhere}, std::move(fresh))
                    .first->second;
            const uint64_t number = plan.probes.size();
            plan.probes.push_back({probe, number, made.pid});
            const int64_t process = plan.fires_in == FiresIn::Tree ? 0 : made.pid;
            for (const Place& place : made.places) {
                const auto [identity, is_new] = identities.try_emplace(place.file);
                if (is_new)
                    identity->second = kernel_.processes().identity(place.file);
                if (identity->second != place.identity)
                    continue; // something else is mapped there by now
                for (const uint64_t offset : offsets_of(made, place))
                    plan.targets.push_back({place.file, number, offset, probe, 0, process});
                for (const LeftCode& code : place.code) {
                    plan.left_code.push_back(code);
                    plan.left_code.back().probe = probe;
                }
            }
        }
        std::vector<std::shared_ptr<const AttachPlan>> result;
        for (auto& [what, plan] : plans) {
            if (plan.probes.size() > 1) {
                plan.selector = Location{Kind::Cookie};
                plan.selector_bound = static_cast<uint32_t>(plan.probes.size());
            }
            if (!plan.left_code.empty())
                plan.unwinder = unwinders_.plan(kernel_.processes(), plan);
            result.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
        }
        return result;
    }

private:
    /// pid@/usr/bin/shop: in every process that runs the file or maps it, also in those to come. By a build id: any
    /// copy of it.
    static bool is_of_file(std::string_view provider) { return provider.starts_with(kOfFile); }

    Result<void> match_file(const ProbePattern& pattern, ProbeSink* sink, const VisitAbsent* visit)
    {
        const std::string path = pattern.provider.substr(kOfFile.size());
        auto copies = kernel_.processes().files(path);
        if (!copies)
            return tagged("D_PROC_GRAB", "failed to grab file " + path + ": " + copies.error().message);
        const bool is_meant = std::any_of(copies->begin(), copies->end(), [&](const Object& object) {
            return is_called(object.path, object.is_executable, pattern.module);
        });
        if (!is_meant && is_literal(pattern.module))
            return tagged("D_PROC_LIB", "module '" + pattern.module + "' is not " + path +
                                            ", and pid@ means functions of that file alone");
        return Search{*this, pattern, sink, visit, 0}.run(copies.value());
    }

    /// *:::entry is meant for whatever there is already; who writes pid*, or part of a number, means the processes
    /// themselves.
    static bool means_processes(std::string_view provider)
    {
        return provider.starts_with(kFamily) || std::any_of(provider.begin(), provider.end(), is_digit);
    }

    /// In each process whose provider the pattern covers. What is wrong with one of them is not told: the others may be
    /// meant.
    Result<void> match_all(const ProbePattern& pattern, ProbeSink& sink)
    {
        if (!means_processes(pattern.provider))
            return {};
        ProcessView& processes = kernel_.processes();
        for (const int64_t pid : processes.pids(true)) {
            const ProbePattern own{std::string(kFamily) + std::to_string(pid), pattern.module, pattern.function,
                                   pattern.name};
            if (!glob_match(pattern.provider, own.provider) || processes.is_tracer(pid))
                continue;
            Search search{*this, own, &sink, nullptr, pid};
            for (const int64_t process : processes.tree(pid)) {
                search.process = process;
                if (const auto objects = processes.objects(process)) // else it is gone, or a kernel thread
                    static_cast<void>(search.run(objects.value()));
            }
        }
        return {};
    }

    struct Place {
        std::string file;
        uint64_t offset = 0;
        uint64_t size = 0;                   ///< bytes of the function, where it begins there; 0: not known
        bool is_32bit = false;               ///< code for the 32-bit mode
        std::vector<uint64_t> leaves = {};   ///< of Leave: where in the file
        std::vector<LeftCode> code = {};     ///< of Leave where the process unwinds its stack
        ProcessView::Identity identity = {}; ///< of the file, when it was looked at
    };
    /// A probe that was made.
    struct Made {
        int64_t pid = 0;
        Point point = Point::Entry;
        Calls calls = Calls::C;          ///< of an entry
        Calls function_calls = Calls::C; ///< of its function
        bool is_alias = false;           ///< by another name of it
        std::vector<Place> places;
    };

    /// "foo" of "foo.constprop.0", "foo(int)" of "foo(int) [clone .isra.0]"; empty: it is its author's own.
    static std::string origin_of(const std::string& function, Calls calls)
    {
        const bool has_parameters = function.find('(') != std::string::npos;
        const std::size_t end = calls == Calls::C || calls == Calls::C32
                                    ? function.find(has_parameters ? " [clone " : ".", 1)
                                    : std::string::npos;
        return end == std::string::npos ? std::string() : function.substr(0, end);
    }

    static ProbeArgument typed(const ProcessView::Value& value)
    {
        ProbeArgument argument;
        argument.mapping = value.word;
        argument.userland = true;
        argument.type = value.type;
        argument.name = value.name;
        argument.refusal = value.refusal;
        return argument;
    }

    /// Where in the file a probe's place is hooked. Entry and return in the same place: the return address is still
    /// where the call left it.
    std::vector<uint64_t> offsets_of(const Made& made, const Place& place)
    {
        if (made.point == Point::Leave)
            return place.leaves;
        if (made.point == Point::Offset || place.size == 0 || place.size > kLongest || place.is_32bit)
            return {place.offset};
        const FunctionCode code(kernel_.machine(), kernel_.processes().bytes(place.file, place.offset, place.size));
        return {place.offset + (made.calls == Calls::C ? code.entry_place() : code.go_entry_place())};
    }

    static constexpr std::string_view kBare =
        "its file has no symbols (it is stripped); \"-\" for the function takes addresses, as in "
        "pid$target:a.out:-:1a40, and a debug package brings the symbols below /usr/lib/debug";

    /// One description, looked up in one process.
    struct Search {
        PidProvider& provider;
        const ProbePattern& pattern;
        ProbeSink* sink;          ///< takes the probes
        const VisitAbsent* visit; ///< takes what has no probe, and why
        int64_t pid;
        std::set<const Made*> found = {};
        bool is_alias = false; ///< of the function that is looked at
        std::string last_file = {};
        ProcessView::Identity last_identity = {}; ///< of that
        std::string absent = {};                  ///< why something of the function's name has no probe
        int64_t process = 0;  ///< whose objects are looked at: this one, or one that is followed because of it
        bool unwinds = false; ///< some of its functions that are meant may be unwound

        Result<void> run(const std::vector<Object>& objects)
        {
            const bool is_address = pattern.function == "-";
            if (is_address && !pattern.module.empty() && pattern.module != "a.out")
                return tagged("D_PROC_LIB", "only the a.out module is valid with the '-' function");
            if (is_address && !is_literal(pattern.name))
                return tagged("D_PROC_NAME", "only single addresses may be given with the '-' function");
            unwinds = false;
            for (const Object& object : objects)
                if (is_called(object.path, object.is_executable, is_address ? "a.out" : pattern.module))
                    if (const Result<void> looked = is_address ? address(object) : functions(object); !looked)
                        return looked;
            if (unwinds && pid != 0)
                provider.unwinders_.look(provider.kernel_, process, objects);
            const bool is_named = is_literal(pattern.function) && is_literal(pattern.name);
            return found.empty() && is_named && !absent.empty() ? not_created(absent) : Result<void>{};
        }

        /// By an address in the program, as its file has it.
        Result<void> address(const Object& object)
        {
            const auto number = offset_of(pattern.name);
            if (!number)
                return invalid_name();
            const auto place = provider.kernel_.processes().place_of(object, *number);
            if (!place)
                return not_created("the program has no code there");
            if (const std::string_view refusal = refusal_at({object.file, *place}); !refusal.empty())
                return not_created(std::string(refusal));
            add("a.out", "-", hexadecimal(*number), Point::Offset, {object.file, *place});
            return {};
        }

        Result<void> functions(const Object& object)
        {
            const std::vector<Function> functions = provider.kernel_.processes().functions(object, pattern.function);
            const bool is_named = is_literal(pattern.function);
            const bool is_bare = functions.empty() && provider.kernel_.processes().functions(object, "*").empty();
            if (functions.empty() && is_named && (is_literal(pattern.module) || pid == 0))
                return tagged("D_PROC_FUNC", "failed to lookup '" + pattern.function + "' in module '" +
                                                 (pid == 0 ? object.path : pattern.module) + "'" +
                                                 (is_bare ? ": " + std::string(kBare) : ""));
            if (is_bare && is_literal(pattern.module) && visit)
                (*visit)("functions of " + object.path, kBare);
            for (const Function& function : functions) {
                is_alias = function.is_alias;
                if (is_named || is_meant(function)) {
                    if (const Result<void> looked = points(object, function); !looked)
                        return looked;
                }
            }
            return {};
        }

        /// Is it a function in its own right? What is spelled out is meant in any case.
        static bool is_meant(const Function& function) { return function.size != 0 && !function.is_cold; }

        /// The probes of a function that the name stands for.
        Result<void> points(const Object& object, const Function& function)
        {
            const std::string& name = pattern.name;
            const bool is_offset = is_literal(name) && name != "entry" && name != "return";
            const auto number = is_offset ? offset_of(name) : std::nullopt;
            if (is_offset && !number)
                return invalid_name();
            const std::string module = object.is_executable ? "a.out" : object.path.substr(object.path.rfind('/') + 1);
            if (!function.place || function.is_indirect) {
                left_out(module, function.name, name,
                         function.place ? "the function chooses, when the program starts, which other one serves by "
                                          "its name, and nothing tells which those are"
                                        : "it is not in a part of the file that is mapped as code");
                return {};
            }
            const Place begin{object.file, *function.place, function.size, function.calls == Calls::C32};
            if (is_offset)
                return one_offset(module, function, begin, *number);
            const bool has_both = glob_match(name, "entry") || glob_match(name, "return");
            if (const std::string_view refusal = has_both ? refusal_at(begin) : std::string_view(); !refusal.empty()) {
                left_out(module, function.name, name, refusal);
                return {};
            }
            if (glob_match(name, "entry"))
                add(module, function.name, "entry", Point::Entry, begin, function.calls, function.calls);
            if (glob_match(name, "return"))
                leave(object, module, function, begin);
            if (!is_literal(name))
                all_offsets(module, function, begin);
            return {};
        }

        const machine::Machine& machine() const { return provider.kernel_.machine(); }

        /// Why the first instruction can have no probe; empty: it can. An entry probe never moves on from such a one.
        std::string_view refusal_at(const Place& begin) const
        {
            if (begin.is_32bit && !machine().has_narrow_probes)
                return "it is of a 32-bit program, in which the kernel takes no probes on this machine";
            return FunctionCode(machine(),
                                provider.kernel_.processes().bytes(begin.file, begin.offset, kLongestInstruction),
                                begin.is_32bit)
                .place_of(0, false)
                .refusal;
        }

        /// The kernel's return probes put another address in place of the one on the stack, which Go does not expect
        /// when it moves the stack, and from which nobody can unwind: an exception that passes through would end the
        /// process.
        void leave(const Object& object, const std::string& module, const Function& function, Place begin)
        {
            const bool must_leave = function.moves_stack || function.unwinds;
            if (!must_leave && !is_recursive(begin)) {
                add(module, function.name, "return", Point::Return, std::move(begin), Calls::C, function.calls);
                return;
            }
            const std::string_view refusal = find_leaves(object, function, begin);
            if (refusal.empty() && function.unwinds && pid != 0)
                note_code(object, begin);
            if (refusal.empty())
                add(module, function.name, "return", Point::Leave, std::move(begin), Calls::C, function.calls);
            else if (!must_leave)
                add(module, function.name, "return", Point::Return, std::move(begin), Calls::C, function.calls);
            else
                left_out(module, function.name, "return", refusal);
        }

        /// Calls that are unwound are told by addresses.
        void note_code(const Object& object, Place& begin)
        {
            ProcessView& processes = provider.kernel_.processes();
            const ProcessView::Identity file = processes.identity(object.file);
            for (const ProcessView::Range& range : processes.code_of(object, begin.offset, begin.size))
                begin.code.push_back({nullptr, pid, process, file, range.start, range.end});
            unwinds = true;
        }

        /// Of one call inside of the other the kernel follows 64 at most, and says nothing of the others. A function
        /// that ends with a call of another is left before its result is known, which the kernel waits for.
        bool is_recursive(const Place& begin) const
        {
            if (begin.size == 0 || begin.size > kLongest)
                return false;
            const std::vector<uint8_t> bytes = provider.kernel_.processes().bytes(begin.file, begin.offset, begin.size);
            if (!machine().may_call_itself(bytes))
                return false;
            const FunctionCode code(machine(), bytes, begin.is_32bit);
            return code.is_whole() && std::none_of(code.exits().begin(), code.exits().end(),
                                                   [](const auto& exit) { return !exit.is_conditional; });
        }

        /// Fills in where the function is left: its return instructions and jumps to other functions, in it and in the
        /// part of it that is seldom used. Returns why it cannot have a probe there.
        std::string_view find_leaves(const Object& object, const Function& function, Place& begin) const
        {
            if (function.unwinds && (function.size == 0 || function.size > kLongest))
                return "the program may unwind its stack, which only probes at return instructions allow, and where "
                       "they are is not known";
            const uint64_t end = begin.offset + begin.size;
            std::vector<std::pair<uint64_t, FunctionCode>> parts;
            parts.emplace_back(begin.offset, code_of(begin, 0));
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const auto [start, code] = parts[i];
                if (function.unwinds && !code.is_whole())
                    return "the program may unwind its stack, which only probes at return instructions allow, and not "
                           "all of its code is instructions";
                for (const uint32_t offset : code.returns()) {
                    if (const auto place = code.place_of(offset, false); !place.refusal.empty())
                        return place.refusal;
                    begin.leaves.push_back(start + offset);
                }
                for (const FunctionCode::Exit& exit : code.exits()) {
                    const uint64_t target = start + static_cast<uint64_t>(exit.target);
                    const auto other = provider.kernel_.processes().code_at(object, target);
                    const bool is_known = std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
                        return other && part.first == other->offset;
                    });
                    if ((target >= begin.offset && target < end) || is_known)
                        continue;
                    if (other && other->is_cold)
                        parts.emplace_back(other->offset,
                                           code_of({begin.file, other->offset, other->size, begin.is_32bit}, 0));
                    else if (!exit.is_conditional)
                        begin.leaves.push_back(start + exit.offset);
                    else if (other && other->offset == target && function.unwinds)
                        return "the program may unwind its stack, which only probes at return instructions allow, and "
                               "it goes on in another function by a "
                               "conditional jump";
                }
            }
            return begin.leaves.empty() ? "it has no return instruction" : "";
        }

        /// The code of a function, at least to behind `offset` where its size is not known.
        FunctionCode code_of(const Place& begin, uint64_t offset) const
        {
            const uint64_t size =
                begin.size != 0 ? std::min(begin.size, kLongest) : std::min(offset, kLongest) + kLongestInstruction;
            return FunctionCode(machine(), provider.kernel_.processes().bytes(begin.file, begin.offset, size),
                                begin.is_32bit);
        }

        bool clobbers(const FunctionCode& code) const
        {
            return code.has_long_nops() && provider.kernel_.uprobes_clobber_red_zone();
        }

        Result<void> one_offset(const std::string& module, const Function& function, const Place& begin,
                                uint64_t offset)
        {
            const auto outside = [&](const std::string& where) {
                return is_literal(pattern.function)
                           ? tagged("D_PROC_OFF", "offset 0x" + hexadecimal(offset) + " is " + where)
                           : Result<void>{};
            };
            if (function.size != 0 && offset >= function.size)
                return outside("outside of function '" + function.name + "'");
            const FunctionCode code = code_of(begin, offset);
            const auto place = code.place_of(static_cast<uint32_t>(offset), clobbers(code));
            if (place.is_inside_another)
                return outside("inside of an instruction of function '" + function.name + "', which begins at 0x" +
                               hexadecimal(place.offset));
            add_offset(module, function, begin, offset, place);
            return {};
        }

        void add_offset(const std::string& module, const Function& function, const Place& begin, uint64_t offset,
                        const FunctionCode::Place& place)
        {
            if (place.refusal.empty())
                add(module, function.name, hexadecimal(offset), Point::Offset,
                    {begin.file, begin.offset + place.offset});
            else
                left_out(module, function.name, hexadecimal(offset), place.refusal);
        }

        void all_offsets(const std::string& module, const Function& function, const Place& begin)
        {
            const FunctionCode code = code_of(begin, 0);
            const bool is_careful = clobbers(code);
            for (const uint32_t offset : code.offsets())
                if (glob_match(pattern.name, hexadecimal(offset)))
                    add_offset(module, function, begin, offset, code.place_of(offset, is_careful));
        }

        void add(const std::string& module, const std::string& function, const std::string& name, Point point,
                 Place place, Calls calls = Calls::C, Calls function_calls = Calls::C)
        {
            if (!sink)
                return;
            Probe probe;
            probe.provider = pattern.provider;
            probe.module = module;
            probe.function = function;
            probe.name = name;
            probe.attributes = &kProcessAttributes;
            Made& made = provider.probes_[probe.full_name()];
            made.pid = pid;
            made.point = point;
            made.calls = calls;
            made.function_calls = function_calls;
            made.is_alias = is_alias;
            if (found.insert(&made).second)
                made.places.clear(); // where it was when it was looked up before
            if (std::exchange(last_file, place.file) != place.file)
                last_identity = provider.kernel_.processes().identity(place.file);
            place.identity = last_identity;
            made.places.push_back(std::move(place));
            sink->add_on_demand(std::move(probe));
        }

        /// An error when nothing else is meant.
        void left_out(const std::string& module, const std::string& function, const std::string& name,
                      std::string_view reason)
        {
            if (visit)
                (*visit)(pattern.provider + ":" + module + ":" + function + ":" + name, reason);
            absent = reason;
        }

        Error invalid_name() const
        {
            return tagged("D_PROC_NAME",
                          "invalid probe name '" + pattern.name + "': not entry, return or an offset in hexadecimal");
        }
        Error not_created(const std::string& reason) const
        {
            return tagged("D_PROC_CREATEFAIL", "failed to create probe " + pattern.provider + ":" + pattern.module +
                                                   ":" + pattern.function + ":" + pattern.name + ": " + reason);
        }
    };

    KernelView& kernel_;
    std::map<std::string, Made> probes_; ///< by full name
    Unwinders unwinders_;
};

} // namespace

std::unique_ptr<Provider> make_pid_provider(KernelView& kernel)
{
    return std::make_unique<PidProvider>(kernel);
}

} // namespace dt::probes
