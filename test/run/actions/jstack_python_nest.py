# Makes a system call in many kinds of functions, and writes the Python stack of each call to a file.
import ctypes, os, sys, threading

out = open(sys.argv[1], 'w')

def leaf():
    os.getsid(0); show(sys._getframe())

def show(frame):
    print('stack', file=out)
    while frame:
        name = getattr(frame.f_code, 'co_qualname', frame.f_code.co_name)  # from 3.11 on
        print(f'{name} ({frame.f_code.co_filename}:{frame.f_lineno})', file=out)
        frame = frame.f_back

class Shop:
    def sell(self, left):
        return self.sell(left - 1) if left else leaf()

    @staticmethod
    def key(value):
        Shop().sell(value)
        return value

def numbers():
    yield 1
    Shop().sell(1)
    yield 2

def raises():
    try:
        raise ValueError
    except ValueError:
        leaf()
    finally:
        leaf()

class Ends:
    def __del__(self):
        leaf()

def größe():
    (lambda: leaf())()

def dynamic(name):
    code = {}
    exec(f'def {name}():\n    leaf()\n', globals(), code)
    code[name]()

leaf()
Shop().sell(20)
sorted([3, 1, 2], key=Shop.key)
[Shop().sell(n) for n in numbers()]
raises()
Ends()
größe()
for n in range(20):
    dynamic(f'made_{n}')
ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda n: [Shop().sell(n), 0][1])(2)
for n in range(3):
    thread = threading.Thread(target=Shop().sell, args=(n,))
    thread.start()
    thread.join()
