// Publishing. The order of what is refused is that of behaviour.md, section 4: first what can be said without the body,
// then the body, then the file. Bytes are stored before the rows that name them: a crash leaves an item or nothing.

import { recordModeration } from '../../content/moderation.ts'
import { followBecause, recordGone, recordHidden, recordVersion } from '../../content/notifications/events.ts'
import { slugOf, takeSlug } from '../../content/slugs.ts'
import { isOneOf } from '../../content/subject.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { compareVersions, isVersion, nextPatch, precedenceOf } from '../../formats/version.ts'
import type { Caller, Context, Handlers, Precheck } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { artifact, storeThenInsert } from '../../storage/blob-lifecycle.ts'
import { findItem, getDetails, insertVersion, isUsed, listDownloads, noSuchItem, type StoredItem } from '../queries.ts'
import { getVisible, lockAnyItemFor, lockItemFor, oneItem, pathOf, type SeenItem, withRoles } from '../record.ts'
import {
  assertDeletable,
  canEdit,
  canMove,
  canSee,
  canUpdate,
  FIRST_VERSION,
  type ItemRole,
  newestOf,
  ownedBy,
  weekBefore,
} from '../rules.ts'
import type { Showing } from '../showing.ts'
import { itemActions, item as itemSubject } from '../subject.ts'
import { addItem, changeItem, removeItem } from './changes.ts'
import type { publishing } from './contract.ts'
import type { FileContent, readFileOf } from './file.ts'
import { assertRoom, countUpload } from './rate.ts'
import type { PrepareSteps } from './step.ts'

const { permissions } = itemSubject
const forbidden = (message: string) => new Problem('forbidden', message)

/** How the gallery takes one of its orgs away, with everything it has on it. */
export type RemoveOrg = (context: Context<Caller>, id: string, reason: string | null) => Promise<void>

/** What publishing is given. The formats of files are known to `readFile` alone; it throws what is wrong with a file. */
export interface Publishing {
  removeOrg: RemoveOrg
  readFile: typeof readFileOf
  showing: Showing
  prepareSteps: PrepareSteps
}

export function publishingHandlers({ removeOrg, ...given }: Publishing): Handlers<typeof publishing> {
  const { showing } = given
  return {
    publish: publicationBy(given),
    publishVersion: versionsBy(given),
    update: updateBy(showing),

    async delete(context, { id, reason }) {
      const { db, caller } = context
      const [seen] = await withRoles<SeenItem>(
        db,
        caller,
        [await findItem(db, { id })].filter((item) => item !== undefined),
      )
      const mayDelete = seen && isOneOf(permissions.delete, caller, ownedBy(caller, seen))
      if (!seen || !(mayDelete || canSee(caller, seen))) throw noSuchItem()
      if (!mayDelete) throw forbidden('Only its owners can delete this item')
      if (seen.gallery) await removeOrg(context, id, reason)
      else
        await db.transaction().execute(async (transaction) => {
          const item = await lockAnyItemFor(transaction, caller, id)
          if (!isOneOf(permissions.delete, caller, ownedBy(caller, item)))
            throw forbidden('Only its owners can delete this item')
          if (caller.role !== 'admin' && item.listed === 1) await assertUnused(context, transaction, item)
          await removeItem(transaction, item)
          await recordGone(transaction, { type: itemSubject.type, id, isSeen: item.listed === 1 }, context.now)
          const detail = { kind: item.kind, slug: item.slug }
          const act = { action: itemActions.delete, on: ownedBy(caller, item), reason, detail }
          await recordModeration(transaction, context, act)
        })
      return { id, deleted: true }
    },
  }
}

const publicationBy =
  ({
    readFile,
    prepareSteps,
    showing: { tellingOf },
  }: Omit<Publishing, 'removeOrg'>): Handlers<typeof publishing>['publish'] =>
  async (context, _input, form) => {
    const { db, caller, now, blobs, budget } = context
    const { fields, files } = await form(keepOfficial(caller, 'private'))
    const { kind, visibility, tags = [], version: asked } = fields
    assertVersion(asked)
    await assertRoom(db, context)
    const [file] = files.file
    const content = await readFile(kind, file, caller.id)
    const version = agreed(asked, content.version) ?? FIRST_VERSION
    const name = fields.name ?? content.name
    const write = await prepareSteps(context, {
      ...{ kind, file, content, changelog: fields.changelog ?? null, item: undefined, name },
      stopFor: fields.stop_for,
    })
    const id = newId()
    const item = await storeThenInsert(db, artifact(blobs, file), async (transaction) => {
      await countUpload(transaction, context)
      await budget.spend(transaction, file.size)
      const slug = await takeSlug(transaction, {
        ...{ kind, base: content.slug ?? slugOf(name), targetId: id, ownerId: caller.id },
      })
      const { sha256, size } = file
      const readme = toldBy(content, fields.changelog)
      const shown = { id, name, description: fields.description ?? content.description, readme }
      const telling = visibility === 'private' ? undefined : await tellingOf(context, transaction, shown)
      const item = {
        ...{ id, kind, slug, name, visibility, tags, version, sha256, size },
        ...({ description: shown.description, keywords: '', ownerId: caller.id, gallery: 0 } as const),
        ...{ meta: content.meta, license: content.license, createdAt: now, updatedAt: now },
      }
      await addItem(transaction, item, () => write(transaction, { item, version, sha256, size }))
      await followBecause(transaction, 'followWritten', { by: caller.id, now, on: { type: itemSubject.type, id } })
      await telling?.()
      return readBack(transaction, id)
    })
    return withWarnings(await oneItem(context, item), content)
  }

const versionsBy =
  ({
    readFile,
    prepareSteps,
    showing: { assertTextsMayLink, holdFound },
  }: Omit<Publishing, 'removeOrg'>): Handlers<typeof publishing>['publishVersion'] =>
  async (context, { id }, form) => {
    const { db, caller, now, blobs, budget } = context
    const seen = await getVisible(context, { id })
    assertNotOfGallery(seen)
    if (!canEdit(caller, seen)) throw forbidden('Only its owners and maintainers can publish a version of this item')
    const { fields, files } = await form()
    assertVersion(fields.version)
    await assertRoom(db, context)
    const [file] = files.file
    const content = await readFile(seen.kind, file, caller.id)
    assertSameAutomation(seen, content)
    const asked = agreed(fields.version, content.version)
    newerOf(newestOf(seen), asked)
    const write = await prepareSteps(context, {
      ...{ kind: seen.kind, file, content, changelog: fields.changelog ?? null, item: seen, name: seen.name },
      stopFor: fields.stop_for,
    })
    const changed = await storeThenInsert(db, artifact(blobs, file), async (transaction) => {
      await countUpload(transaction, context)
      const item = await lockItemFor(transaction, caller, id)
      if (!canSee(caller, item)) throw noSuchItem()
      if (!canEdit(caller, item)) throw forbidden('Only its owners and maintainers can publish a version of this item')
      await budget.spend(transaction, file.size, item.ownerId)
      const version = newerOf(newestOf(item), asked)
      const { sha256, size } = file
      const precedence = precedenceOf(version)
      await insertVersion(transaction, { itemId: id, version, precedence, sha256, size, createdAt: now })
      if (item.listed) {
        const before = { ...item, readme: (await getDetails(transaction, item)).readme }
        await assertTextsMayLink(context, transaction, {
          before,
          after: { ...item, readme: toldBy(content, fields.changelog) },
        })
      }
      await write(transaction, { item, version, sha256, size })
      const shown = { version, sha256, size, meta: content.meta, license: content.license, ...NEWEST } as const
      await changeItem(transaction, item, { ...shown, updatedAt: now })
      const isShown = item.listed === 1 && !(await holdFound(context, transaction, item))
      const hidden = isShown ? undefined : { title: item.name, url: pathOf(item) }
      const news = fields.changelog ?? content.changelog ?? undefined
      const act = { by: caller.id, now, on: { type: itemSubject.type, id } }
      await recordVersion(transaction, act, { version, hidden, news })
      return readBack(transaction, id)
    })
    return withWarnings(await oneItem(context, changed), content)
  }

const updateBy =
  ({ tellingOfUpdate }: Showing): Handlers<typeof publishing>['update'] =>
  async (context, { id }, body) => {
    const { db, caller, now } = context
    const seen = await getVisible(context, { id })
    assertNotOfGallery(seen)
    if (!isOneOf(permissions.edit, caller, ownedBy(caller, seen)) && seen.role !== 'maintainer') {
      throw forbidden('Only its owners and maintainers can change this item')
    }
    const { visibility, reason, ...rest } = await body(keepOfficial(caller, seen.visibility))
    const changed = await db.transaction().execute(async (transaction) => {
      const item = await lockUpdatable(transaction, caller, { id, visibility })
      const given = Object.entries({ ...rest, visibility }).filter(([, value]) => value !== undefined)
      if (given.length === 0) return readBack(transaction, id)
      const changes = Object.fromEntries(given)
      const telling = await tellingOfUpdate(context, transaction, { item, changes: { ...rest, visibility } })
      await changeItem(transaction, item, { ...changes, updatedAt: now })
      if (item.listed && visibility === 'private') {
        await recordHidden(transaction, { type: itemSubject.type, id, isSeen: true }, now)
      }
      await telling?.()
      const detail = { from: item.visibility, ...changes }
      await recordModeration(transaction, context, {
        action: itemActions.update,
        on: itsOwn(caller, item),
        reason,
        detail,
      })
      return readBack(transaction, id)
    })
    return oneItem(context, changed)
  }

/** Decided again under the lock: who may do what can have changed since it was looked at. */
async function lockUpdatable(
  db: Transaction,
  caller: Caller,
  { id, visibility }: { id: string; visibility: StoredItem['visibility'] | undefined },
): Promise<StoredItem & { role: ItemRole | undefined }> {
  const item = await lockItemFor(db, caller, id)
  if (!canSee(caller, item)) throw noSuchItem()
  if (!canUpdate(caller, item, visibility)) {
    const isMaintained = item.role === 'maintainer'
    throw forbidden(
      isMaintained ? 'Only owners decide who sees this item' : 'Only its owners and maintainers can change this item',
    )
  }
  keepOfficial(caller, item.visibility)({ visibility })
  return item
}

/** What owners and maintainers change is no act of moderation. */
const itsOwn = (caller: Caller, item: StoredItem & { role: ItemRole | undefined }) =>
  item.role ? { ...ownedBy(caller, item), authorId: caller.id } : ownedBy(caller, item)

/** Who may move an item into or out of official is asked before anything else of the body (behaviour.md, section 4). */
const keepOfficial =
  (caller: Caller, from: StoredItem['visibility']): Precheck =>
  ({ visibility }) => {
    if (!canMove(caller, from, visibility)) throw forbidden('Only admins move items into or out of official')
  }

/** What a version says in many words: its README, and what is new. */
const toldBy = ({ readme, changelog }: FileContent, given: string | undefined) =>
  [readme, given ?? changelog].filter(Boolean).join('\n')

/** Throws `conflict` where others may rely on the item. */
async function assertUnused({ now }: Context, db: Transaction, item: StoredItem): Promise<void> {
  const downloads = (await listDownloads(db, [item.id], weekBefore(now))).get(item.id)?.total ?? 0
  assertDeletable('This item', { createdAt: item.createdAt, downloads, isUsed: await isUsed(db, item) }, now)
}

/** A version that was just published is not yanked, and the newest. */
const NEWEST = { yanked: 0, newestVersion: null } as const

function assertNotOfGallery({ gallery }: { gallery: number }): void {
  if (gallery) throw new Problem('gallery_org', 'This org belongs to the gallery; change it there')
}

function assertVersion(asked: string | undefined): void {
  if (asked !== undefined && !isVersion(asked)) {
    throw new Problem('invalid_request', 'version: must be a semantic version, such as 1.4.2')
  }
}

function assertSameAutomation({ meta }: { meta: string }, content: FileContent): void {
  const { automation_id: id } = parseJson<{ automation_id?: string }>(meta)
  if (id === content.slug) return
  throw new Problem('invalid_artifact', `id: expected ${id}, the automation this is a version of`)
}

/** The version of form and manifest; throws `invalid_request` when they differ. */
function agreed(asked: string | undefined, inFile: string | undefined): string | undefined {
  if (asked !== undefined && inFile !== undefined && asked !== inFile) {
    throw new Problem('invalid_request', `version: is ${asked}, but the manifest says ${inFile}`)
  }
  return asked ?? inFile
}

/** The version to publish after `current`: the one asked for, or the next patch. */
function newerOf(current: string, asked: string | undefined): string {
  const version = asked ?? nextPatch(current)
  if (isVersion(version) && compareVersions(version, current) > 0) return version
  throw new Problem('version_conflict', `version: ${version} is not newer than ${current}`)
}

/** Only the publisher sees what the file says that means nothing. */
const withWarnings = <Shown extends object>(item: Shown, { warnings }: FileContent) =>
  warnings.length === 0 ? item : { ...item, warnings }

/** The item as this transaction leaves it: afterwards a version of another transaction may be the newest. */
async function readBack(db: Transaction, id: string) {
  const item = await findItem(db, { id })
  if (!item) throw noSuchItem()
  return item
}
