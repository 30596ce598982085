// Writes the records of an import: things as their subjects have them, with their times, numbers and authors. They notify no one, and use no
// budget.
import { addReplies, findComment, insertComment } from '../../content/comment-rows/queries.ts'
import { count, putComment } from '../../content/comments/comments.ts'
import { addToEntries } from '../../content/entries/entries.ts'
import {
  findImported,
  findImportedThing,
  insertFullText,
  insertImported,
  listByNumber,
  listByUrl,
} from '../../content/imported/queries.ts'
import { findLabelId } from '../../content/labelled/queries.ts'
import { createLabel } from '../../content/labels/labels.ts'
import type { Store } from '../../content/store/queries.ts'
import { publish } from '../../content/subjects/publication.ts'
import { putState } from '../../content/threads/queries.ts'
import { mapVotesOf, storeVotes } from '../../content/votes/queries.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import { oneLine } from '../../contract/storable.ts'
import type { Db, ImportedTable } from '../../database/schema.ts'
import { withPictures } from '../../formats/imports/pictures.ts'
import { type CommentRecord, LabelRecord, type ThingRecord, type VoteRecord } from '../../formats/imports/record.ts'
import { parseJson } from '../../runtime/untyped.ts'
import * as bugs from '../bugs/feature.ts'
import * as features from '../features/feature.ts'
import * as posts from '../posts/feature.ts'
import type { WriteBatch } from './batch.ts'
import { accountOf } from './people.ts'
import { ownAddresses } from './pictures.ts'
import { findRecord } from './queries.ts'
import { cutText, importedId, type Leads, mentionsIn, momentIn, ranks, statusOf, withReferences } from './rules.ts'

// Where numbers and addresses in the texts of a source lead.

/** Things that one text may lead to; a text that mentions more keeps the others as they are. */
const MOST = 200

const pathOf = ({ type, thingId }: Pick<ImportedTable, 'type' | 'thingId'>) =>
  `/community/${type === 'feature' ? 'features' : `${type}s`}/${thingId}`

/** What a text mentions of its own source. */
async function leadsOf(
  db: Db,
  { scope, like }: { scope: string; like: { url?: string | null | undefined; number?: number | null | undefined } },
  text: string,
): Promise<Leads> {
  const { numbers, urls } = mentionsIn(text)
  const [byNumber, byUrl] = [
    await listByNumber(db, scope, numbers.slice(0, MOST)),
    await listByUrl(db, urls.slice(0, MOST)),
  ]
  const numbered = new Map(byNumber.map((one) => [one.number, one]))
  const addressed = new Map(byUrl.toReversed().map((one) => [one.url, one]))
  // The address of a thing ends with its number, so others have theirs there.
  const { url: address, number: own } = like
  const base = address && own && address.endsWith(`/${own}`) ? address.slice(0, -String(own).length) : undefined
  return {
    number(number) {
      const own = numbered.get(number)?.ownNumber
      return own == null ? undefined : { number: own }
    },
    addressOf: (number) => base && `${base}${number}`,
    url(url) {
      const found = addressed.get(url)
      return found?.ownNumber == null ? undefined : { number: found.ownNumber, path: pathOf(found) }
    },
  }
}

/** What is written into a subject by an import. */
interface StoredThing {
  id: string
  authorId: string
  createdAt: string
  number: number
}
type AnyStore = Store<StoredThing, string, 'delete'>

export const stores = { bug: bugs.store, feature: features.store, post: posts.store } as unknown as Readonly<
  Record<ThingRecord['kind'], AnyStore>
>

export const MAX_TITLE = 100
export const longestTexts = { bug: 1_000, feature: 1_000, post: 2_000, comment: 1_000 } as const
const MAX_LABEL = { name: 30, description: 200 }
const NO_COLOR = '#808080'
const EMPTY = '(no text)'

/** Gives a thing its id and its number, before texts that name it are written. */
export async function nameThing(
  { db, row, scope, now }: WriteBatch,
  thing: ThingRecord,
  ownNumber: number,
): Promise<void> {
  const { id: sourceId, kind: type, url = null, number = null } = thing
  const thingId = importedId(momentIn(thing.createdAt, now), scope, type, sourceId)
  await insertImported(db, { scope, type, sourceId, importId: row.id, thingId, number, ownNumber, url })
}

/** Writes a thing that has its number, with its labels. */
export async function writeThing(writing: WriteBatch, thing: ThingRecord): Promise<void> {
  const { db, row, scope, now, done } = writing
  const found = await findImported(db, { scope, type: thing.kind, sourceId: thing.id })
  // It came with an earlier import.
  if (found?.importId !== row.id || found.ownNumber === null) {
    done.skipped++
    return
  }
  const store = stores[thing.kind]
  const createdAt = momentIn(thing.createdAt, now)
  const authorId = await accountOf(writing, thing.author, createdAt)
  const wholeTitle = oneLine(thing.title).trim() || EMPTY
  const { text: title, isCut } = cutText(wholeTitle, MAX_TITLE)
  const text = await textOf(writing, {
    id: found.thingId,
    // A title has no place for more: its text begins with the whole one.
    text: isCut ? `${wholeTitle}\n\n${thing.text}` : thing.text,
    most: longestTexts[thing.kind],
    like: thing,
  })
  const base = { id: found.thingId, number: found.ownNumber, authorId, createdAt, editedAt: null, title }
  await store.insert(db, { ...base, ...fieldsOf(thing, text, now) } as StoredThing)
  const url = store.subject.url(base)
  await publish(db, { ...base, type: thing.kind, url, text })
  await attachLabels(writing, { type: thing.kind, id: base.id, names: thing.labels, moment: createdAt })
  if (thing.isLocked)
    await putState(db, { id: base.id, type: thing.kind, lockedAt: momentIn(thing.updatedAt ?? thing.createdAt, now) })
  done.things++
}

/** What differs between the kinds. */
function fieldsOf({ kind, state, severity, createdAt, updatedAt }: ThingRecord, text: string, now: string) {
  if (kind === 'post') return { body: text }
  const worked = { description: text, status: statusOf(kind, state), updatedAt: momentIn(updatedAt ?? createdAt, now) }
  return kind === 'bug' ? { ...worked, severity: severity ?? 'medium' } : worked
}

interface GivenText {
  id: string
  text: string
  most: number
  /** The thing that it is of or on: its address says how those of others are. */
  like: Parameters<typeof leadsOf>[1]['like']
}

/** A text as its field has it. What is longer is kept beside it. */
async function textOf({ db, row, scope }: WriteBatch, { id, text: given, most, like }: GivenText): Promise<string> {
  const pictures = await ownAddresses(db, { importId: row.id, scope, of: like.url }, given)
  const pictured = pictures.size > 0 ? withPictures(given, (named) => pictures.get(named)) : given
  const leads = await leadsOf(db, { scope, like }, pictured)
  const whole = withReferences(pictured, leads).trim() || EMPTY
  const { text, isCut } = cutText(whole, most)
  if (isCut) await insertFullText(db, { thingId: id, text: whole })
  return text
}

interface Labelled {
  type: ThingRecord['kind']
  id: string
  names: readonly string[]
  moment: string
}

async function attachLabels(writing: WriteBatch, { type, id, names, moment }: Labelled): Promise<void> {
  const { labelling, findLockedAny } = stores[type]
  if (!labelling || names.length === 0) return
  const thing = await findLockedAny(writing.db, id)
  if (!thing) return
  for (const name of names) {
    const label = await labelOf(writing, name, moment)
    if (label !== undefined) await labelling.attach(writing.db, thing, label)
  }
}

/** The label of a name, made where there is none; undefined where one that came before was deleted here. */
async function labelOf(writing: WriteBatch, given: string, moment: string): Promise<string | undefined> {
  const { db, row, scope, labels, done } = writing
  const name = cutText(oneLine(given).trim() || EMPTY, MAX_LABEL.name).text
  const key = name.toLowerCase()
  const known = labels.get(key) ?? (await findLabelId(db, name))
  if (known !== undefined) {
    labels.set(key, known)
    return known
  }
  const former = await findImported(db, { scope, type: 'label', sourceId: key })
  // It may have another name by now.
  if (former) return findLabelId(db, former.thingId)
  const stored = await findRecord(db, row.id, `${ranks.label} ${given.toLowerCase()}`)
  const { color = NO_COLOR, description } = stored === undefined ? {} : LabelRecord.parse(parseJson(stored))
  const said = oneLine(description ?? '').trim()
  const id = importedId(moment, scope, 'label', key)
  const made = await createLabel(db, {
    id,
    name,
    color: color.toLowerCase(),
    description: cutText(said, MAX_LABEL.description).text || null,
  })
  // Another one took the name at this moment.
  if (made === undefined) return findLabelId(db, name)
  await insertImported(db, {
    ...{ scope, type: 'label', sourceId: key, importId: row.id },
    ...{ thingId: id, number: null, ownNumber: null, url: null },
  })
  labels.set(key, id)
  done.labels++
  return id
}

/** Writes a comment on a thing that came along, also with an earlier import. */
export async function writeComment(writing: WriteBatch, comment: CommentRecord): Promise<void> {
  const { db, row, scope, now, done } = writing
  const key = { scope, type: 'comment', sourceId: comment.id }
  const on = await findImportedThing(db, { scope, sourceId: comment.thing })
  const store = on && stores[on.type as ThingRecord['kind']]
  const parent = on && (await store?.findLockedAny(db, on.thingId))
  if (!on || !store || !parent || (await findImported(db, key))) {
    done.skipped++
    return
  }
  const createdAt = momentIn(comment.createdAt, now)
  const id = importedId(createdAt, scope, 'comment', comment.id)
  const authorId = await accountOf(writing, comment.author, createdAt)
  const text = await textOf(writing, { id, text: comment.text, most: longestTexts.comment, like: on })
  const target = { targetType: on.type, targetId: on.thingId }
  const parentId = await threadOf(writing, comment.parent, target)
  const made = { id, authorId, createdAt, ...target, viaClientId: null }
  await insertComment(db, { ...made, parentId, body: text })
  if (parentId) await addReplies(db, parentId, 1)
  await count(
    db,
    { type: on.type, addCounts: store.addCounts },
    { targetId: on.thingId, comments: 1, replies: parentId ? 1 : 0, activeAt: createdAt },
  )
  if (parent.hidden === 0) await putComment(db, store, { ...made, body: text })
  await insertImported(db, {
    ...key,
    ...{ importId: row.id, thingId: id, number: null, ownNumber: null, url: comment.url ?? null },
  })
  if (comment.isSolution) await putState(db, { id: on.thingId, type: on.type, solutionId: id })
  done.comments++
}

/** The comment under which a reply hangs: threads are one deep here. */
async function threadOf(
  { db, scope }: WriteBatch,
  parent: string | undefined,
  { targetId }: { targetId: string },
): Promise<string | null> {
  if (parent === undefined) return null
  const found = await findImported(db, { scope, type: 'comment', sourceId: parent })
  const comment = found && (await findComment(db, found.thingId))
  if (comment?.targetId !== targetId) return null
  return comment.thread === targetId ? comment.id : comment.thread
}

/** Writes votes of people on things that came along. A vote that is here stays. */
export async function writeVotes(writing: WriteBatch, votes: readonly VoteRecord[]): Promise<void> {
  const { db, scope, now, done } = writing
  for (const { thing, person, value, createdAt } of votes) {
    const on = await findImportedThing(db, { scope, sourceId: thing })
    const store = on && stores[on.type as ThingRecord['kind']]
    const row = on && (await store?.findLockedAny(db, on.thingId))
    const userId = row && (await accountOf(writing, person, momentIn(createdAt ?? row.createdAt, now)))
    const pair = { targetId: on?.thingId ?? '', userId: userId ?? DELETED_USER }
    const key = { scope, type: 'vote', sourceId: JSON.stringify([thing, person]) }
    const isHere = (await mapVotesOf(db, [pair])).size > 0 || (await findImported(db, key)) !== undefined
    if (!on || !store || pair.userId === DELETED_USER || isHere) {
      done.skipped++
      continue
    }
    await storeVotes(db, [{ ...pair, value }])
    // Its account is the row here: what clears an account clears this.
    const { id: importId } = writing.row
    await insertImported(db, { ...key, importId, thingId: pair.userId, number: null, ownNumber: null, url: null })
    await store.addScores(db, [{ id: on.thingId, score: value }])
    await addToEntries(db, [{ id: on.thingId, score: value }])
    done.votes++
  }
}
