// SettingsText
