// Lowers requests. A request is an element of a hash, by its key. Separate task storage holds the request that a thread
// works for, so marks have no additional cost. Keys are 64-bit numbers; for a text it is its digest, and the script
// keeps the text for printing.
#include "dcompiler/lower/requests.hpp"

#include <cstddef>

#include "dcompiler/lower/account.hpp"
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr int64_t kMakeWorking = 1; // BPF_LOCAL_STORAGE_GET_F_CREATE

uint32_t request_map(ModuleLowering& module)
{
    return module.maps.bounded(DT_MAP_REQUESTS, 8, sizeof(dt_request));
}

Value working_of(ModuleLowering& module, ir::Builder& b, Value task, int64_t flags)
{
    const uint32_t map = module.maps.add({DT_MAP_WORKING, kMapTaskStorage, 4, sizeof(dt_working), 0, kNoPrealloc});
    return b.call_helper(kTaskStorageGet, {b.map_ref(map), task, b.constant(0), b.constant(flags)}, Mem::MapOrNull,
                         sizeof(dt_working));
}

Value working_of_thread(ClauseLowering& l, int64_t flags)
{
    const Value task = l.cached("task_btf", [&] { return l.b().call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    return working_of(l.module(), l.b(), task, flags);
}

Value key_of_request(ClauseLowering& l, const TExpr& e)
{
    if (!e.type->is_string())
        return l.expressions.value(e);
    const uint32_t size = align_up(l.values.text_size(e.type), 8);
    const Value text = l.scratch_temporary(size);
    l.expressions.key_into(e, e.type, text, 0, size);
    return l.b().call_runtime("dt_digest", {text, l.b().constant(size / 8)});
}

/// Continues if `value` is not 0. Otherwise it counts a loss and control goes to `without`.
Value or_lost(ClauseLowering& l, Value value, ir::BlockId without)
{
    auto& b = l.b();
    const ir::BlockId have = b.block(), none = b.block();
    b.branch(Op::Ne, value, b.constant(0), have, none);
    b.enter(none);
    l.lose(Loss::Dynamic);
    b.jump(without);
    b.enter(have);
    return value;
}

/// Calls a runtime function for the request of the current thread, if the thread has worked for one. If `key` is kNone,
/// the function applies to any request.
void tell_request(ClauseLowering& l, const Span& at, std::string_view who, const char* function, Value key)
{
    auto& b = l.b();
    const Value now = lower_timestamp(l, {}).value;
    const Value found = own_account(l, at, who), working = working_of_thread(l, 0);
    const Value requests = b.map_ref(request_map(l.module()));
    b.if_then(Op::Ne, found, b.constant(0), [&] {
        const Value account = b.not_null(found);
        b.if_then(Op::Ne, working, b.constant(0), [&] {
            l.arm([&] {
                tell_own_steal(l, account);
                std::vector<Value> given{account, b.not_null(working), requests, now};
                if (key != kNone)
                    given.insert(given.end() - 1, key);
                b.call_runtime(function, std::move(given));
            });
        });
    });
}

Value found_request(ClauseLowering& l, Value key)
{
    auto& b = l.b();
    const Value place = l.stack_temporary(8);
    b.store(8, place, 0, key);
    return b.call_helper(kMapLookup, {b.map_ref(request_map(l.module())), place}, Mem::MapOrNull, sizeof(dt_request));
}

void begin_request(ClauseLowering& l, const Span& at, std::string_view who, Value key)
{
    auto& b = l.b();
    const uint32_t map = request_map(l.module());
    const ir::BlockId done = b.block();
    const auto [account, now, call] = begun_account(l, at, who, done);
    l.arm([&, account = account, now = now, call = call] { // clang 14 cannot capture structured bindings
        const Value working = b.not_null(or_lost(l, working_of_thread(l, kMakeWorking), done));
        if (!l.module().maps.has_room(map))
            return l.lose(Loss::Dynamic);
        b.call_runtime("dt_account_begin", {account, now, call});
        const Value failed = b.call_runtime("dt_request_begin", {account, working, b.map_ref(map), key, now});
        or_lost(l, b.binary(Op::Eq, failed, b.constant(0)), done);
    });
    b.jump(done);
    b.enter(done);
}

} // namespace

void lower_request_begin(ClauseLowering& l, const TStmt& s)
{
    begin_request(l, s.at, "request_begin( )", key_of_request(l, *s.args[0]));
}

/// Lowers the statement that -x request adds at the beginning of each clause.
void lower_request_is(ClauseLowering& l, const TStmt& s)
{
    constexpr std::string_view kWho = "-x request";
    auto& b = l.b();
    const Value key = key_of_request(l, *s.args[0]);
    lower_timestamp(l, {}); // cached before the branch, because both arms use it
    const Value none = b.constant(s.args[0]->type->is_string() ? DT_DIGEST_OF_NOTHING : 0);
    b.if_else(
        Op::Eq, key, none, [&] { l.arm([&] { tell_request(l, s.at, kWho, "dt_request_leave", kNone); }); },
        [&] { l.arm([&] { begin_request(l, s.at, kWho, key); }); });
}

void lower_request_end(ClauseLowering& l, const TStmt& s)
{
    tell_request(l, s.at, "request_end( )", "dt_request_end", key_of_request(l, *s.args[0]));
}

void lower_request_done(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    const Value key = key_of_request(l, *s.args[0]);
    tell_request(l, s.at, "request_done( )", "dt_request_end", key);
    const Value place = l.stack_temporary(8);
    b.store(8, place, 0, key);
    b.call_helper(kMapDelete, {b.map_ref(request_map(l.module())), place});
}

Operand lower_request(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value found = found_request(l, key_of_request(l, *e.kids[0]));
    const auto since = [&] { return b.load(8, b.not_null(found), offsetof(dt_request, since)); };
    return number(b.select(Op::Ne, found, b.constant(0), since, [&] { return b.constant(0); }));
}

bool is_request(const TExpr& e)
{
    return e.op == TOp::Call && e.subroutine->has(kOfRequest);
}

Value asked_request(ClauseLowering& l, const TExpr& e)
{
    const Value key = key_of_request(l, *e.kids[0]);
    tell_request(l, e.at, "breakdown( )", "dt_request_tell", key);
    const Value found = found_request(l, key);
    l.fault_if(Op::Eq, found, l.b().constant(0), kFaultIllegalOperation, key);
    return l.b().not_null(found);
}

void add_request_parts(ClauseLowering& l, Value request, Value words, Value times)
{
    l.b().call_runtime("dt_request_parts", {request, lower_timestamp(l, {}).value, words, times});
}

void end_work(ModuleLowering& module, ir::Builder& b, Value account, Value now)
{
    const Value task = b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf);
    const Value working = working_of(module, b, task, 0);
    b.if_then(Op::Ne, working, b.constant(0), [&] {
        b.call_runtime("dt_request_leave", {account, b.not_null(working), b.map_ref(request_map(module)), now});
    });
}

} // namespace dt::lower
