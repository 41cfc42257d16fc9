// Generates random whole programs: clauses with predicates, variables of every class, strings, aggregations,
// conditions.
//
// Results are not checked: the test is that the kernel accepts every program that the compiler accepts. Divisions may
// fault, which is a valid end of a clause.
#include <iterator>

#include "test/verify/generate.hpp"

namespace dt::verify {

namespace {

// Declarations of every program. The names have known types, so that every statement is well typed by construction.
const char* const declarations = R"(int8_t g0; uint16_t g1; int g2; uint64_t g3; string s0; string s1;
self int t0; self uint64_t t1; self string ts;
this int8_t l0; this uint32_t l1; this int64_t l2; this string ls;
struct inner { char c; short h[3]; };
struct outer { int a; unsigned b : 3; int d : 7; struct inner in; struct inner ins[2]; uint64_t w; char name[12]; };
union both { uint32_t word; uint8_t bytes[4]; };
struct outer o0; struct outer o1; union both u0; int numbers[7];
self struct outer to; this struct outer lo; self uint8_t tnumbers[5];
uint64_t m0[int]; string m1[string, int8_t]; struct outer m2[int, string]; self int m3[string]; int m4[struct inner];
inline int doubled = 2 * 21; inline string greeting = strjoin("hello ", execname);
translator struct inner < struct outer *O > { c = O->a; h = O->in.h; };
)";

// Statement templates: %i is an integer expression, %v an integer variable, %s a text, %t a text variable. They cover
// every kind of memory in D, and reads of the kernel and the process.
const char* const templates[] = {
    "o0.a = %i; o0.in.c = %i; o0.w += o0.a;",
    "o0.b = %i; o0.d = %i; %v = o0.b + o0.d;",
    "o0.in.h[%v & 1] = %i; %v = o0.in.h[1];",
    "o0.ins[%v & 1].c = %i; %v = o0.ins[0].c;",
    "o1 = o0; self->to = o1; this->lo = self->to;",
    "%v = self->to.a; self->to.in.c = %i; this->lo.w = %i; %v = this->lo.w;",
    "%v = o0 == o1; %v = this->lo != self->to;",
    "u0.word = %i; %v = u0.bytes[2]; u0.bytes[%v & 3] = %i;",
    "numbers[%v & 3] = %i; %v = numbers[%v & 7];",
    "self->tnumbers[%v & 3] = %i; %v = self->tnumbers[2];",
    "m0[%i] = %i; %v = m0[%i]; m0[%i]++;",
    "m1[%s, %v] = %s; %t = m1[%s, 3];",
    "m2[%v, %s] = o0; %v = m2[%v, %s].a; m2[1, %s].w = %i;",
    "self->m3[%s] += %i; %v = self->m3[%s]; self->m3[%s] = 0;",
    "m4[o0.in] = %i; %v = m4[o0.ins[1]];",
    "this->sp = (struct outer *)alloca(sizeof (struct outer)); this->sp->a = %i; this->sp->in.h[%v & 1] = %i; o1 = "
    "*this->sp; %v = this->sp->d;",
    "this->cp = (char *)alloca(16); this->cp[%v & 15] = %i; this->cp[7] = 0; %t = stringof(this->cp); bcopy(numbers, "
    "this->cp, 8);",
    "this->ip = numbers; this->ip[%v & 3] = %i; %v = *(this->ip + 2);",
    "%v = (xlate <struct inner *> ((struct outer *)curthread))->c; %v = (xlate <struct inner> ((struct outer "
    "*)%i)).h[1];",
    "%v = doubled; %t = greeting;",
    "%t = strjoin(%s, strjoin(%s, %s)); %v = strlen(%t);",
    "%t = substr(%s, %v, %v); %v = index(%s, %s); %v = rindex(%s, \"e\", %v);",
    "%t = basename(%s); %t = dirname(%s); %t = cleanpath(%s);",
    "this->ls = strtok(%s, \"e/ \"); this->ls = strtok(NULL, \"t\"); %v = this->ls == NULL;",
    "this->ls = strchr(%s, 'e'); %v = this->ls != NULL ? strlen(this->ls) : -1; this->ls = strstr(%s, %s); %v = "
    "this->ls != NULL;",
    "%t = lltostr(%i); %v = strtoll(%s); %t = toupper(%s); %t = tolower(%s);",
    "%v = htonl(%i); %v = ntohs(%i); %v = rand(); %v = progenyof(%v); %v = getmajor(%i);",
    "this->ls = strcasestr(%s, %s); %v = this->ls != NULL; %v = memcmp(numbers, curthread, 9); %v = memcmp(%s, "
    "curthread, %v); %t = memstr(numbers, '.', %v); %t = memstr(curthread, %i, 16);",
    "this->ls = getenv(\"PATH\"); %t = getenv(\"HOME\"); %v = getenv(\"A\") == NULL;",
    "%t = errname(%i); %t = strerror(errno); %t = signame(%v); %t = syscallname(%i);",
    "%t = inet_ntoa((ipaddr_t *)numbers); %t = inet_ntop(AF_INET6, (void *)numbers);",
    "%v = curthread->pid + curthread->mm->map_count; %t = stringof(curthread->comm); %v = "
    "curthread->signal->nr_threads;",
    "%t = stringof(curthread->mm->exe_file->f_path.dentry->d_name.name); %v = "
    "curthread->real_parent->real_parent->tgid;",
    "%v = curpsinfo->pr_pid + curlwpsinfo->pr_pri; %t = curpsinfo->pr_fname; %t = curpsinfo->pr_psargs; %v = "
    "curlwpsinfo->pr_state;",
    "%t = cwd; %t = root; %t = fds[%v & 3].fi_pathname; %v = fds[0].fi_oflags & O_ACCMODE;",
    "%v = uregs[R_PC]; %v = uregs[R_SP] & %i; %v = curcpu->cpu_id; %v = cpu; %v = ppid;",
    "%v = vtimestamp; %v = walltimestamp; %v = stackdepth; %v = ustackdepth; %v = caller; %v = ucaller;",
    "%t = copyinstr(arg1); %v = *(int *)copyin(uregs[R_SP], 4); %v = *(char *)%i;",
    "stack(); ustack(5); trace(%i);",
    "@s0[stack()] = count(); @s1[ustack(3), %v] = sum(%i); @s2[stack(2), %s] = quantize(%i);",
    "@s3[sym(caller), mod(caller)] = count(); @s4[usym(ucaller)] = max(%i);",
    "this->st = stack(); @s5[this->st] = count(); %v = this->st == stack(); ",
    "tracemem(curthread, 32); tracemem(numbers, 20, %i); print(curthread->mm); print((struct inner *)curthread); "
    "print(&curthread->se);",
    "printf(\"%%a %%Y %%c %%p %%5.3d|%%-10s|\", caller, walltimestamp, (char)%i, curthread, %i, %s);",
    "printf(\"%%s\", strftime(\"%%F %%T\", %i)); trace(strftime(\"%%f\", %v)); trace(username(%i)); "
    "@s7[groupname(gid), enumname((enum pid_type)%i)] = "
    "max(%i); @s6[strftime(\"%%H\", %i), %s] = "
    "count();",
    "trace(o0); trace(o0.in); trace(numbers); printf(\"%%s %%s\", o0.name, stringof(curthread->comm));",
    "self->spec = speculation(); @s0[stack()] = count(); clear(@s0); trunc(@s0, 3); normalize(@s0, 3);",
    "%v = %s < %s; %v = %t >= %s; %v = %t == NULL; %t = NULL; %t = %v ? %s : NULL;",
    "%v = mutex_owned(&curthread->signal->cred_guard_mutex); %v = mutex_type_spin(NULL);",
    "@q0 = llquantize(%i, 10, 0, 6, 20); @q1[%s] = llquantize(%i, 10, 0, 6, 20, %i);",
    "@h0 = hquantize(%i, 5); @h1[%s] = hquantize(%i, 3, %i);",
};

const char* const integers[] = {"g0", "g1", "g2", "g3", "self->t0", "self->t1", "this->l0", "this->l1", "this->l2"};
const char* const strings[] = {"s0", "s1", "this->ls"};
const char* const builtins[] = {"pid", "tid", "uid", "arg0", "arg1", "timestamp", "id", "errno"};
const char* const string_values[] = {
    "execname", "probename", "probefunc", "\"\"", "\"literal\"", "\"another, longer literal\"", "s0", "s1"};
const char* const operators[] = {"+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", "==", ">=", "&&", "||", "^^"};
const char* const assignments[] = {"=", "+=", "-=", "*=", "|=", "&=", "^="};

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    std::string program()
    {
        std::string text = declarations;
        text += "BEGIN { g2 = 3; g3 = 7; s0 = \"start\"; }\n";
        for (unsigned i = 0, count = 1 + random_.below(6); i < count; i++)
            text += clause();
        return text + "tick-10ms { exit(0); }\n";
    }

private:
    template <typename Array> std::string pick(const Array& from) { return from[random_.below(std::size(from))]; }

    std::string integer(unsigned depth)
    {
        if (depth == 0 || random_.one_in(4)) {
            unsigned kind = random_.below(5);
            if (kind == 0)
                return pick(builtins);
            if (kind == 1)
                return std::to_string(static_cast<int>(random_.below(100000)) - 50000);
            return pick(integers);
        }
        switch (random_.below(10)) {
        case 0:
            return "(" + integer(depth - 1) + " ? " + integer(depth - 1) + " : " + integer(depth - 1) + ")";
        case 1:
            return "(" + string_value() + (random_.one_in(2) ? " == " : " < ") + string_value() + ")";
        case 2:
            return std::string("(") + types[random_.below(8)].name + ")" + integer(depth - 1);
        case 3:
            return (random_.one_in(2) ? "~" : "!") + pick(integers);
        default: {
            auto op = pick(operators);
            if (op == "<<" || op == ">>")
                return "(" + integer(depth - 1) + " " + op + " " + std::to_string(random_.below(64)) + ")";
            if (op == "/" || op == "%") // a divisor that is a constant zero is an error, so the divisor is a variable
                return "(" + integer(depth - 1) + " " + op + " " + pick(integers) + ")";
            return "(" + integer(depth - 1) + " " + op + " " + integer(depth - 1) + ")";
        }
        }
    }

    std::string string_value()
    {
        if (random_.one_in(8))
            return "(" + pick(integers) + " ? " + pick(string_values) + " : " + pick(string_values) + ")";
        return pick(string_values);
    }

    std::string aggregation()
    {
        auto name = std::to_string(random_.below(2));
        switch (random_.below(7)) {
        case 0:
            return "@count" + name + "[" + pick(builtins) + "] = count();";
        case 1:
            return "@sum" + name + " = sum(" + integer(2) + ");";
        case 2:
            return "@avg" + name + "[execname] = avg(" + integer(2) + ");";
        case 3:
            return "@quantize" + name + "[probefunc, (int)" + pick(integers) + "] = quantize(" + integer(2) + ");";
        case 4:
            return "@lquantize" + name + " = lquantize(" + integer(2) + ", 0, 100, 10);";
        case 5:
            return "@stddev" + name + "[" + string_value() + "] = stddev(" + integer(1) + ");";
        default:
            return random_.one_in(2) ? "@min" + name + "[(int)id] = min(" + integer(2) + ");"
                                     : "@max" + name + " = max(" + integer(2) + ");";
        }
    }

    std::string record()
    {
        switch (random_.below(4)) {
        case 0:
            return "trace(" + integer(2) + ");";
        case 1:
            return "trace(" + string_value() + ");";
        case 2:
            return "printf(\"%d %x %s\\n\", " + integer(2) + ", " + integer(1) + ", " + string_value() + ");";
        default:
            return "printf(\"%s %d\\n\", " + string_value() + ", (char)" + pick(integers) + ");";
        }
    }

    std::string from_template()
    {
        const std::string text = pick(templates);
        std::string made;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '%' || i + 1 == text.size()) {
                made += text[i];
                continue;
            }
            switch (text[++i]) {
            case 'i':
                made += integer(1);
                break;
            case 'v':
                made += pick(integers);
                break;
            case 's':
                made += string_value();
                break;
            case 't':
                made += pick(strings);
                break;
            default:
                made += text[i];
                break; // "%%" stands for a percent sign of printf
            }
        }
        return made;
    }

    std::string statement(unsigned depth)
    {
        if (random_.one_in(3))
            return from_template();
        switch (random_.below(depth > 0 ? 7 : 6)) {
        case 0:
        case 1:
            return pick(integers) + " " + pick(assignments) + " " + integer(3) + ";";
        case 2:
            return pick(strings) + " = " + string_value() + ";";
        case 3:
            return aggregation();
        case 4:
            return record();
        case 5:
            return pick(integers) + (random_.one_in(2) ? "++;" : "--;");
        default:
            return "if (" + integer(2) + ") { " + statement(depth - 1) + " }" +
                   (random_.one_in(2) ? " else { " + statement(depth - 1) + " }" : "");
        }
    }

    std::string clause()
    {
        static const char* const probes[] = {"BEGIN",
                                             "syscall::getppid:entry",
                                             "syscall::getppid:return",
                                             "syscall:::entry",
                                             "tick-2ms",
                                             "profile-997",
                                             "BEGIN, END",
                                             "syscall::getppid:"};
        auto probe = pick(probes);
        std::string predicate;
        if (probe.find("syscall") == 0 || probe == "profile-997")
            predicate = " /pid == $target" + (random_.one_in(2) ? " && " + integer(2) : std::string()) + "/";
        else if (random_.one_in(2))
            predicate = " /" + integer(2) + "/";
        std::string text = probe + predicate + "\n{\n";
        for (unsigned i = 0, count = 1 + random_.below(6); i < count; i++)
            text += "    " + statement(2) + "\n";
        return text + "}\n";
    }

    Random random_;
};

} // namespace

std::string any_program(std::uint64_t seed)
{
    return Generator(seed).program();
}

} // namespace dt::verify
