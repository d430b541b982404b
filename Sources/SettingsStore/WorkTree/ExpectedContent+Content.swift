import Files
import Git
import SettingsModel

extension ExpectedContent {
    /// A version's file, or none. A file that git checked out for another system differs from it in its line ends alone.
    static func content(_ content: Content?) -> ExpectedContent {
        ExpectedContent { bytes in
            guard let bytes, let content else { return bytes == nil && content == nil }
            return ObjectID.hash(ofBlob: bytes) == content.id || ObjectID.hash(ofBlob: WorkTree.unified(bytes)) == content.id
        }
    }
}
