/* @tag: D_PROC_NAME
 * probe name neither entry, return nor an offset */
pid$target:a.out:main:begin { }
