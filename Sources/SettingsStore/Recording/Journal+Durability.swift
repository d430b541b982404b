package import Files
import Git
import SettingsModel

package typealias Durability = Files.Durability

extension Journal {
    /// How versions are made to outlast a loss of power, and whose word that is.
    struct Safety {
        var durability: Durability
        var source: StoreHealth.DurabilitySource
    }

    /// `fast` stands for the fastest that is safe here: strict where the file systems aren't known to keep the order of
    /// what is written to them.
    var safety: Safety {
        var said: Durability?
        do throws(Problem) { said = try versions.folder.definition().durability.flatMap(Durability.init) } catch {
            // It may have asked for more than is usual.
            if error.kind == .cannotWrite { said = .strict }
        }
        let (wanted, source): (Durability, StoreHealth.DurabilitySource) =
            if let wantedDurability { (wantedDurability, .command) } else if let said { (said, .store) } else {
                (.fast, .default)
            }
        guard wanted == .fast else { return Safety(durability: wanted, source: source) }
        let common = versions.repository.git.commonDirectory
        // Without knowing that the system was started anew, files can't be left to it.
        guard PendingNote.boot != nil else { return Safety(durability: .strict, source: source) }
        let places = [
            versions.folder.path, versions.repository.git.workDirectory ?? versions.folder.path,
            versions.repository.git.gitDirectory,
            common, common + "/objects",
            common + "/refs",
        ]
        return Safety(durability: .safe(in: places), source: source)
    }

    /// As `safety` said when it was first asked.
    var durability: Durability {
        if let knownDurability { return knownDurability }
        let durability = safety.durability
        knownDurability = durability
        return durability
    }
}
