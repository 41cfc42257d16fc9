# Calls a system call in many kinds of functions, and writes the stack at each place to a file.
use strict;
use warnings;
use utf8;
use Config;
use List::Util qw(first reduce);
my ($out, $is_thread, $ends);
BEGIN {
    require threads if $Config{useithreads};
    open($out, '>:encoding(UTF-8)', $ARGV[0]) or die;
    $out->autoflush(1);
    print STDERR "loaded\n";
    <STDIN>; # until the tracer knows the libraries
}

sub show
{
    my @calls;
    for (my $i = 0; my @call = caller($i); $i++) {
        push @calls, \@call if $call[3] ne '(eval)' || defined $call[6]; # without blocks of eval
    }
    print $out "stack\n";
    for my $i (0 .. $#calls) {
        next if $i == $#calls && (${^GLOBAL_PHASE} ne 'RUN' || $is_thread);
        my $name = $i < $#calls ? $calls[$i + 1][3] : '(main)';
        print $out "$name ($calls[$i][1]:$calls[$i][2])\n";
    }
}

sub leaf
{
    chdir('/'); show();
}

BEGIN {
    leaf();
}

package Shop::Of::Things;
use overload '+' => sub { main::leaf(); 7 }, '""' => \&text;
sub new { return bless {} }
sub sell
{
    my ($self, $left) = @_;
    return $left ? $self->sell($left - 1) : main::leaf();
}
sub text { main::leaf(); return 'shop' }
sub bound
{
    my $value = shift;
    return sub { main::leaf(); return $value };
}
sub FETCH { main::leaf(); return 1 }
sub TIESCALAR { return new() }
sub DESTROY { main::leaf() if $ends }
sub AUTOLOAD { our $AUTOLOAD; main::leaf() }
sub jump { goto &sell }

package main;
leaf();
my $shop = Shop::Of::Things->new;
$shop->sell(20);
$shop->jump(3);
$shop->missing;
sub down { $shop->sell(1); return $a <=> $b }
my @values = sort down 2, 1;
@values = sort { leaf(); $a <=> $b } 2, 1;
@values = sort { down() } 2, 1;
$shop->bound->();
sub { leaf() }->();
my $got = eval { leaf(); 1 };
$got = eval { $shop->sell(2); die "end\n" };
eval "leaf();\n\n\$shop->sell(1);\nsub made { leaf() }\nmade();";
made();
sub nested
{
    my $value = first { eval { leaf() }; 1 } 1, 2;
    $value = reduce { eval { $shop->sell(1); die }; eval 'leaf()'; leaf(); 1 } 1, 2;
    leaf();
    @values = map { eval { leaf() }; 1 } grep { leaf(); 1 } 1, 2;
}
nested();
$got = $shop + 1;
$got = "a $shop";
tie my $tied, 'Shop::Of::Things';
$got = $tied + 1;
'a' =~ /a(?{ leaf() })/;
$got = 'ab';
$got =~ s/(b)/leaf(); $1/e;
{
    local $SIG{__WARN__} = sub { leaf() };
    warn "text\n";
    local $SIG{__DIE__} = sub { $shop->sell(1) };
    eval { die "text\n" };
    local $SIG{ALRM} = sub { leaf() };
    kill ALRM => $$;
    leaf();
}
sub bäume { leaf() }
bäume();
*copied = \&Shop::Of::Things::text;
copied();
{
    no warnings 'once';
    local *given = sub { leaf() };
    given();
}
my sub own { leaf() }
own();
sub constant_size { return leaf() } constant_size();
open(my $file, '>', "$ARGV[0].pl") or die;
print $file "\n\nmain::leaf();\nsub loaded { main::leaf() }\nBEGIN { main::leaf() }\nloaded();\n1;\n";
close $file;
require "$ARGV[0].pl";
do "$ARGV[0].pl";
$ends = 1;
{ my $object = Shop::Of::Things->new }
$ends = 0;
if ($Config{useithreads}) {
    threads->create(sub { $is_thread = 1; leaf(); $shop->sell(3); nested() })->join;
}
leaf();
END { leaf() }
