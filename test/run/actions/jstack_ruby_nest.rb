# Calls a system call in many kinds of methods, and writes the stack at each place to a file.
# frozen_string_literal: true
require 'fiber'
require 'set'
$out = File.open(ARGV[0], 'w')
$out.sync = true
$stderr.puts 'loaded'
$stdin.gets # until the tracer knows the library

def show
  places = caller_locations(1)
  lines = ["chdir (#{places[0].path}:#{places[0].lineno})"]
  places.each do |place|
    name = place.label.gsub(/(?:[A-Z]\w*(?:::[A-Z]\w*)*|#<.*>)[#.]/, '') # 3.4 has the class in it
    lines << "#{name} (#{place.path ? "#{place.path}:#{place.lineno}" : 'no file'})" # without a caller in Ruby
  end
  $out.write("stack\n" + lines.join("\n") + "\n")
end

def leaf
  Dir.chdir('/'); show
end

module Things
  leaf
  class Shop
    leaf
    include Comparable
    attr_accessor :left
    def initialize(left = 0)
      @left = left
    end
    def sell(left)
      return leaf if left == 0

      sell(left - 1)
    end
    def <=>(other)
      leaf
      left <=> other.left
    end
    def to_s
      leaf
      'shop'
    end
    def bound
      value = 1
      lambda { leaf; value }
    end
    def each
      yield 1
      leaf
      yield 2
    end
    include Enumerable
    define_method(:made) { |*| leaf }
    def method_missing(name, *)
      name == :missing ? leaf : super
    end
    def respond_to_missing?(*)
      false
    end
    def coerce(other)
      leaf
      [other, 1]
    end
    def self.open
      leaf
    end
    class << self
      leaf
      def close
        leaf
      end
    end
    def bäume
      leaf
    end
    def raises
      yield
      raise ArgumentError
    rescue ArgumentError => error
      leaf
      error.backtrace
    else
      leaf
    ensure
      leaf
      [1].each { leaf }
    end
  end
  class Large < Shop
    def sell(left)
      leaf
      super
    end
    def to_s
      "large #{super}"
    end
  end
end

leaf
shop = Things::Shop.new
shop.sell(20)
Things::Large.new.sell(3)
"#{Things::Large.new} #{shop}"
shop.made
shop.missing
shop.bound.call
shop.bound.()
[shop.bound].map(&:call)
Things::Shop.open
Things::Shop.close
shop.bäume
shop.raises { leaf }
shop.raises { raise ArgumentError }
1 + shop rescue leaf
[Things::Shop.new(2), Things::Shop.new(1)].sort
[2, 1].sort_by { |each| shop.sell(each); each }
[2, 1].each_with_index.map { |each, index| [1].each { leaf }; each + index }
shop.map { |each| shop.sell(each) }
shop.each_slice(2) { |each| leaf }
shop.inject { |one, other| leaf; one + other }
2.times { leaf }
1.upto(2) { leaf }
loop { leaf; break }
1.then { leaf }
'ab'.gsub(/b/) { leaf; 'c' }
Hash.new { |hash, key| leaf; hash[key] = 1 }[2]
catch(:done) { [1].each { leaf; throw :done } }
leaf
shop.send(:sell, 1)
shop.public_send(:made, 1)
shop.method(:sell).call(1)
[1].each(&shop.method(:sell))
[shop].each(&:bäume)
shop.instance_eval { leaf }
shop.instance_exec(1) { |each| sell(each) }
Things::Shop.class_eval { def late() leaf end }
shop.late
shop.define_singleton_method(:own) { leaf }
shop.own
eval("leaf\n\ndef evaluated\n  leaf\nend\nevaluated")
eval('shop.sell(1)', binding, 'given.rb', 77)
evaluated
Class.new { leaf; def named() leaf end }.new.named
begin
  begin
    shop.sell(1)
    raise 'first'
  rescue => error
    leaf
    raise TypeError
  ensure
    leaf
  end
rescue TypeError
  leaf
end
tries = 0
begin
  tries += 1
  leaf
  raise if tries < 3
rescue
  leaf
  retry
end
case [1, [2]]
in [Integer => one, [two]]
  leaf
end
numbers = Enumerator.new { |to| to << 1; leaf; to << 2; shop.sell(1) }
numbers.next
numbers.next
numbers.next rescue leaf
numbers.lazy.map { |each| leaf; each }.first(2)
Fiber.new { leaf; [1].each { Fiber.yield; shop.sell(2) } }.tap(&:resume).resume
kept = nil
keeper = ->(value) { kept = binding; leaf; value }
keeper.call(1)
kept.local_variable_set(:value, 2)
kept.eval('leaf')
trap(:USR1) { leaf }
Process.kill(:USR1, Process.pid)
leaf
Set.new([1]).each { leaf }
# methods with long tables of lines
[3, 20, 100, 700].each do |count|
  eval("def long\n" + "  $value = [1, 2]\n" * count + "  leaf\n" + "  $value = 1\n" * count + "  leaf\n\n  leaf\nend", nil, 'long.rb')
  long
end
File.write("#{ARGV[0]}.rb", "\nleaf\ndef loaded\n  [1].each { leaf }\nend\n\nloaded\n")
require "#{ARGV[0]}.rb"
load "#{ARGV[0]}.rb"
Thread.new { leaf; shop.sell(3) }.join
waits = Thread.new { Thread.stop; leaf }
Thread.pass until waits.stop?
leaf
waits.run
waits.join
GC.start
GC.compact if GC.respond_to?(:compact) && RUBY_VERSION >= '3.1'
shop.sell(2)
at_exit { leaf }
END { shop.sell(1) }
leaf
