// How long is kept what clean-ups remove. They read it at each run, so a shorter time holds within minutes.
import { about, wholeNumber } from './values.ts'

const days = (min: number, max: number) => wholeNumber(min, max, `a number of days from ${min} to ${max}`)

const kept = { live: 'retention', input: 'number' } as const

export const retentionSettings = {
  KEEP_READ_NOTIFICATIONS_DAYS: days(1, 1_825).register(about, {
    ...kept,
    default: '90',
    description: 'notifications that were read are removed after so many days, from 1 to 1825',
  }),
  KEEP_UNREAD_NOTIFICATIONS_DAYS: days(7, 1_825).register(about, {
    ...kept,
    default: '365',
    description: 'notifications that were not read are removed after so many days, from 7 to 1825',
  }),
  KEEP_DRAFTS_DAYS: days(1, 365).register(about, {
    ...kept,
    default: '30',
    description: 'what a member typed and did not send is removed so many days after it changed, from 1 to 365',
  }),
  KEEP_DELIVERIES_DAYS: days(1, 365).register(about, {
    ...kept,
    default: '30',
    description: 'the log of deliveries to webhooks is removed after so many days, from 1 to 365; what waits stays',
  }),
  KEEP_MAILS_DAYS: days(1, 90).register(about, {
    ...kept,
    default: '7',
    description: 'to whom which mail was sent is removed after so many days, from 1 to 90',
  }),
  KEEP_NETWORKS_DAYS: days(1, 400).register(about, {
    ...kept,
    default: '90',
    description:
      'networks from which an account signed in, as keyed hashes, are removed so many days after the last time, from 1 to 400',
  }),
}
