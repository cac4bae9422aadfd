internal import AccessLogs
internal import ArgumentParser
internal import SystemPackage

extension OutputFile {
  /// A file that is written, and the option that says so.
  struct Place {
    /// The option, such as `--output`.
    let option: String

    /// The option and its value, such as `--output report.html`.
    let argument: String

    /// The path of the file.
    let path: String

    /// Creates the place of a file.
    ///
    /// - Parameters:
    ///   - option: The option.
    ///   - value: Its value: the path of the file, or of its directory.
    ///   - path: The path of the file in that directory.
    init(_ option: String, _ value: String, path: String) {
      (self.option, argument, self.path) = (option, "\(option) \(value)", path)
    }

    /// Creates the place of a file, or returns `nil` for standard output.
    init?(_ option: String, _ path: String?) {
      guard let path, path != "-" else { return nil }
      self.init(option, path, path: path)
    }
  }

  /// Rejects output that would overwrite the input or other output.
  ///
  /// - Parameters:
  ///   - places: The places of all output; `nil` for output that isn't a file.
  ///   - read: The paths of all input except logs.
  ///   - logs: The logs.
  /// - Throws: `ValidationError` if a file would be lost.
  static func check(_ places: [Place?], among read: [String], logs: [LogInput] = []) throws {
    let places = places.compactMap(\.self)
    for (number, place) in places.enumerated() {
      for other in places[(number + 1)...]
      where other.option != place.option && isSamePlace(place.path, other.path) {
        throw ValidationError(
          "'\(place.option)' and '\(other.option)' name the same file, '\(other.path)'.")
      }
    }
    for place in places
    where InputFile.type(at: place.path) == .directory {
      throw ValidationError("'\(place.argument)' is a directory; name a file in it.")
    }
    let targets = places.compactMap { place in
      FileIdentity(ofRegularFile: place.path).map { (identity: $0, argument: place.argument) }
    }
    for place in places {
      guard let store = StoreFiles.store(holding: place.path) else { continue }
      throw ValidationError(
        "'\(place.argument)' is in the store '\(store)'; choose another name.")
    }
    if targets.isEmpty { return }
    if let input = FileIdentity(ofRegularFile: try? Stat(FileDescriptor.standardInput)),
      let target = targets.first(where: { $0.identity == input })
    {
      throw ValidationError(
        "'\(target.argument)' would replace the file on standard input; choose another name.")
    }
    // Asking the system about each log again takes a while, if there are many.
    let inputs =
      read.lazy.map { (path: $0, identity: FileIdentity(ofRegularFile: $0)) }
      + logs.lazy.map { log in
        // Standard input can have the name of the file that comes from a pipe.
        (log.path, log.isStandardInput ? FileIdentity(ofRegularFile: log.path) : log.identity)
      }
    for (path, identity) in inputs {
      guard let identity, let target = targets.first(where: { $0.identity == identity })
      else { continue }
      throw ValidationError(
        "'\(target.argument)' would replace the input '\(path)'; choose another name.")
    }
  }
}
