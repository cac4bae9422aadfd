// Unsafe code: libFuzzer is C++ and lends the bytes of an input for one call.

import Foundation

/// libFuzzer's main function, which calls `body` with one input after another.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `linkaudit-fuzz --list` lists the targets, `--prepare TARGET FOLDER` writes a folder of
/// seeds and a dictionary, and `TARGET [libFuzzer's arguments]` runs one.
@main enum Driver {
  /// The environment variable that keeps the target's name when libFuzzer starts this program
  /// again.
  ///
  /// It does so to minimize an input, or to run several processes at a time.
  private static let variable = "LINKAUDIT_FUZZ_TARGET"

  private static let target = FuzzTarget.named(ProcessInfo.processInfo.environment[variable] ?? "")

  static func main() throws {
    let arguments = CommandLine.arguments
    let first = arguments.count > 1 ? arguments[1] : ""
    if first == "--list" {
      for target in FuzzTarget.all { print(target) }
      return
    }
    if first == "--prepare", arguments.count == 4 { return try prepare(arguments[2], arguments[3]) }
    var count = CommandLine.argc
    var remaining = unsafe CommandLine.unsafeArgv
    if FuzzTarget.named(first) != nil {
      unsafe setenv(variable, first, 1)
      // The name of the program replaces that of the target.
      unsafe remaining[1] = remaining[0]
      unsafe remaining += 1
      count -= 1
    }
    guard target != nil else {
      FileHandle.standardError.write(Data("linkaudit-fuzz: name a target: --list\n".utf8))
      exit(64)
    }
    exit(unsafe runFuzzer(&count, &remaining, { bytes, size in unsafe Driver.run(bytes, size) }))
  }

  private static func run(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
    do {
      try target?.run(input)
    } catch {
      FileHandle.standardError.write(Data("linkaudit-fuzz: \(error)\n".utf8))
      fatalError("\(error)")
    }
    return 0
  }

  private static func prepare(_ name: String, _ folder: String) throws {
    guard let target = FuzzTarget.named(name) else { throw FuzzFailure(description: name) }
    let corpus = URL(fileURLWithPath: folder).appendingPathComponent("seeds")
    try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
    for (number, seed) in try target.seeds(.own).enumerated() {
      try Data(seed).write(to: corpus.appendingPathComponent("seed-\(number)"))
    }
    let words = target.words.map { word in
      "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    }
    let dictionary = words.joined(separator: "\n") + "\n"
    try Data(dictionary.utf8).write(
      to: URL(fileURLWithPath: folder).appendingPathComponent("dictionary"))
  }
}
