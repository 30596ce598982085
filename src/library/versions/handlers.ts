// Yanking versions and deprecating items. Who may is decided again under the lock of the item.
import { noteEdit } from '../../content/classifier/classifier.ts'
import { assertMayLink } from '../../content/holding/holding.ts'
import { recordLife } from '../../content/notifications/events.ts'
import { recordModeration } from '../../content/reports/moderation.ts'
import { viaOf } from '../../content/via.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { changeItem } from '../changing/changes.ts'
import { deleteCounts } from '../downloads/queries.ts'
import type { readFileOf } from '../files/file.ts'
import { listDownloadsOfVersions } from '../items/download-total-queries.ts'
import type { Kind } from '../items/item-contract.ts'
import { findItem, getItem, listVersions, type StoredItem, type StoredVersion } from '../items/queries.ts'
import { assertDeletable, canEdit, owned } from '../items/rules.ts'
import { itemActions, item as itemSubject } from '../items/subject.ts'
import { deleteVersion, getDetails, stepVersion } from '../items/version-queries.ts'
import { markRanks } from '../outcome-figures/queries.ts'
import {
  artifactUrl,
  assertNotOfGallery,
  countsOf,
  getVersion,
  getVisible,
  lockItemFor,
  oneItem,
  pathOf,
  type Ref,
  versionOf,
} from '../records/record.ts'
import { logYank, wasPublic } from '../statements/logging.ts'
import { deleteDependencies } from '../uses/queries.ts'
import { isUsed } from '../uses/user-queries.ts'
import type { life } from './contract.ts'
import { changeVersions } from './current.ts'

const { type } = itemSubject

/** How a caller comes to change what is not a text of an item: as one who publishes its versions, or as an admin. */
type Standing = 'editor' | 'admin'

/** Throws `forbidden` for others. */
function standingOf(
  caller: Caller,
  item: Pick<StoredItem, 'ownerId' | 'teamId' | 'visibility'>,
  what: string,
): Standing {
  if (canEdit(caller, item)) return 'editor'
  if (caller.role === 'admin') return 'admin'
  throw new Problem('forbidden', `Only its owners and maintainers can ${what}`)
}

/** Throws `invalid_request` where an admin gives no reason for an act on an item of others. */
function assertReason(standing: Standing, reason: string | null): void {
  if (standing === 'admin' && reason === null)
    throw new Problem('invalid_request', 'reason: is needed for an item of others')
}

/** What this is given: the formats of files are known to `readFile` alone. */
interface FileReader {
  readFile: typeof readFileOf
}

export const lifeHandlers = (reader: FileReader): Handlers<typeof life> => ({
  version: readVersion,
  findVersion: readVersion,
  ...yankingBy(reader),
  ...deletionBy(reader),
  ...deprecation,
})

/** Whose steps a caller can take with a version. */
const rankOf = ({ role }: Pick<Caller, 'role'>) => (role === 'admin' ? 'admin' : 'publisher')

const yankingBy = ({ readFile }: FileReader): Pick<Handlers<typeof life>, 'yank'> => ({
  async yank(context, { id, version: asked }, body) {
    const { db, caller, config, budget } = context
    await assertMayChange(context, id, 'yank its versions')
    const { version } = await getVersion(context, { id }, asked)
    const { yanked, reason } = await body()
    const changed = await changeVersions({ ...context, readFile }, id, async (transaction, item) => {
      const standing = standingOf(caller, item, 'yank its versions')
      assertReason(standing, reason)
      const stored = await getVersion({ db: transaction }, item, version)
      const to = !yanked ? 'published' : standing === 'admin' ? 'withheld' : 'yanked'
      const now = {
        yankedAt: yanked ? (stored.yankedAt ?? context.now) : null,
        yankReason: yanked ? reason : null,
        yankedByAdmin: to === 'withheld' ? 1 : 0,
      } as const
      if (!(await stepVersion(transaction, stored, { ...now, by: rankOf(caller), to }))) {
        throw new Problem('forbidden', 'An admin yanked this version; only admins change that')
      }
      await budget.spend(transaction)
      if (yanked) await admitText(context, transaction, { item, text: reason, before: stored.yankReason })
      if (yanked !== (stored.yankedAt !== null)) await logYank(transaction, { item, version: stored.version, yanked })
      await markRanks(transaction, [item.id], context.now)
      await tellYank(context, transaction, { item, stored, yanked, reason })
      return { ...stored, ...now }
    })
    return shownVersion({ db, config }, changed)
  },
})

const deletionBy = ({ readFile }: FileReader): Pick<Handlers<typeof life>, 'deleteVersion'> => ({
  async deleteVersion(context, { id, version: asked, reason }) {
    const { caller, now } = context
    await assertMayChange(context, id, 'delete its versions')
    const version = await changeVersions({ ...context, readFile }, id, async (transaction, item) => {
      const standing = standingOf(caller, item, 'delete its versions')
      assertReason(standing, reason)
      const stored = await getVersion({ db: transaction }, item, asked)
      if ((await listVersions(transaction, id, { limit: 2, offset: 0 })).length < 2) {
        throw new Problem('conflict', 'The last version cannot be deleted; delete the item')
      }
      const isBound = caller.role !== 'admin' && (await wasPublic(transaction, item, stored.version))
      if (isBound) await assertUnused(transaction, { item, stored, now })
      if (!(await deleteVersion(transaction, stored, rankOf(caller)))) {
        throw new Problem('forbidden', 'This version cannot be deleted as it is')
      }
      await deleteCounts(transaction, stored)
      await markRanks(transaction, [item.id], now)
      await deleteDependencies(transaction, stored)
      const detail = { kind: item.kind, slug: item.slug, version: stored.version }
      const act = { action: itemActions['delete-version'], on: owned(item), reason, detail }
      await recordModeration(transaction, context, act)
      return stored.version
    })
    return { id, version, deleted: true }
  },
})

const deprecation: Pick<Handlers<typeof life>, 'deprecate'> = {
  async deprecate(context, { id }, body) {
    const { db, caller, budget } = context
    await assertMayChange(context, id, 'deprecate it')
    const { deprecated, message, successor, reason } = await body()
    const changed = await db.transaction().execute(async (transaction) => {
      const item = await lockItemFor(transaction, caller, id)
      assertReason(standingOf(caller, item, 'deprecate it'), reason)
      await budget.spend(transaction)
      if (deprecated) await admitText(context, transaction, { item, text: message, before: item.deprecation })
      const now = deprecated
        ? { deprecation: message, successor: await successorOf(transaction, item, successor) }
        : NONE
      await changeItem(transaction, item, { ...now, lifeAt: context.now })
      await tellDeprecation(context, transaction, { item, now, reason })
      return getItem(transaction, { id })
    })
    return oneItem(context, changed)
  },
}

async function readVersion(context: Context, { version, ...ref }: Ref & { version: string }) {
  const { id } = await getVisible(context, ref)
  return shownVersion(context, await getVersion(context, { id }, version))
}

/** Throws `conflict` where others may rely on a version. */
async function assertUnused(
  db: Transaction,
  { item, stored: { version, createdAt }, now }: { item: StoredItem; stored: StoredVersion; now: string },
): Promise<void> {
  const downloads = (await listDownloadsOfVersions(db, item.id, [version])).get(version) ?? 0
  assertDeletable('This version', { createdAt, downloads, isUsed: await isUsed(db, item) }, now)
}

async function shownVersion({ db, config }: Pick<Context, 'db' | 'config'>, stored: StoredVersion) {
  const { itemId, version } = stored
  const counts = await countsOf(db, itemId, [version])
  const via = await viaOf({ db, config }, [stored])
  return { ...versionOf(stored, artifactUrl(config.baseUrl, itemId), counts), via: via(stored) }
}

const NONE = { deprecation: null, successor: null }

/** What can be refused without the body: an item that is not there, one of the gallery, a caller who may not. */
async function assertMayChange(context: Context<Caller>, id: string, what: string): Promise<void> {
  const seen = await getVisible(context, { id })
  assertNotOfGallery(seen)
  standingOf(context.caller, seen, what)
}

/** A text that everybody sees gets no first link by a new account, and a new one is shown to the classifier. */
async function admitText(
  context: Context<Caller>,
  db: Transaction,
  { item, text, before }: { item: StoredItem; text: string | null; before: string | null },
): Promise<void> {
  if (item.listed === 0 || !text) return
  const { readme } = await getDetails(db, item)
  await noteEdit(context, db, { id: item.id, type: itemSubject.type, before: [before ?? ''], after: [text] })
  await assertMayLink(context, db, { before: [item.name, item.description, readme ?? ''], after: [text] })
}

/** Gives the successor of an item; throws `invalid_request` for what not everybody sees, and for the item itself. */
async function successorOf(db: Transaction, item: StoredItem, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null
  const [kind, slug] = name.split('/') as [Kind, string]
  const found = await findItem(db, { kind, slug })
  if (!found || found.visibility === 'private' || found.hidden !== 0 || found.authorBlockedAt !== null) {
    throw new Problem('invalid_request', `successor: everybody has to see it; there is no ${name}`)
  }
  if (found.id === item.id) throw new Problem('invalid_request', 'successor: must be another item')
  return name
}

const hiddenOf = (item: StoredItem) => (item.listed ? undefined : { title: item.name, url: pathOf(item) })

async function tellYank(
  context: Context<Caller>,
  db: Transaction,
  { item, stored, yanked, reason }: { item: StoredItem; stored: StoredVersion; yanked: boolean; reason: string | null },
): Promise<void> {
  if (yanked === (stored.yankedAt !== null)) return
  const { version } = stored
  const act = { by: context.caller.id, now: context.now, on: { type, id: item.id } }
  const kind = yanked ? 'yanked' : 'unyanked'
  await recordLife(db, act, { kind, version, reason: reason ?? '', hidden: hiddenOf(item) })
  const detail = { kind: item.kind, slug: item.slug, version, yanked }
  await recordModeration(db, context, { action: itemActions.yank, on: owned(item), reason, detail })
}

async function tellDeprecation(
  context: Context<Caller>,
  db: Transaction,
  {
    item,
    now,
    reason,
  }: { item: StoredItem; now: Pick<StoredItem, 'deprecation' | 'successor'>; reason: string | null },
): Promise<void> {
  const isDeprecated = now.deprecation !== null
  const act = { by: context.caller.id, now: context.now, on: { type, id: item.id } }
  if (isDeprecated !== (item.deprecation !== null)) {
    const kind = isDeprecated ? 'deprecated' : 'undeprecated'
    const told = { successor: now.successor, reason: now.deprecation ?? '', hidden: hiddenOf(item) }
    await recordLife(db, act, { kind, ...told })
  } else if (item.deprecation === now.deprecation && item.successor === now.successor) return
  const detail = { kind: item.kind, slug: item.slug, ...now }
  await recordModeration(db, context, { action: itemActions.deprecate, on: owned(item), reason, detail })
}
