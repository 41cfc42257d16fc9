#@ what:    -v prints a warning for each array index that is never inside the array, and for no other index
$DTRACE -vqn 'int arr[7]; int g;
BEGIN { arr[g] = 1; arr[g & 7] = 1; arr[pid % 7] = 1; exit(0); }
BEGIN { trace(arr[(g & 3) + 10]); arr[g % 3 - 5] = 1; arr[(uint8_t)g + 7] = 1; }' 2>&1 | grep -o 'warning.*'
