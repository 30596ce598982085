// What members are notified of, and the ways in which they can be.
export const notificationKinds = [
  'mention',
  'reply',
  'comment',
  'status',
  'version',
  'release',
  'posted',
  'invitation',
  'approval',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** A decision of moderators: always shown, and mailed. It has no setting. */
export const NOTICE = 'notice'
export const allNotificationKinds = [...notificationKinds, NOTICE] as const
export type AnyNotificationKind = (typeof allNotificationKinds)[number]

/** `site` is the inbox alone; the mails come beside it, at once or in a digest. */
export const channels = ['off', 'site', 'mail', 'daily', 'weekly'] as const
export type Channel = (typeof channels)[number]
