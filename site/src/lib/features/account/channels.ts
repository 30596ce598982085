// The ways in which members are notified, in words.
import type { SiteWords } from '#lib/language/catalogue.ts'
import type { Channel } from '../../../../../src/contract/kinds.ts'

export const channels = ['off', 'site', 'mail', 'daily', 'weekly'] as const satisfies readonly Channel[]

export const channelOptions = (t: SiteWords) =>
  channels.map((value) => ({ value, label: t(`settings.channel.${value}`) }))
