#@ what:    -32 and -64 select which data-model macros the C preprocessor defines
printf 'BEGIN {\n#ifdef __SUNW_D_32\nprintf("32");\n#endif\n#ifdef __SUNW_D_64\nprintf("64");\n#endif\n#if defined(__i386) || defined(__arm__)\nprintf(" its own");\n#endif\nprintf("\\n"); exit(0); }\n' >"$TMP/m.d"
for model in -32 -64 "-32 -64"; do
    $DTRACE $model -Cqs "$TMP/m.d"
done
