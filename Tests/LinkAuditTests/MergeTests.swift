import TestSupport
import Testing

/// `linkaudit merge`, and its handling of files that aren't digests.
@Suite struct MergeTests {
  static let digest =
    "digest() { linkaudit digest --no-config --log-format vcombined --host www.example.com \"$@\"; }"

  /// A folder with digests `a`, `b`, `c` of some logs each; an empty log is in two of them.
  static func folder(seed: UInt64 = TestRun.seed) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var log = RandomLog(seed: seed)
    for name in 1...5 { _ = try folder.write(log.text(400, host: true).utf8, to: "\(name).log") }
    _ = try folder.write([], to: "empty.log")
    let outcome = try folder.run(
      """
      \(digest)
      digest 1.log 2.log empty.log -o a && digest 3.log -o b && digest 4.log 5.log empty.log -o c &&
      digest *.log -o all
      """)
    #expect(outcome == Command.Outcome())
    return folder
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
    let all = try folder.bytes(of: "all")
    for name in ["a.bc", "cb.a", "ac.b", "abc", "again", "more", "listed", "in/all"] {
      #expect(try folder.bytes(of: name) == all, "\(name)")
    }
    for name in ["aa", "one"] {
      #expect(try folder.bytes(of: name) == folder.bytes(of: "a"), "\(name)")
    }
    let note = "the digest 'a' contains all logs of 'copy'; they count once"
    #expect(try folder.text(of: "notes").contains(note))
  }

  @Test(arguments: [
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
    let outcome = try Self.folder(seed: 1).run(
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
    arguments: rows(
      """
      merge 1.log a => '1.log' is not a digest; make one from logs with 'linkaudit digest'
      merge a empty.log => 'empty.log' is empty, so it is not a digest
      merge a none => 'none' at byte 0: No such file or directory
      merge . => is not a digest; make one
      merge earlier a
        => 'earlier' is a digest of version 2, but this linkaudit reads only version 7; make it anew
      merge ab bc => the log '3.log' is in the digests 'ab' and 'bc', and would count twice; leave one
      merge a b --temporary-directory none -o a => would replace the input 'a'
      """))
  func inputsThatCannotBeMergedAreNamed(arguments: String, complaint: String) throws {
    let folder = try Self.folder(seed: 1)
    var earlier = try folder.bytes(of: "a")
    earlier[16] = 2
    let checksum = GzipWriter.checksum(earlier[..<20])
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
}

/// The command reports damaged digests with status 2, and leaves no files.
///
/// The library's tests cover damage at any place; these cover a few.
@Suite struct DigestDamageTests {
  @Test(arguments: [
    "digest --describe x.digest", "merge x.digest -o out", "merge other.digest x.digest -o out",
    "digest x.digest --no-config -o out", "digest x.digest --no-config --format ndjson -o out",
    "report x.digest --no-config --aasa $SAMPLES/aasa.json --host www.example.com -o out",
    "diff $SAMPLES/aasa.json $SAMPLES/aasa.json x.digest --no-config --host www.example.com -o out",
  ])
  func damageIsReportedAndLeavesNoFiles(arguments: String) throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    var log = RandomLog()
    for name in ["a", "b"] { _ = try folder.write(log.text(300).utf8, to: name) }
    _ = try folder.run(
      "for log in a b; do linkaudit digest --no-config $log -o $log.digest 2>/dev/null; done; "
        + "mv b.digest other.digest")
    let whole = try folder.bytes(of: "a.digest")
    var damaged: [(what: String, bytes: [UInt8])] = [1, 15, 16, 24, 47].map {
      ("cut at \($0)", Array(whole[..<$0]))
    }
    for _ in 0..<4 {
      let count = Int.random(in: 1..<whole.count, using: &generator)
      damaged.append(("cut at \(count)", Array(whole[..<count])))
      var bytes = whole
      let bit = Int.random(in: 0..<(whole.count * 8), using: &generator)
      bytes[bit / 8] ^= 1 << (bit % 8)
      damaged.append(("bit \(bit)", bytes))
    }
    for (number, damage) in damaged.enumerated() {
      _ = try folder.write(damage.bytes, to: "damaged/\(number)")
    }
    let outcome = try folder.run(
      """
      for number in $(seq 0 \(damaged.count - 1)); do
        cp damaged/$number x.digest
        linkaudit \(arguments) 2>complaint
        echo $number $? $(grep -c "^linkaudit: 'x.digest' " complaint) $(ls)
      done
      """)
    let lines = outcome.stdout.split(separator: "\n")
    #expect(lines.count == damaged.count)
    for (number, line) in lines.enumerated() {
      #expect(
        line == "\(number) 2 1 a a.digest b complaint damaged other.digest x.digest",
        "\(damaged[number].what)")
    }
  }
}
