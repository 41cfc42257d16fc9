// Compiles D for fixed kernel data (the frozen World), and runs it in the user-space virtual machine. So tests can
// check what a program does without root.
//
//     Firing f = run_d("BEGIN { trace(1 + 1); }");    f.values == {"2"}
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bpf-runtime/embedded.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "engine/vm/virtual_machine.hpp"
#include "test/unit/frozen_world.hpp"

namespace dt::test {

/// Result of a run: its records in order (integers in decimal by their type, strings unchanged), the codes of its
/// faults, or the reason why the program did not run.
struct Firing {
    std::vector<std::string> values;
    std::vector<uint32_t> faults;
    std::string problem;
    std::size_t samples = 0; ///< number of samples, including samples of faults
};

/// A compiled script and the virtual machine that runs it. Tests may fire its probes several times.
class DProgram {
public:
    /// `cast` is the BTF id of bpf_rdonly_cast() (World::readable_cast()). If it is not 0, the program may load from
    /// any address.
    explicit DProgram(const std::string& text, uint32_t cpus = 2, OptionSet options = {}, uint32_t cast = 0,
                      std::unique_ptr<FrozenWorld> world = std::make_unique<FrozenWorld>())
        : world_(std::move(world))
    {
        world_->cast = cast;
        Source source;
        source.kind = Source::Kind::Script;
        source.name = "test.d";
        source.text = text;
        Compiler compiler(*world_, options);
        if (!compiler.add(source, SpecKind::Script, {})) {
            problem_ = compiler.diagnostics().list().front().message;
            return;
        }
        auto object = compiler.finish(embedded_runtime());
        if (!object) {
            problem_ = object.error().message;
            return;
        }
        object_ = std::move(*object);
        auto image = vm::parse(object_.elf);
        if (!image) {
            problem_ = image.error().message;
            return;
        }
        for (bpf_insn& insn : image->code) // replaces calls of bpf_rdonly_cast() by a register move, as the kernel does
            if (insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == BPF_PSEUDO_KFUNC_CALL)
                insn = {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 0, .src_reg = 1, .off = 0, .imm = 0};
        const struct {
            const char* map;
            uint32_t entries;
        } sizes[] = {{DT_MAP_BUFFERS, cpus},
                     {DT_MAP_LOSSES, cpus},
                     {DT_MAP_SCRATCH, cpus * DT_SLOTS},
                     {DT_MAP_ACTIVE_EPOCH, cpus}};
        for (const auto& size : sizes)
            if (vm::MapSpec* map = image->map(size.map))
                map->max_entries = size.entries;
        vm_ = std::make_unique<vm::VirtualMachine>(std::move(*image), cpus);
        const uint32_t active = DT_ACTIVE;
        std::memcpy(vm_->section(DT_SECTION_STATE).data() + offsetof(dt_state, activity), &active, sizeof active);
    }

    /// Runs the program that is attached to `target` ("BEGIN", "sys_enter"), with these words as its context.
    Firing fire(const std::string& target, std::vector<uint64_t> words = std::vector<uint64_t>(12))
    {
        Firing firing;
        firing.problem = problem_;
        if (!problem_.empty())
            return firing;
        for (const ProgramPlan& plan : object_.schema.programs)
            if (plan.plan->targets.front().where == target) {
                std::vector<vm::Sample>& samples = vm_->map(DT_MAP_BUFFERS)->samples;
                samples.clear();
                const auto done =
                    vm_->run(plan.name, {reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8});
                if (!done.ok())
                    firing.problem = done.error().message;
                firing.samples = samples.size();
                for (const vm::Sample& sample : samples)
                    read(sample.bytes, firing);
                return firing;
            }
        firing.problem = "nothing is attached to " + target;
        return firing;
    }

    vm::VirtualMachine& vm() { return *vm_; }
    const Schema& schema() const { return object_.schema; }
    const std::string& problem() const { return problem_; }
    const std::vector<uint8_t>& elf() const { return object_.elf; }

private:
    void read(const std::vector<uint8_t>& bytes, Firing& firing) const
    {
        dt_sample head;
        std::memcpy(&head, bytes.data(), sizeof head);
        const uint8_t* data = bytes.data() + sizeof head;
        if (head.stmt == DT_STMT_FAULT) {
            dt_fault fault;
            std::memcpy(&fault, data, sizeof fault);
            firing.faults.push_back(fault.code);
            return;
        }
        const StatementSchema& statement = object_.schema.statements[head.stmt];
        uint64_t guards = ~uint64_t{0};
        if (statement.guard_offset >= 0)
            std::memcpy(&guards, data + statement.guard_offset, 8);
        for (const Record& record : statement.records)
            if (record.guard < 0 || guards >> record.guard & 1)
                for (const Datum& datum : record.data)
                    firing.values.push_back(text(datum, data + datum.offset));
    }

    std::string text(const Datum& datum, const uint8_t* from) const
    {
        if (datum.kind == Datum::Kind::Text) {
            const auto* chars = reinterpret_cast<const char*>(from);
            return std::string(chars, strnlen(chars, datum.size));
        }
        uint64_t raw = 0;
        std::memcpy(&raw, from, std::min<std::size_t>(datum.size, 8));
        if (datum.kind == Datum::Kind::Name)
            return object_.schema.names.at(raw);
        const unsigned drop = datum.size < 8 ? 64 - datum.size * 8 : 0;
        if (datum.kind == Datum::Kind::Signed)
            return std::to_string(static_cast<int64_t>(raw << drop) >> drop);
        return std::to_string(raw);
    }

    std::unique_ptr<FrozenWorld> world_;
    Object object_;
    std::unique_ptr<vm::VirtualMachine> vm_;
    std::string problem_;
};

/// Compiles a script and runs its BEGIN clauses once.
inline Firing run_d(const std::string& text)
{
    return DProgram(text).fire("BEGIN");
}

} // namespace dt::test
