internal import AccessLogs
internal import ArgumentParser
internal import SystemPackage

extension OutputFile {
  /// A place that is written to, and the option that says so.
  struct Place {
    var path: String
    var option: String
  }

  /// Rejects output that would overwrite the input or other output.
  ///
  /// - Parameters:
  ///   - places: The places of the report; none for standard output.
  ///   - rejects: The file for rejected lines, if they are kept.
  ///   - read: The paths of all input except logs.
  ///   - logs: The logs.
  /// - Throws: `ValidationError` if a file would be lost.
  static func check(
    _ places: [Place], rejects: String?, among read: [String], logs: [LogInput] = []
  ) throws {
    var places = places
    if let rejects {
      if let place = places.first(where: { isSamePlace(rejects, $0.path) }) {
        let option = place.option.prefix { $0 != " " }
        throw ValidationError("'--rejects' and '\(option)' name the same file, '\(place.path)'.")
      }
      places.append(Place(path: rejects, option: "--rejects \(rejects)"))
    }
    for place in places
    where (try? Stat(FilePath(place.path), followTargetSymlink: true))?.type == .directory {
      throw ValidationError("'\(place.option)' is a directory; name a file in it.")
    }
    let targets = places.compactMap { place in
      FileIdentity(ofRegularFile: place.path).map { (identity: $0, option: place.option) }
    }
    for place in places {
      guard let store = StoreFiles.store(holding: place.path) else { continue }
      throw ValidationError(
        "'\(place.option)' is in the store '\(store)'; choose another name.")
    }
    if targets.isEmpty { return }
    if let input = FileIdentity(ofRegularFile: try? Stat(FileDescriptor.standardInput)),
      let target = targets.first(where: { $0.identity == input })
    {
      throw ValidationError(
        "'\(target.option)' would replace the file on standard input; choose another name.")
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
        "'\(target.option)' would replace the input '\(path)'; choose another name.")
    }
  }
}
