// Texts of the mails about notifications, and the address that ends them without signing in.
import { type AnyNotificationKind, NOTICE, type NotificationKind } from '../../contract/notification-kinds.ts'
import { codeHash, type SecretFor, sameHash } from '../../runtime/hash.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Invited, Notice } from './events.ts'

/** Mails that come at once, and digests. */
export const mailings = ['mail', 'daily', 'weekly'] as const
export type Mailing = (typeof mailings)[number]

export interface Told {
  kind: AnyNotificationKind
  number: number | null
  title: string
  url: string
  excerpt: string
  detail: string | null
  actorUsername: string | null
}

const happened: Readonly<Record<NotificationKind, string>> = {
  mention: 'mentioned you',
  reply: 'replied to you',
  comment: 'commented',
  status: 'changed the status',
  version: 'published a new version',
  release: 'released what you wait for',
  posted: 'posted',
  invitation: 'invited you',
  approval: 'asks for your yes',
}

/** The end of an invitation, for the account that hears of it. */
const invitedTo: Readonly<Record<Invited['state'], Readonly<Record<Invited['role'], string>>>> = {
  open: {
    owner: 'invites you to be an owner',
    maintainer: 'invites you to be a maintainer',
    member: 'invites you to join',
    transfer: 'offers you to take it over',
  },
  accepted: {
    owner: 'accepted your invitation to be an owner',
    maintainer: 'accepted your invitation to be a maintainer',
    member: 'accepted your invitation to join',
    transfer: 'took it over',
  },
  removed: {
    owner: 'changed that you are an owner',
    maintainer: 'removed you from the maintainers',
    member: 'removed you from the members',
    transfer: 'withdrew the offer',
  },
}

/** What only some kinds have. */
export interface Detail {
  status?: { from: string; to: string }
  version?: string
  merged?: { number: number; title: string }
  unmerged?: { number: number; title: string }
  /** Of a library item. */
  change?: 'yanked' | 'deprecated'
  successor?: string | null
  notice?: Notice
  invitation?: Invited
  /** The name of the agent that asks. */
  agent?: string
  /** Where the site shows the release. */
  release?: { id: string; url: string }
}

const changed = { yanked: 'yanked a version', deprecated: 'deprecated it' } as const

const detailOf = ({ detail }: Told) => parseJson<Detail>(detail ?? '{}')

const thingOf = ({ title, number }: Told) => (number === null ? `"${title}"` : `"${title}" (#${number})`)
function happenedTo(told: Told, kind: NotificationKind): string {
  const { merged, unmerged, change, invitation } = detailOf(told)
  if (change) return changed[change]
  if (invitation) return invitedTo[invitation.state][invitation.role]
  return merged ? 'merged another one into it' : unmerged ? 'undid the merge of it' : happened[kind]
}
const sentenceOf = (told: Told) =>
  told.kind === NOTICE
    ? `A notice of the moderators: ${told.title}`
    : told.kind === 'approval'
      ? `${detailOf(told).agent ?? 'An agent'} asks for your yes: ${told.title}`
      : `${told.actorUsername ?? 'A member'} ${happenedTo(told, told.kind)}: ${thingOf(told)}`

function entryOf(told: Told, baseUrl: string): string {
  const { status, version, merged, unmerged, release, successor } = detailOf(told)
  const facts = [
    ...(status && status.from !== status.to ? [`${status.from} is now ${status.to}`] : []),
    ...(version ? [`version ${version}`] : []),
    ...(successor ? [`Use ${successor} instead`] : []),
    ...(merged ? [`"${merged.title}" (#${merged.number}) is part of it now`] : []),
    ...(unmerged ? [`It was part of "${unmerged.title}" (#${unmerged.number})`] : []),
    ...(release ? [`What is new: ${baseUrl}${release.url}`] : []),
  ]
  const quoted = told.excerpt === '' ? [] : [told.excerpt.replaceAll(/^/gm, '> ')]
  return [sentenceOf(told), ...facts, ...quoted, baseUrl + told.url].join('\n')
}

const digestName: Readonly<Record<Exclude<Mailing, 'mail'>, string>> = {
  daily: 'Daily digest',
  weekly: 'Weekly digest',
}
const subjects = (count: number) => `${count} notification${count === 1 ? '' : 's'}`

interface Letter {
  mailing: Mailing
  told: readonly Told[]
  /** How many there are, with those that the letter does not list. */
  total: number
  baseUrl: string
  unsubscribeUrl: string
}

/** A mail about what happened, oldest first. Members' words are quoted. */
export function noticeLetter({ mailing, told, total, baseUrl, unsubscribeUrl }: Letter): {
  subject: string
  body: string
} {
  const [first] = told
  const alone = mailing === 'mail' && first && total === 1
  const name = mailing === 'mail' ? '' : `${digestName[mailing]}: `
  const subject = alone ? sentenceOf(first) : `${name}${subjects(total)}`
  const more = total > told.length ? [`${total - told.length} more: ${baseUrl}/notifications`] : []
  const end = `Choose what you are mailed: ${baseUrl}/settings/notifications\nStop these mails: ${unsubscribeUrl}`
  const entries = told.map((one) => entryOf(one, baseUrl))
  return { subject, body: `${[...entries, ...more, end].join('\n\n')}\n` }
}

const proofOf = async (secretFor: SecretFor, mailing: string, userId: string) =>
  codeHash(await secretFor('unsubscribe'), mailing, userId)

/** Names a mailing and an account, and proves that we made it. It does not expire: old mails keep their link. */
export async function unsubscribeToken(secretFor: SecretFor, mailing: Mailing, userId: string): Promise<string> {
  return `${mailing}.${userId}.${await proofOf(secretFor, mailing, userId)}`
}

/** The mailing and the account of a token; undefined for one that we did not make. */
export async function readToken(
  secretFor: SecretFor,
  token: string,
): Promise<{ mailing: Mailing; userId: string } | undefined> {
  const [name = '', userId = '', proof = '', ...rest] = token.split('.')
  const mailing = mailings.find((one) => one === name)
  if (!mailing || rest.length > 0) return undefined
  return sameHash(proof, await proofOf(secretFor, mailing, userId)) ? { mailing, userId } : undefined
}
