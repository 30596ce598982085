// What a line of the inbox says: who did what, what changed, and of which thing.
import type { Answer } from '#lib/api.ts'
import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'
import { operationWords } from '../../../../../src/language/operation-words.ts'

export type Line = Answer<'notifications.list'>['items'][number]

export const didWords = (t: SiteWords, { type, merged, unmergedFrom, invitation, change, report }: Line) =>
  report
    ? t(`notifications.reported.${report.state}`)
    : merged
      ? t('notifications.did.merged')
      : unmergedFrom
        ? t('notifications.did.unmerged')
        : invitation
          ? t(`notifications.invited.${invitation.state}.${invitation.role}`)
          : t(`notifications.did.${change ?? type}`)

const stateWord = (t: SiteWords, name: string) => wordOf(t, `kinds.state.${name}`) ?? name

export const factWords = (t: SiteWords, { status, version, merged, unmergedFrom, successor }: Line) =>
  merged
    ? t('notifications.fact.merged', merged)
    : unmergedFrom
      ? t('notifications.fact.unmerged', unmergedFrom)
      : status && status.from !== status.to
        ? t('notifications.fact.status', { from: stateWord(t, status.from), to: stateWord(t, status.to) })
        : version
          ? t('community.release.version', { version })
          : successor
            ? t('notifications.fact.successor', { successor })
            : undefined

export const titleWords = (t: SiteWords, { target, operation, report }: Line) =>
  (report && t('notifications.yourReport', { type: report.type })) ||
  operationWords(t, { operation, summary: target.title }) ||
  t('moderation.yourThing', { type: target.type })
