// Makes the statement of what is about to be published. Advisory in all it says: the publication decides the same again, and is refused
// where the statement is about something else by then.
import { PAYLOAD_TYPE } from '@guildhall/verifiable'
import { findFreeSlug, listSlugsOf, slugOf } from '../../content/slug-queries.ts'
import { factsOf } from '../../contract/item-kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { holding } from '../holders/holding.ts'
import { findTeamById } from '../holders/team-queries.ts'
import type { Kind } from '../items/item-contract.ts'
import { assertVersion, canEdit, FIRST_VERSION, newerOf, newestOf } from '../items/rules.ts'
import { assertNotOfGallery, getVisible } from '../records/record.ts'
import { type DraftTarget, ticketOf } from './drafts.ts'
import { freeVersion } from './gone.ts'
import { type OwningTeam, type Publication, payloadOf } from './statement.ts'

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
