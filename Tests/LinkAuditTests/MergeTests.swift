import Foundation
import TestSupport
import Testing

/// `linkaudit merge`, and its handling of files that aren't digests.
@Suite struct MergeTests {
  /// A function of the shell that makes a digest.
  private static let digest =
    "digest() { linkaudit digest --no-config --log-format vcombined --host www.example.com \"$@\"; }"

  /// A folder with digests `a`, `b`, `c` of some logs each; an empty log is in two of them.
  static func folder(seed: UInt64 = TestRun.seed) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var log = RandomLog(seed: seed)
    for name in ["1", "2", "3", "4", "5"] {
      let text = (0..<400).map { _ in log.line(host: true) + "\n" }.joined()
      _ = try folder.write(text.utf8, to: "\(name).log")
    }
    _ = try folder.write([], to: "empty.log")
    let outcome = try folder.run(
      """
      \(digest)
      digest 1.log 2.log empty.log -o a && digest 3.log -o b && digest 4.log 5.log empty.log -o c &&
      digest *.log -o all
      """)
    #expect(outcome == Command.Outcome(stdout: "", stderr: "", status: 0))
    return folder
  }

  static func bytes(_ name: String, _ folder: TemporaryFolder) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
  }

  /// Merging is associative and commutative, and a digest that is given twice counts once.
  @Test func mergingObeysItsLaws() throws {
    let folder = try Self.folder()
    let outcome = try folder.run(
      """
      merge() { linkaudit merge "$@" 2>>notes; }
      merge b c -o bc && merge a bc -o a.bc && merge c b -o cb --jobs 1 && merge cb a -o cb.a &&
      merge a c -o ac && merge ac b --temporary-directory . -o ac.b && merge a b c -o abc &&
      cp a copy && merge a copy -o aa && merge a -o one && merge a ac abc -o again &&
      merge b a.bc abc c -o more && printf 'c\\nb\\n' | merge a --files-from - -o listed &&
      mkdir in && cp a b in && cp c in/d && merge in -o in/all && merge a - -o x
      """)
    #expect(outcome.status == 64, "\(outcome)")
    let all = try Self.bytes("all", folder)
    for name in ["a.bc", "cb.a", "ac.b", "abc", "again", "more", "listed", "in/all"] {
      #expect(try Self.bytes(name, folder) == all, "\(name)")
    }
    for name in ["aa", "one"] {
      #expect(try Self.bytes(name, folder) == Self.bytes("a", folder), "\(name)")
    }
    let notes = String(decoding: try Self.bytes("notes", folder), as: UTF8.self)
    #expect(notes.contains("the digest 'a' contains all logs of 'copy'; they count once"))
  }

  @Test(
    arguments: [
      ("report a --since 2026-06-02", 2, "only partly in the selected time, and can't be divided"),
      ("report a --since 2030-01-01", 2, "the digest 'a' has no request in the selected time"),
      ("cat a | report -", 2, "'-' is a digest that does not count"),
      ("gzip -k a && report a.gz 5.log", 2, "'a.gz' is a digest that does not count"),
      ("cp a b.gz && report b.gz >one && report a | cmp - one", 0, ""),
      ("gzip -c 1.log >log && report a log", 2, "the log 'log' is also in the digest 'a'"),
      (
        "linkaudit merge a b -o ab && linkaudit merge b c -o bc && report ab bc", 2,
        "the log '3.log' is in the digests 'ab' and 'bc'"
      ),
      ("cp a copy && report a copy >one && report a | cmp - one", 0, "; they count once"),
      ("report b empty.log", 0, ""),
      (": >night && report a night", 2, "'night' is empty, so it is not a digest"),
      (
        "echo 1 >old && digest 1.log -o old; status=$?; echo 1 | cmp - old && exit $status",
        64, "would replace a file that is not a digest"
      ),
    ])
  func digestsCountOnce(line: String, status: Int32, message: String) throws {
    let folder = try Self.folder(seed: 1)
    let outcome = try folder.run(
      """
      \(Self.digest)
      report() {
        linkaudit report --no-config --log-format vcombined --aasa $SAMPLES/aasa.json \\
          --host www.example.com --format csv --table clients "$@"
      }
      \(line)
      """)
    #expect(outcome.status == status, "\(outcome)")
    #expect(message.isEmpty ? outcome.stderr.isEmpty : outcome.stderr.contains(message))
  }

  /// A damaged digest or another file is named, with a remedy, and nothing is written.
  @Test(
    arguments: [
      ("merge 1.log a", "'1.log' is not a digest; make one from logs with 'linkaudit digest'"),
      ("merge a empty.log", "'empty.log' is empty, so it is not a digest"),
      ("merge a none", "'none' at byte 0: No such file or directory"),
      ("merge .", "is not a digest; make one"),
      (
        "merge earlier a",
        "'earlier' is a digest of version 2, but this linkaudit reads only version 5; make it anew"
      ),
      (
        "merge ab bc",
        "the log '3.log' is in the digests 'ab' and 'bc', and would count twice; leave one"
      ),
      ("merge a b --temporary-directory none -o a", "would replace the input 'a'"),
    ])
  func inputsThatCannotBeMergedAreNamed(arguments: String, complaint: String) throws {
    let folder = try Self.folder(seed: 1)
    var earlier = Array(try Self.bytes("a", folder))
    earlier[16] = 2
    let checksum = Self.checksum(earlier[..<20])
    earlier.replaceSubrange(
      20..<24, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) })
    _ = try folder.write(earlier, to: "earlier")
    let outcome = try folder.run(
      """
      linkaudit merge a b -o ab && linkaudit merge b c -o bc || exit
      linkaudit \(arguments) \(arguments.contains("-o ") ? "" : "-o out"); s=$?; ls; exit $s
      """)
    #expect(outcome.stderr.contains(complaint), "\(outcome.stderr)")
    #expect(outcome.status == (arguments.contains("-o ") ? 64 : 2))
    #expect(!outcome.stdout.contains("out") && !outcome.stdout.contains(".part"))
  }

  /// The CRC-32 of bytes, bit by bit.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1) * 0xEDB8_8320 }
    }
  }
}
