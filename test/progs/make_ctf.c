// make_ctf FILE: writes an archive of CTF types with the structure of a kernel's archive: a container of types that
// modules share, and one for the core kernel with its variables. There are only a few types. One type differs from the
// type with this name in every kernel. By this type, a test can tell whether the compiler has read this file.
#include "progs.h"

#include <ctf-api.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("make_ctf FILE");
    int error = 0;
    ctf_dict_t *shared = ctf_create(&error);
    const ctf_encoding_t of_int = {CTF_INT_SIGNED, 0, 32}, of_long = {0, 0, 64}, of_char = {CTF_INT_SIGNED | CTF_INT_CHAR, 0, 8};
    ctf_id_t number = ctf_add_integer(shared, CTF_ADD_ROOT, "int", &of_int);
    ctf_id_t word = ctf_add_integer(shared, CTF_ADD_ROOT, "long unsigned int", &of_long);
    ctf_id_t character = ctf_add_integer(shared, CTF_ADD_ROOT, "char", &of_char);
    ctf_id_t invented = ctf_add_struct(shared, CTF_ADD_ROOT, "invented");
    ctf_add_member_offset(shared, invented, "number", number, 0);
    ctf_add_member_offset(shared, invented, "word", word, 64);

    // differs from every real kernel: task_struct has other member offsets there
    ctf_id_t task = ctf_add_struct(shared, CTF_ADD_ROOT, "task_struct");
    ctf_add_member_offset(shared, task, "tgid", number, 0);
    ctf_add_member_offset(shared, task, "real_parent", ctf_add_pointer(shared, CTF_ADD_ROOT, task), 64);

    ctf_dict_t *core = ctf_create(&error);
    ctf_import(core, shared);
    ctf_parent_name_set(core, "shared_ctf");
    const ctf_arinfo_t banner = {character, word, 13};
    ctf_add_variable(core, "jiffies", word);
    ctf_add_variable(core, "linux_banner", ctf_add_array(core, CTF_ADD_ROOT, &banner));

    ctf_dict_t *dicts[] = {shared, core};
    const char *names[] = {"shared_ctf", "vmlinux"};
    if (ctf_arc_write(argv[1], dicts, 2, names, 4096) != 0) {
        fprintf(stderr, "cannot write %s\n", argv[1]);
        return 1;
    }
    return 0;
}
