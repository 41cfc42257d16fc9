// lua_host SCRIPT [THREADS]: opens liblua5.4.so.0, prints "loaded" on standard error, and reads a line. Then it runs a
// Lua program, in each thread in a state of its own, one thread after the other. The program may call these functions:
//   native(f)      calls f
//   elsewhere(f)   calls f in a new coroutine without a protected call
// With "bare" in place of THREADS, the program itself runs without a protected call.
#include "progs.h"

#include <dlfcn.h>
#include <pthread.h>

typedef struct lua_State lua_State;
typedef int function(lua_State *);

static lua_State *(*new_state)(void);
static lua_State *(*new_thread)(lua_State *);
static void (*open_libraries)(lua_State *);
static int (*load)(lua_State *, const char *, const char *);
static void (*call)(lua_State *, int, int, long, void *);
static int (*protected_call)(lua_State *, int, int, int, long, void *);
static void (*push_function)(lua_State *, function *, int);
static void (*push_value)(lua_State *, int);
static void (*move)(lua_State *, lua_State *, int);
static void (*set_global)(lua_State *, const char *);

static const char *script;
static int is_bare;

__attribute__((noinline)) int native(lua_State *state)
{
    push_value(state, 1);
    call(state, 0, 0, 0, NULL);
    return 0;
}

__attribute__((noinline)) int elsewhere(lua_State *state)
{
    lua_State *other = new_thread(state);
    push_value(state, 1);
    move(state, other, 1);
    call(other, 0, 0, 0, NULL);
    return 0;
}

static void *find(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "lua_host: %s is missing\n", name);
        exit(1);
    }
    return found;
}

static void *run(void *unused)
{
    lua_State *state = new_state();
    open_libraries(state);
    push_function(state, native, 0);
    set_global(state, "native");
    push_function(state, elsewhere, 0);
    set_global(state, "elsewhere");
    if (load(state, script, NULL) != 0)
        exit(1);
    if (is_bare)
        call(state, 0, 0, 0, NULL);
    else if (protected_call(state, 0, 0, 0, 0, NULL) != 0)
        exit(1);
    return unused;
}

int main(int argc, char **argv)
{
    int threads = argc > 2 ? atoi(argv[2]) : 0;
    void *library = dlopen("liblua5.4.so.0", RTLD_NOW);
    if (argc < 2)
        return usage("lua_host SCRIPT [THREADS | bare]");
    if (!library) {
        fprintf(stderr, "lua_host: %s\n", dlerror());
        return 1;
    }
    new_state = (lua_State * (*)(void)) find(library, "luaL_newstate");
    new_thread = (lua_State * (*)(lua_State *)) find(library, "lua_newthread");
    open_libraries = (void (*)(lua_State *))find(library, "luaL_openlibs");
    load = (int (*)(lua_State *, const char *, const char *))find(library, "luaL_loadfilex");
    call = (void (*)(lua_State *, int, int, long, void *))find(library, "lua_callk");
    protected_call = (int (*)(lua_State *, int, int, int, long, void *))find(library, "lua_pcallk");
    push_function = (void (*)(lua_State *, function *, int))find(library, "lua_pushcclosure");
    push_value = (void (*)(lua_State *, int))find(library, "lua_pushvalue");
    move = (void (*)(lua_State *, lua_State *, int))find(library, "lua_xmove");
    set_global = (void (*)(lua_State *, const char *))find(library, "lua_setglobal");
    fprintf(stderr, "loaded\n");
    getchar();
    script = argv[1];
    is_bare = argc > 2 && strcmp(argv[2], "bare") == 0;
    run(NULL);
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, run, NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}
