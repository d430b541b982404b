import SettingsCLI

@main
enum Main {
    static func main() {
        Program.main(OtherFiles(), pages: Terminal())
    }
}
