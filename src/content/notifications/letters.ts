// Texts of the mails about notifications, and the address that ends them without signing in.
import { type AnyNotificationKind, NOTICE, type NotificationKind, noticed } from '../../contract/kinds.ts'
import type { ActHead } from '../../contract/pending.ts'
import type { Db } from '../../database/schema.ts'
import { shownText } from '../../formats/visible.ts'
import { operationWords } from '../../language/operation-words.ts'
import { inQuotes, type Letter, letter, type MailWords, quotedLines } from '../../mail/words.ts'
import { keyedHash, type SecretFor, sameHash } from '../../runtime/hash.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { InvitationDetail, JudgedDetail, Notice } from './events.ts'

/** Mails that come at once, and digests. */
export const mailings = ['mail', 'daily', 'weekly'] as const
export type MailFrequency = (typeof mailings)[number]

/** What writes of agents that wait say and are about, by the ids of an account's. */
export type HeadsOf = (db: Db, of: { userId: string; ids: readonly string[] }) => Promise<ReadonlyMap<string, ActHead>>

export interface LetterEntry {
  kind: AnyNotificationKind
  number: number | null
  title: string
  url: string
  excerpt: string
  detail: string | null
  actorUsername: string | null
  /** Of an approval, where the write is still there. */
  act?: ActHead | undefined
}

/** What only some kinds have. */
export interface Detail {
  status?: { from: string; to: string }
  version?: string
  merged?: { number: number; title: string }
  unmerged?: { number: number; title: string }
  /** Of a library item, a comment that is the answer, what is assigned to the account, or a suggestion of it. */
  change?: 'yanked' | 'deprecated' | 'solved' | 'assigned' | 'suggestion_accepted' | 'suggestion_refused'
  successor?: string | null
  notice?: Notice
  invitation?: InvitationDetail
  report?: JudgedDetail
  /** The name of the agent that asks. */
  agent?: string
  /** What it wants to make: `bugs.create`. */
  operation?: string
  /** Where the site shows the release. */
  release?: { id: string; url: string }
}

/** What a decision means for those who reported. */
export const outcomeOf = (report: Pick<JudgedDetail, 'action'> | undefined): 'acted' | 'dismissed' =>
  report && noticed.has(report.action) ? 'acted' : 'dismissed'

const detailOf = ({ detail }: LetterEntry) => parseJson<Detail>(detail ?? '{}')

const nameOf = (t: MailWords, name: string) => t('mails.told.thing', { title: inQuotes(name) })

const thingOf = (t: MailWords, { title, number }: LetterEntry) =>
  number === null ? nameOf(t, title) : t('mails.told.numbered', { title: inQuotes(title), number })

/** What happened, as a key of the catalogue. */
function happenedTo(told: LetterEntry, kind: Exclude<NotificationKind, 'approval' | 'report'>) {
  const { merged, unmerged, change, invitation } = detailOf(told)
  if (change) return `mails.told.${change}` as const
  if (invitation) return `mails.told.invited.${invitation.state}.${invitation.role}` as const
  if (merged) return 'mails.told.merged'
  return unmerged ? 'mails.told.unmerged' : (`mails.told.${kind}` as const)
}

/** What happened, in one sentence. */
export function sentenceOf(t: MailWords, told: LetterEntry): string {
  const { kind, title } = told
  if (kind === NOTICE) return t('mails.told.notice', { title: nameOf(t, title) })
  if (kind === 'approval') {
    const { agent, operation } = detailOf(told)
    const asking = agent === undefined ? t('mails.told.agent') : nameOf(t, agent)
    return t('mails.told.approval', { agent: asking, title: operationWords(t, { operation, summary: title }) })
  }
  if (kind === 'report') return t(`mails.told.report.${outcomeOf(detailOf(told).report)}`)
  const by = told.actorUsername ?? t('mails.told.member')
  return t(happenedTo(told, kind), { by, thing: thingOf(t, told) })
}

function entryOf(t: MailWords, told: LetterEntry, baseUrl: string): string {
  const { status, version, merged, unmerged, release, successor } = detailOf(told)
  const facts = [
    ...(status && status.from !== status.to ? [t('mails.fact.status', status)] : []),
    ...(version ? [t('mails.fact.version', { version })] : []),
    ...(successor ? [t('mails.fact.successor', { successor })] : []),
    ...(merged ? [t('mails.fact.merged', { ...merged, title: inQuotes(merged.title) })] : []),
    ...(unmerged ? [t('mails.fact.unmerged', { ...unmerged, title: inQuotes(unmerged.title) })] : []),
    ...(release ? [t('mails.fact.release', { url: baseUrl + release.url })] : []),
  ]
  const asked = told.act ? askedIn(t, told.act, baseUrl) : []
  const excerpt = told.act?.excerpt ?? told.excerpt
  const quoted = excerpt === '' ? [] : [quotedLines(excerpt)]
  return [sentenceOf(t, told), ...facts, ...asked, ...quoted, baseUrl + told.url].join('\n')
}

const textOf = (value: unknown): string => shownText(typeof value === 'string' ? value : JSON.stringify(value))

/** What a write that waits is about, or what it is called, and what it would change. */
function askedIn(t: MailWords, { title, target, changes }: ActHead, baseUrl: string): string[] {
  const about =
    target && t('mails.fact.about', { thing: nameOf(t, shownText(target.title)), url: baseUrl + target.url })
  const named = !target && title ? nameOf(t, shownText(title)) : undefined
  const changed = changes.map(({ name, from, to }) =>
    t('mails.fact.change', { name, from: nameOf(t, textOf(from)), to: nameOf(t, textOf(to)) }),
  )
  return [...(about ? [about] : []), ...(named ? [named] : []), ...changed]
}

interface LetterParams {
  mailing: MailFrequency
  told: readonly LetterEntry[]
  /** How many there are, with those that the letter does not list. */
  total: number
  baseUrl: string
  unsubscribeUrl: string
  /** Where it is answered; undefined where it is not. */
  replyTo?: string | undefined
}

/** A mail about what happened, oldest first. Members' words are quoted. */
export const noticeLetter = ({ mailing, told, total, baseUrl, unsubscribeUrl, replyTo }: LetterParams): Letter =>
  letter((t) => {
    const [first] = told
    const count = t('mails.notices.count', { count: total })
    const alone = first && total === 1 ? sentenceOf(t, first) : count
    const subject = mailing === 'mail' ? alone : t(`mails.notices.${mailing}`, { count })
    const url = `${baseUrl}/notifications`
    const others = total - told.length
    const all = others > 0 ? t('mails.notices.more', { count: others, url }) : t('mails.notices.all', { url })
    const more = total > 1 ? [all] : []
    const end = t('mails.notices.end', { settingsUrl: `${baseUrl}/settings/notifications`, unsubscribeUrl })
    const answered = replyTo === undefined ? [] : [t('mails.notices.reply')]
    const above = replyTo === undefined ? [] : [t('mails.notices.above')]
    const entries = told.map((one) => entryOf(t, one, baseUrl))
    return { subject, body: `${[...above, ...entries, ...more, ...answered, end].join('\n\n')}\n` }
  })

const proofOf = async (secretFor: SecretFor, mailing: string, userId: string) =>
  keyedHash(await secretFor('unsubscribe'), mailing, userId)

/** Names a mailing and an account, and proves that we made it. It does not expire: old mails keep their link. */
export async function unsubscribeToken(secretFor: SecretFor, mailing: MailFrequency, userId: string): Promise<string> {
  return `${mailing}.${userId}.${await proofOf(secretFor, mailing, userId)}`
}

/** The mailing and the account of a token; undefined for one that we did not make. */
export async function readToken(
  secretFor: SecretFor,
  token: string,
): Promise<{ mailing: MailFrequency; userId: string } | undefined> {
  const [name = '', userId = '', proof = '', ...rest] = token.split('.')
  const mailing = mailings.find((one) => one === name)
  if (!mailing || rest.length > 0) return undefined
  return sameHash(proof, await proofOf(secretFor, mailing, userId)) ? { mailing, userId } : undefined
}
