// CI identities that publish: naming, listing and removing them.
import { record } from '../../audit/audit.ts'
import { findFreeSlug } from '../../content/slug-queries.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { limit } from '../../identity/guesses.ts'
import { limits } from '../../identity/rules.ts'
import { lockHolder, requireFresh } from '../../identity/sessions.ts'
import { inQuotes, letter } from '../../mail/words.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import type { Kind } from '../items/item-contract.ts'
import { noSuchItem } from '../items/queries.ts'
import { canEdit, canSee, isOwner } from '../items/rules.ts'
import { assertNotOfGallery, getVisible, lockAnyItemFor, lockItemFor, type SeenItem } from '../records/record.ts'
import { publisherActions, type trustedPublishers } from './contract.ts'
import * as queries from './queries.ts'
import { fullRef, MAX_OF_ACCOUNT, MAX_OF_ITEM, workflowPath } from './rules.ts'
import { stagingHandlers } from './staging.ts'

type Contracted = typeof trustedPublishers
type Target = Pick<queries.Publisher, 'itemId' | 'kind' | 'slug'>

const shown = ({ itemSlug, ...row }: Awaited<ReturnType<typeof queries.listPublishers>>[number]) => ({
  ...{ id: row.id, item_id: row.itemId, kind: row.kind, slug: itemSlug ?? row.slug },
  ...{ issuer: row.issuer, repository: row.repository, workflow: row.workflow, ref: row.ref },
  ...{ environment: row.environment, repository_id: row.repositoryId, username: row.username },
  ...{ created_at: row.createdAt, last_used_at: row.lastUsedAt },
})

const noSuchPublisher = () => new Problem('not_found', 'No such publisher')
const conflict = (message: string) => new Problem('conflict', message)

export const handlers: Handlers<Contracted> = {
  ...stagingHandlers,

  async list(context, { item: id }) {
    const { db, caller } = context
    if (id === undefined) return { items: (await queries.listPublishers(db, { accountId: caller.id })).map(shown) }
    const item = await getVisible(context, { id })
    if (item.gallery || !canEdit(caller, item))
      throw new Problem('forbidden', 'Only its owners and maintainers see who publishes this item')
    return { items: (await queries.listPublishers(db, { itemId: id })).map(shown) }
  },

  async add(context, { item: id, kind, slug, ...given }) {
    const { db, caller, now, outbox, config } = context
    await limit(context, `trusted-publisher:${caller.id}`, limits.passkeyByAccount)
    if ((id === undefined) === (kind === undefined || slug === undefined))
      throw new Problem(
        'invalid_request',
        'item, kind, slug: send the id of an item, or the kind and the slug of a new one',
      )
    const seen = id === undefined ? undefined : await getVisible(context, { id })
    const identity = identityOf(context, given)
    const publisherId = await db.transaction().execute(async (transaction) => {
      const user = await lockHolder(context, transaction)
      await requireFresh(context, transaction)
      const target = seen
        ? await itemTarget(transaction, context, seen)
        : await freeTarget(transaction, context, { kind: required(kind), slug: required(slug) })
      await requireRoom(transaction, { accountId: user.id, target, identity })
      const ids = { repositoryId: null, repositoryOwnerId: null, createdAt: now, lastUsedAt: null }
      const row = { id: newId(), accountId: user.id, ...target, ...identity, ...ids }
      await queries.insertPublisher(transaction, row)
      await remember(context, transaction, { action: publisherActions.add, publisher: row })
      await outbox.enqueue(transaction, { recipient: user.email, ...letterOf(config.baseUrl, row) })
      return row.id
    })
    const own = await queries.listPublishers(db, { accountId: caller.id })
    return shown(required(own.find((row) => row.id === publisherId)))
  },

  async remove(context, { id }) {
    const { db, caller, budget } = context
    const seen = await queries.findPublisher(db, id)
    if (!seen) throw noSuchPublisher()
    await db.transaction().execute(async (transaction) => {
      await lockHolder(context, transaction)
      const item = seen.itemId === null ? undefined : await lockAnyItemFor(transaction, caller, seen.itemId)
      await budget.spend(transaction)
      const publisher = await queries.lockPublisher(transaction, id)
      const isOwn = publisher?.accountId === caller.id
      if (!publisher || !(isOwn || (item && isOwner(caller, item)))) throw noSuchPublisher()
      await queries.deletePublishers(transaction, { id })
      await remember(context, transaction, { action: publisherActions.remove, publisher })
    })
    return { id }
  },
}

type Identity = Pick<queries.Publisher, 'issuer' | 'repository' | 'workflow' | 'ref' | 'environment'>

/** The identity as it is stored; throws `invalid_request` for an issuer that is not allowed, and for one that names neither ref nor environment. */
function identityOf(
  { config }: Pick<Context, 'config'>,
  given: {
    issuer: string
    repository: string
    workflow: string
    ref?: string | undefined
    environment?: string | undefined
  },
): Identity {
  const { issuer, repository, environment = null } = given
  if (!config.ciIssuers.includes(issuer))
    throw new Problem(
      'invalid_request',
      `issuer: must be one of ${config.ciIssuers.join(', ') || 'none: the operator allows none'}`,
    )
  const ref = fullRef(given.ref)
  if (ref === null && environment === null)
    throw new Problem('invalid_request', 'ref, environment: at least one of the two says which runs may publish')
  return { issuer, repository, workflow: workflowPath(issuer, given.workflow), ref, environment }
}

async function itemTarget(db: Transaction, { caller }: Context<Caller>, { id }: SeenItem): Promise<Target> {
  const item = await lockItemFor(db, caller, id)
  if (!canSee(caller, item)) throw noSuchItem()
  assertNotOfGallery(item)
  if (!isOwner(caller, item)) throw new Problem('forbidden', 'Only its owners let a CI publish this item')
  return { itemId: id, kind: item.kind, slug: item.slug }
}

async function freeTarget(
  db: Transaction,
  { caller, config }: Context<Caller>,
  { kind, slug }: { kind: Kind; slug: string },
): Promise<Target> {
  if (partsOff(config).kinds.has(kind)) throw new Problem('not_found', 'There is nothing here')
  if ((await findFreeSlug(db, { kind, base: slug, ownerId: caller.id })) !== slug)
    throw conflict(`${kind}/${slug} is taken; send the id of the item, if it is yours`)
  return { itemId: null, kind, slug }
}

async function requireRoom(
  db: Transaction,
  { accountId, target, identity }: { accountId: string; target: Target; identity: Identity },
): Promise<void> {
  const { itemId, kind, slug } = target
  if ((await queries.countOf(db, { accountId })) >= MAX_OF_ACCOUNT)
    throw conflict(`An account has at most ${MAX_OF_ACCOUNT} publishers; remove one first`)
  if (itemId !== null && (await queries.countOf(db, { itemId })) >= MAX_OF_ITEM)
    throw conflict(`An item has at most ${MAX_OF_ITEM} publishers; remove one first`)
  const known = await queries.listLetting(db, itemId === null ? { kind, slug } : { itemId })
  const names: (keyof Identity)[] = ['issuer', 'repository', 'workflow', 'ref', 'environment']
  if (known.some((row) => row.accountId === accountId && names.every((name) => row[name] === identity[name])))
    throw conflict('This account let this identity publish that already')
}

const letterOf = (baseUrl: string, { kind, slug, repository, workflow }: queries.Publisher) =>
  letter((t) => ({
    subject: t('mails.publisher.subject'),
    body: t('mails.publisher.body', {
      baseUrl,
      name: inQuotes(`${kind}/${slug}`),
      repository: inQuotes(`${repository}, ${workflow}`),
    }),
  }))

function remember(
  { now, address, caller }: Context<Caller>,
  db: Transaction,
  { action, publisher }: { action: AuditAction; publisher: queries.Publisher },
): Promise<void> {
  const { id, itemId, kind, slug, issuer, repository, workflow, ref, environment } = publisher
  const target =
    itemId === null ? { targetType: 'user', targetId: caller.id } : { targetType: 'item', targetId: itemId }
  const detail = { publisher: id, name: `${kind}/${slug}`, issuer, repository, workflow, ref, environment }
  return record(db, now, { action, actorId: caller.id, ...target, detail, address })
}
