internal import ArgumentParser

/// The store that a command is about, which the command line or the configuration names.
struct NamedStoreOptions: ParsableArguments {
  @OptionGroup(title: RequiredOptions.title)
  var storeOptions: StoreOptions

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  /// Completes missing options from the configuration, and checks all of them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  mutating func check() throws {
    storeOptions.apply(try configurationOptions.load())
    try storeOptions.check()
  }
}
