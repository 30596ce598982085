// The ways in which members are notified, in words.
import type { Channel, NotificationKind } from '../../../../../src/contract/notification-kinds.ts'

export const channelOptions: readonly { value: Channel; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'site', label: 'On the site' },
  { value: 'mail', label: 'On the site and by mail at once' },
  { value: 'daily', label: 'On the site and in a daily digest' },
  { value: 'weekly', label: 'On the site and in a weekly digest' },
]

export const kindLabels: Readonly<Record<NotificationKind, string>> = {
  mention: 'Mentions of your username',
  reply: 'Replies to your comments',
  comment: 'Comments on what you follow',
  status: 'Changes of status',
  version: 'New versions of library items',
  release: 'Releases of what you follow or voted for',
  posted: 'New things by members you follow',
  invitation: 'Invitations to library items and to teams',
  approval: 'Agents that ask for your yes',
}
