# A formula for Homebrew. 'make release' with RELEASE_URL writes a copy with the address and the hash of the sources.
class Linkaudit < Formula
  desc "Audit of Universal Links against access logs"
  homepage "https://www.example.com/linkaudit"
  url "https://www.example.com/linkaudit/linkaudit-0.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  # Swift 6.2.
  depends_on xcode: ["26.0", :build]
  depends_on "isa-l"
  depends_on "libyaml"
  depends_on macos: :tahoe
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "swift" => :build
  uses_from_macos "bzip2"
  uses_from_macos "curl"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # Homebrew builds in a sandbox, and there can be no other one in it.
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--force-resolved-versions",
           "--product", "linkaudit", *Utils.safe_popen_read("Scripts/traits.sh").split,
           "-Xcc", "-I#{HOMEBREW_PREFIX}/include", "-Xlinker", "-L#{HOMEBREW_PREFIX}/lib"
    system "Scripts/install.sh", "install", ".build/release/linkaudit", "--prefix", prefix
    # launchd runs jobs on macOS.
    rm_r [lib/"systemd", lib/"sysusers.d"] if OS.mac?
  end

  test do
    (testpath/"aasa.json").write <<~JSON
      {"applinks": {"details": [
        {"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{"/": "/buy/*"}]}
      ]}}
    JSON
    (testpath/"access.log").write <<~LOG
      192.0.2.1 - - [10/Jun/2026:10:00:00 +0000] "GET /buy/1 HTTP/1.1" 200 512 "-" "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
    LOG
    report = shell_output("#{bin}/linkaudit report access.log --aasa aasa.json --host www.example.com --format json")
    assert_equal 1, JSON.parse(report)["sites"][0]["verdicts"]["claimed"]["visits"]
    assert_match version.to_s, shell_output("#{bin}/linkaudit --version")
  end
end
