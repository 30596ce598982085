// Changes to items, each within the caller's transaction: the tags of an item, the counts, the index
// of texts and the feed change with it or not at all. The counts of items are changed last (docs/data.md).

import type { Insertable, Selectable } from 'kysely'
import { deleteComments } from '../../content/comment-rows/queries.ts'
import { addEntry, deleteEntry, updateEntry } from '../../content/entries/entries.ts'
import { keepSlugs } from '../../content/slug-queries.ts'
import { deleteVotes } from '../../content/votes/queries.ts'
import { factsOf } from '../../contract/item-kinds.ts'
import type { LibraryItemTable, Transaction } from '../../database/schema.ts'
import { precedenceOf } from '../../formats/version.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { changeSearch } from '../../search/indexing.ts'
import { tagDocument, tagId } from '../../search/things.ts'
import {
  findDocument,
  findOwnerName,
  indexItem,
  listCarried,
  recountItem,
  replaceTags,
} from '../items/indexing-queries.ts'
import { summaryOf } from '../items/meta-summary.ts'
import type { StoredItem } from '../items/queries.ts'
import * as queries from '../items/queries.ts'
import { type ItemRole, isListed } from '../items/rules.ts'
import { pathOf } from '../records/record.ts'
import { keepHashes } from '../statements/gone.ts'
import { logChange, logRemoval } from '../statements/logging.ts'
import { updateUses } from '../uses/queries.ts'

export type NewItem = Omit<
  Insertable<LibraryItemTable>,
  'rowId' | 'heldSince' | 'listed' | 'hidden' | 'tags' | 'meta' | 'commentCount' | 'score'
> & {
  tags: readonly string[]
  meta: Record<string, unknown>
}

/** Stores an item with its first version; `keepDetails` stores the details of the version. */
export async function addItem(
  db: Transaction,
  { tags, meta, ...given }: NewItem,
  keepDetails: () => Promise<void>,
): Promise<void> {
  const { id, version, sha256, size, createdAt, viaClientId = null } = given
  const hidden = 0
  const listed = isListed({ ...given, hidden }) ? 1 : 0
  const item = {
    ...given,
    viaClientId,
    listed,
    hidden,
    ...storedMeta(meta),
    tags: JSON.stringify(tags),
    score: 0,
    commentCount: 0,
  } as const
  const rowId = await queries.insertItem(db, item)
  const first = { itemId: id, version, sha256, size, createdAt, viaClientId }
  await queries.insertVersion(db, { ...first, precedence: precedenceOf(version) })
  await keepDetails()
  await updateUses(db, undefined, item)
  await replaceTags(db, id, tags)
  await logChange(db, { after: item })
  // An org of the gallery is not found by its uploader's name (behaviour.md, section 4).
  const ownerUsername = given.gallery ? null : await findOwnerName(db, given.ownerId)
  await indexItem(db, { ...given, rowId, listed, tags, ownerUsername })
  await show(db, item)
  await recountItem(db, undefined, { ...given, listed, tags })
  await search(db, given, tagsShown({ listed, tags }))
}

/** What lists show of `meta` is stored with the item. */
const storedMeta = (meta: Record<string, unknown>) => ({ meta: JSON.stringify(summaryOf(meta)) })

type Changes = Partial<
  Pick<
    Selectable<LibraryItemTable>,
    | 'slug'
    | 'name'
    | 'description'
    | 'keywords'
    | 'visibility'
    | 'version'
    | 'sha256'
    | 'size'
    | 'updatedAt'
    | 'lifeAt'
    | 'yanked'
    | 'newestVersion'
    | 'deprecation'
    | 'successor'
    | 'license'
  >
> & {
  hidden?: number
  tags?: readonly string[] | undefined
  meta?: Record<string, unknown>
}

/** Changes an item that is locked; what the caller is to it is no part of it. */
export async function changeItem(
  db: Transaction,
  { role: _role, ...before }: StoredItem & { role?: ItemRole | undefined },
  { tags, meta, ...changes }: Changes,
): Promise<void> {
  const after: StoredItem = {
    ...before,
    ...changes,
    ...(tags && { tags: JSON.stringify(tags) }),
    ...(meta && storedMeta(meta)),
  }
  after.listed = isListed(after) ? 1 : 0
  const { rowId: _key, id, ...columns } = after
  // Counts change by addition, in transactions of their own.
  const { score: _score, commentCount: _comments, ...set } = columns
  await queries.updateItem(db, id, set)
  await logChange(db, { before, after })
  await updateUses(db, before, after)
  const tagsAfter = tags ?? tagsOf(before)
  if (tags) await replaceTags(db, id, tags)
  if (wordsOf(after) !== wordsOf(before)) await indexItem(db, { ...after, tags: tagsAfter, ownerUsername: null })
  await showAgain(db, before, after)
  const indexed = { ...before, tags: tagsOf(before) }
  await recountItem(db, indexed, { ...after, tags: tagsAfter })
  const [had, has] = [tagsShown(indexed), tagsShown({ ...after, tags: tagsAfter })]
  await search(db, before, [...had.filter((tag) => !has.includes(tag)), ...has.filter((tag) => !had.includes(tag))])
}

/** Removes an item that is locked, with everything that belongs to it. Its bytes are swept once nothing refers to them. */
export async function removeItem(db: Transaction, item: StoredItem): Promise<void> {
  await logRemoval(db, item)
  await keepHashes(db, item)
  await queries.deleteItem(db, item.id)
  if (!item.gallery) {
    await deleteVotes(db, item.id)
    await deleteComments(db, { targetType: 'item', targetId: item.id })
    await keepSlugs(db, { kind: item.kind, targetId: item.id, ownerId: item.ownerId })
    await deleteEntry(db, item.id)
  }
  const indexed = { ...item, tags: tagsOf(item) }
  await recountItem(db, indexed, undefined)
  await search(db, { ...item, isGone: true }, tagsShown(indexed))
}

const tagsShown = ({ listed, tags }: Pick<StoredItem, 'listed'> & { tags: readonly string[] }) =>
  listed === 1 ? tags : []

/** What the search has of an item and of tags that it has now or had before. An org of the gallery is the gallery's own. */
async function search(
  db: Transaction,
  { id, gallery, isGone = false }: Pick<StoredItem, 'id' | 'gallery'> & { isGone?: boolean },
  tags: readonly string[],
): Promise<void> {
  if (gallery) return
  const document = await findDocument(db, id)
  const carried = new Set(await listCarried(db, tags))
  const [shown, empty] = [tags.filter((tag) => carried.has(tag)), tags.filter((tag) => !carried.has(tag))]
  await changeSearch(db, {
    put: [...(document ? [document] : []), ...shown.map(tagDocument)],
    removed: [...(document ? [] : [id]), ...empty.map(tagId)],
    removedOn: isGone ? [id] : [],
  })
}

const tagsOf = ({ tags }: Pick<StoredItem, 'tags'>) => parseJson<string[]>(tags)

const wordsOf = ({ slug, name, description, keywords, tags, visibility, listed }: StoredItem) =>
  [slug, name, description, keywords, tags, visibility, listed].join('\n')

/** The feed entry of an org of the gallery is the gallery's own. */
async function showAgain(db: Transaction, before: StoredItem, after: StoredItem): Promise<void> {
  if (after.gallery) return
  if (!after.listed) await deleteEntry(db, after.id)
  else if (before.listed)
    await updateEntry(db, after.id, { title: after.name, text: after.description, url: pathOf(after) })
  else await show(db, after)
}

type FeedItem = Pick<
  StoredItem,
  'id' | 'kind' | 'slug' | 'name' | 'description' | 'ownerId' | 'createdAt' | 'score' | 'commentCount' | 'listed'
> &
  Pick<StoredItem, 'viaClientId'>

/** Adds a listed workflow or automation to the feed; the gallery adds orgs. */
async function show(db: Transaction, item: FeedItem): Promise<void> {
  const { id, kind, name, description, ownerId, createdAt, viaClientId, score, commentCount } = item
  if (!item.listed || factsOf(kind).gallery) return
  const written = { authorId: ownerId, createdAt, viaClientId }
  const entry = { id, type: kind, title: name, text: description, ...written, url: pathOf(item) }
  await addEntry(db, entry, { score, commentCount })
}
