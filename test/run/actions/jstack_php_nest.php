<?php
// Calls a system call in many kinds of functions, and writes the stack at each place to a file.
$out = fopen($argv[1], 'w');

function name_of($frame)
{
    if (!$frame || in_array($frame['function'], ['include', 'eval']))
        return '{main}';
    return (isset($frame['class']) ? strtok($frame['class'], "\0") . '::' : '') . $frame['function'];
}

function show()
{
    $trace = debug_backtrace();
    fwrite($GLOBALS['out'], "stack\n");
    foreach ($trace as $i => $frame) // a frame has the place of its call; without it, an internal function made the call
        if (isset($frame['file']))
            fwrite($GLOBALS['out'], name_of($trace[$i + 1] ?? null) . " ({$frame['file']}:{$frame['line']})\n");
}

function leaf()
{
    chdir('/'); show();
}

class Shop
{
    public function sell($left)
    {
        return $left ? $this->sell($left - 1) : leaf();
    }

    public static function key($a, $b)
    {
        (new Shop)->sell(1);
        return $a <=> $b;
    }

    public function __toString(): string
    {
        leaf();
        return 'shop';
    }

    public function __destruct()
    {
        $GLOBALS['ends'] && leaf();
    }

    public function bound()
    {
        return function () {
            leaf();
        };
    }
}

function numbers()
{
    yield 1;
    leaf();
    yield 2;
    (new Shop)->sell(1);
}

function raises()
{
    try {
        throw new Exception;
    } catch (Exception $error) {
        leaf();
    } finally {
        leaf();
    }
}

$ends = false;
leaf();
(new Shop)->sell(20);
$values = [3, 1, 2];
usort($values, ['Shop', 'key']);
array_map(function ($value) {
    leaf();
}, $values);
array_map('chdir', ['/']); show();
foreach (numbers() as $value)
    (new Shop)->sell($value);
raises();
$text = 'a ' . new Shop;
$ends = true;
new Shop;
$ends = false;
call_user_func((new Shop)->bound());
$object = new class {
    public function call()
    {
        leaf();
    }
};
$object->call();
eval("function made()\n{\n    leaf();\n}\nmade();\nleaf();");
file_put_contents("{$argv[1]}.php", "<?php\n\nleaf();\n");
include "{$argv[1]}.php";
spl_autoload_register(function ($class) {
    leaf();
});
class_exists('Missing');
