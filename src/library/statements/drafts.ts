// What a publisher signs before it is published: the statement as the server will make it. The server keeps none of these: a ticket says
// that it made one, for whom and for what, and publication accepts a signature of these bytes alone.
import { PAYLOAD_TYPE } from '@guildhall/verifiable'
import { z } from 'zod'
import { findFreeSlug, listSlugsOf, slugOf } from '../../content/slug-queries.ts'
import { factsOf } from '../../contract/item-kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { keyedHash, type SecretFor, sameHash } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { holding } from '../holders/holding.ts'
import { findTeamById } from '../holders/team-queries.ts'
import type { Kind } from '../items/item-contract.ts'
import { findItem } from '../items/queries.ts'
import { assertVersion, canEdit, FIRST_VERSION, newerOf, newestOf } from '../items/rules.ts'
import { assertNotOfGallery, getVisible } from '../records/record.ts'
import { freeVersion } from './gone.ts'
import { findKey, isInLog } from './queries.ts'
import { isSignature, type OwningTeam, type Publication, payloadOf, readPayload } from './statement.ts'

/** From the draft to when the publication is sent, with an upload in between; it may wait for the yes of its account after that. */
export const DRAFT_SECONDS = 15 * 60

/** Whether a statement is about a new item, whose id the server has chosen, or about a version of one that is there. */
type DraftTarget = 'item' | 'version'

interface TicketParams {
  of: DraftTarget
  accountId: string
  payload: string
}

/** What shows that this server made a payload. */
async function ticketOf(secretFor: SecretFor, { of, accountId, payload }: TicketParams): Promise<string> {
  return keyedHash(await secretFor('statement drafts'), payload, 'statement draft', of, accountId)
}

/** A statement that its publisher signed before the publication. */
export interface SignedDraft {
  payload: string
  publication: Publication
  keyId: string
  signature: string
}

const refused = (message: string) => new Problem('invalid_signature', `signature: ${message}`)

const Envelope = z.object({
  payload: z.string(),
  payloadType: z.literal(PAYLOAD_TYPE),
  ticket: z.string(),
  signatures: z.tuple([z.object({ keyid: z.string(), sig: z.string() })]),
})

/** What the field of a form says; throws `invalid_signature` for anything else. */
function readField(text: string) {
  try {
    const { payload, ticket, signatures } = Envelope.parse(JSON.parse(text))
    const [{ keyid: keyId, sig: signature }] = signatures
    return { payload, ticket, keyId, signature }
  } catch {
    throw refused('must be the statement that the server made (POST /api/library/statements), with one signature')
  }
}

/**
 * Reads the signature that comes with an upload, if one does, and checks all that can be checked before the publication: that this server made the
 * statement for this account and not long ago, that it is about this file, and that a key of the account signed it. Throws
 * `invalid_signature`.
 */
export async function readSignature(
  { db, caller, sentAt, secretFor }: Context<Caller>,
  { text, of, file }: { text: string | undefined; of: DraftTarget; file: { sha256: string; size: number } },
): Promise<SignedDraft | undefined> {
  if (text === undefined) return undefined
  const { payload: encoded, ticket, keyId, signature } = readField(text)
  const payload = Buffer.from(encoded, 'base64').toString()
  if (!sameHash(ticket, await ticketOf(secretFor, { of, accountId: caller.id, payload })))
    throw refused(
      `this server made no such statement of ${of === 'item' ? 'a new item' : 'a version'} for this account`,
    )
  const publication = readPayload(payload)
  const age = Date.parse(sentAt) - Date.parse(publication.time)
  if (age > DRAFT_SECONDS * 1_000) throw refused('the statement is older than 15 minutes; sign another one')
  if (publication.sha256 !== file.sha256 || publication.size !== file.size)
    throw refused(`is for a file with the SHA-256 ${publication.sha256}, and this one has ${file.sha256}`)
  const signed = { payload, publication, keyId, signature }
  await assertSignedBy(db, caller, signed)
  return signed
}

/** Throws `invalid_signature` unless a key of the account, which is not revoked, signed the draft. */
export async function assertSignedBy(
  db: Db,
  caller: { id: string },
  { keyId, payload, signature }: Pick<SignedDraft, 'keyId' | 'payload' | 'signature'>,
): Promise<void> {
  const key = /^[\da-f-]{36}$/.test(keyId) ? await findKey(db, keyId) : undefined
  if (key?.accountId !== caller.id || key.revokedAt !== null)
    throw refused('the key is none of this account, or is revoked')
  if (!(await isSignature(payload, signature, key.publicKey))) throw refused('does not verify for this statement')
}

/** Throws `invalid_signature` unless the id of a draft is that of no item yet, and never was, and its name is the one that the item gets. */
export async function assertNew(
  db: Transaction,
  { publication }: SignedDraft,
  { name, version }: Pick<Publication, 'name' | 'version'>,
): Promise<void> {
  const { item: id } = publication
  assertNamed(publication, { name, version })
  if ((await findItem(db, { id })) || (await isInLog(db, id))) throw refused('was used already; sign another statement')
}

/**
 * Throws `invalid_signature` unless a draft says exactly what is published. A client from before teams asks for a statement without the
 * owner, which says less and nothing else.
 */
export function assertStates({ payload, publication }: SignedDraft, published: Omit<Publication, 'time'>): void {
  const { time } = publication
  if (payload === payloadOf({ ...published, time })) return
  if (payload === payloadOf({ ...published, owner: undefined, time })) return
  assertNamed(publication, published)
  throw refused('is for other facts than those of this publication; sign another statement')
}

function assertNamed(
  draft: Pick<Publication, 'name' | 'version'>,
  { name, version }: Pick<Publication, 'name' | 'version'>,
) {
  if (draft.name === name && draft.version === version) return
  throw refused(`is for ${draft.name}@${draft.version}, and this is ${name}@${version}; sign another statement`)
}

// Makes the statement of what is about to be published. Advisory in all it says: the publication decides the same again, and is refused
// where the statement is about something else by then.

interface DraftParams {
  kind: Kind
  id?: string | undefined
  name?: string | undefined
  version?: string | undefined
  /** The slug of the team that is to hold a new item. */
  team?: string | undefined
  sha256: string
  size: number
}

type StatementSubject = Pick<Publication, 'item' | 'name' | 'version' | 'owner'>

export async function draftStatement(context: Context<Caller>, { id, sha256, size, ...asked }: DraftParams) {
  const { caller, now: time, secretFor } = context
  assertVersion(asked.version)
  const of: DraftTarget = id === undefined ? 'item' : 'version'
  const subject =
    id === undefined
      ? await newSubject(context, { ...asked, sha256 })
      : await nextSubject(context, { ...asked, id, sha256 })
  const publisher = { id: caller.id, username: caller.username }
  const payload = payloadOf({ ...subject, sha256, size, publisher, time })
  const ticket = await ticketOf(secretFor, { of, accountId: caller.id, payload })
  return { payload: Buffer.from(payload).toString('base64'), payloadType: PAYLOAD_TYPE, ticket }
}

async function newSubject(
  context: Context<Caller>,
  { kind, name, version: asked, team, sha256 }: Pick<DraftParams, 'kind' | 'name' | 'version' | 'team' | 'sha256'>,
): Promise<StatementSubject> {
  const { db, caller } = context
  if (name === undefined) throw new Problem('invalid_request', 'name: is needed where there is no id')
  const base = factsOf(kind).namedBy === undefined ? slugOf(name) : name
  const owner = await owningTeam(db, team === undefined ? null : await holding.getOwnTeam(context, team))
  const slug = await findFreeSlug(db, { kind, base, ownerId: caller.id })
  const version = await freeVersion(db, { kind, slugs: [slug], asked, otherwise: FIRST_VERSION, sha256 })
  return { item: newId(), name: `${kind}/${slug}`, version, owner }
}

async function nextSubject(
  context: Context<Caller>,
  { id, kind, version: asked, sha256 }: Pick<DraftParams, 'kind' | 'version' | 'sha256'> & { id: string },
): Promise<StatementSubject> {
  const item = await getVisible(context, { id })
  assertNotOfGallery(item)
  if (!canEdit(context.caller, item))
    throw new Problem('forbidden', 'Only its owners and maintainers can publish a version of this item')
  if (item.kind !== kind) throw new Problem('invalid_request', `kind: the item is of kind ${item.kind}`)
  const owner = await owningTeam(context.db, item.teamId)
  const otherwise = newerOf(newestOf(item), asked)
  const slugs = await listSlugsOf(context.db, id)
  const version = await freeVersion(context.db, { kind, slugs, asked, otherwise, sha256 })
  return { item: id, name: `${kind}/${item.slug}`, version, owner }
}

/** The team as a statement names it: the one that holds the item at that moment; undefined for items without one, and while the team is hidden. */
export async function owningTeam(db: Db, teamId: string | null): Promise<OwningTeam | undefined> {
  if (teamId === null) return undefined
  const team = await findTeamById(db, teamId)
  return team?.hidden === 0 ? { type: 'team', id: team.id, slug: team.slug } : undefined
}
