/// The number of workers and the memory for their tables, within the limits of the system.
///
/// No result depends on either, so both are lowered as far as necessary.
struct MemoryPlan {
  /// The number of workers.
  let jobs: Int

  /// The number of bytes that tables may take.
  let tables: Int

  /// The bytes that a run needs for judging and writing, in addition to workers and tables.
  private static let base = 64 << 20

  /// The bytes that a worker needs in addition to its tables.
  ///
  /// They are for a stack, an arena of the system's `malloc`, a chunk of lines, and a decoder.
  private static let worker = 80 << 20

  /// Tables of less would be written all the time.
  static let leastTables = 1 << 20

  /// The bytes that the smallest run takes.
  static let least = base + worker + 2 * leastTables

  /// Plans a run.
  ///
  /// - Parameters:
  ///   - jobs: The requested number of workers.
  ///   - tables: The number of bytes that tables may take.
  ///   - left: The number of bytes that the process may still allocate, or `nil` if there is no
  ///     limit.
  /// - Throws: ``Complaint`` if not even one worker fits.
  init(jobs: Int, tables: Int, left: Int?) throws(Complaint) {
    guard let left else {
      (self.jobs, self.tables) = (jobs, tables)
      return
    }
    // A table that grows takes up to twice its size.
    func room(_ jobs: Int) -> Int { (left - Self.base - jobs * Self.worker) / 2 }
    var fitting = jobs
    while fitting > 1, room(fitting) < min(tables, 16 << 20) { fitting -= 1 }
    guard room(fitting) >= Self.leastTables else {
      throw ResourceLimits.shortage(of: Self.least, left: left)
    }
    (self.jobs, self.tables) = (fitting, min(tables, room(fitting)))
  }
}
