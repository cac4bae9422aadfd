import Foundation
import TestSupport
import Testing

/// The command reports damaged digests with status 2, and leaves no files.
///
/// The library's tests cover damage at any place; these cover a few.
@Suite struct DigestDamageTests {
  @Test(
    arguments: [
      "digest --describe x.digest", "merge x.digest -o out", "merge other.digest x.digest -o out",
      "digest x.digest --no-config -o out", "digest x.digest --no-config --format ndjson -o out",
      "report x.digest --no-config --aasa $SAMPLES/aasa.json --host www.example.com -o out",
      "diff $SAMPLES/aasa.json $SAMPLES/aasa.json x.digest --no-config --host www.example.com -o out",
    ])
  func damageIsReportedAndLeavesNoFiles(arguments: String) throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    var log = RandomLog()
    for name in ["a", "b"] {
      let lines = (0..<300).map { _ in log.line() + "\n" }
      _ = try folder.write(lines.joined().utf8, to: name)
    }
    _ = try folder.run(
      "for log in a b; do linkaudit digest --no-config $log -o $log.digest 2>/dev/null; done; "
        + "mv b.digest other.digest")
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.digest")))
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
