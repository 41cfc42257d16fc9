/* @tag: D_PRINTF_ARG_PROTO
 * @says: printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding value argument
 * @line: 5
 * conversion without argument */
BEGIN { printf("%d"); }
