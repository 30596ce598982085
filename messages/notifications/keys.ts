// The messages of the area notifications, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface NotificationsMessages {
}
