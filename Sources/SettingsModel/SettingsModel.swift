// SettingsModel
