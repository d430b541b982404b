import Configuration
import ConfigurationSettings
import Hummingbird
import SettingsKit

/// A server that reads its configuration with swift-configuration: `shop STORE PORT`.
///
/// A variable of the environment, such as `GENERAL_GREETING`, counts before the store.
@main
struct Shop {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[2]) else { return print("usage: shop STORE PORT") }
        let settings = try await Settings.open(arguments[1])
        let config = ConfigReader(providers: [EnvironmentVariablesProvider(), SettingsProvider(settings)])

        let router = Router()
        router.get("/") { _, _ in
            // Of each request, what counts now.
            config.string(forKey: "general.greeting", default: "Hello") + "\n"
        }
        let server = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))

        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            group.addTask {
                // And what has to be done when it changes.
                try await config.watchInt(forKey: "sound.volume", default: 40) { volumes in
                    for await volume in volumes { server.logger.info("The volume is \(volume) now.") }
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }
}
