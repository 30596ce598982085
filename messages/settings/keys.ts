// The messages of the area settings, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface SettingsMessages {
}
