/// Why nothing could be done, in a sentence that names the file and the remedy.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
