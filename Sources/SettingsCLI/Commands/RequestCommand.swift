import ArgumentParser

/// A command whose arguments make a request. A request that is made without the parser equals the one made here.
protocol RequestCommand: ParsableCommand {
    associatedtype Request: PlainCommand
    var request: Request { get }
}

extension RequestCommand {
    func run() throws { try request.run() }
}
