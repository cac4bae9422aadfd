# Runs a formula as far as that goes without Homebrew: reads it, notes what 'install' would run, and runs its test with
# an installed command. Prints what it has seen as JSON.
#
#   ruby homebrew.rb FORMULA PREFIX

require "json"
require "pathname"

HOMEBREW_PREFIX = "/opt/homebrew"
SEEN = { "scripts" => [], "checks" => 0 }

module OS
  def self.mac? = false
end

module Utils
  def self.safe_popen_read(script)
    SEEN["scripts"] << script
    "--traits Zstd"
  end
end

# The part of Homebrew's class that the formula uses.
class Formula
  class << self
    %i[desc homepage url sha256 license].each { |name| define_method(name) { |value| SEEN[name.to_s] = value } }

    def depends_on(_) = nil
    def uses_from_macos(*) = nil
    def test(&block) = @test = block
    def run_test(formula) = formula.instance_eval(&@test)
  end

  def prefix = Pathname(ARGV[1])
  def bin = prefix/"bin"
  def lib = prefix/"lib"
  def testpath = Pathname.pwd
  def version = SEEN["url"][/-([0-9.]+)\.tar\.gz/, 1]

  def system(program, *)
    SEEN["scripts"] << program if program.start_with?("Scripts/")
  end

  def shell_output(command)
    output = `#{command}`
    raise "#{command}: #{$?}" unless $?.success?

    output
  end

  def assert_equal(expected, actual)
    raise "expected #{expected}, saw #{actual}" unless expected == actual

    SEEN["checks"] += 1
  end

  def assert_match(expected, actual)
    raise "no #{expected} in #{actual}" unless actual.include?(expected)

    SEEN["checks"] += 1
  end
end

load ARGV[0]
formula = Linkaudit.new
formula.install
Linkaudit.run_test(formula)
SEEN["version"] = formula.version
puts JSON.generate(SEEN)
