// What entries of the audit log are about: the titles that things have now, and where they are, read in bulk. Subjects tell it in their
// declarations; hidden things and private ones have titles here too, because only admins read the log.
import { type FindTitles, titlesIn } from './content/title-queries.ts'
import type { PartsOff } from './contract/parts.ts'
import { keysOf } from './contract/records.ts'
import type { Db } from './database/schema.ts'
import { features } from './features.ts'
import { listedSubjects } from './subjects.ts'

const MAX_TITLE_LENGTH = 100

/** By the type that entries name. Credentials, sessions and what else has no name of its own is not here. */
const finders: Readonly<Record<string, FindTitles>> = Object.assign(
  Object.fromEntries(
    listedSubjects.map(({ type, record, text, url, ...subject }) => [
      type,
      titlesIn(subject.table, ['id', ...keysOf(record.shape)], (row) => ({
        ...{ id: row.id, title: text(row as never).title, url: url(row as never) },
      })),
    ]),
  ),
  ...features.map(({ titles }) => titles),
)

const findClients = features.find(({ clientTitles }) => clientTitles)?.clientTitles

/** Bugs, requests and posts that were merged: their old addresses lead to what they are part of now. */
const merged = titlesIn('mergedThing', ['id', 'title', 'type'], ({ id, title, type }) => ({
  ...{ id, title, url: `${listedSubjects.find((one) => one.type === type)?.path}/${id}` },
}))

interface Entry {
  targetType: string
  targetId: string
  detail: Record<string, unknown> | null
}

/** The detail of the entry names the target of a case. */
const typeOf = ({ targetType, detail }: Entry) => (targetType === 'case' ? String(detail?.['targetType']) : targetType)

/**
 * The targets of entries, in the order of the entries, with one query for each type among them. `removed` is a thing that is no longer
 * there; its title is the one that the entry recorded, if it did. Null for what has no title, such as a session, and for a thing of a part
 * that is off.
 */
export async function findAuditTargets(db: Db, entries: readonly Entry[], off: PartsOff) {
  const ids = Map.groupBy(entries, typeOf)
  const reads = [...ids].map(async ([type, some]) => {
    const find = finders[type]
    if (!find) return []
    const wanted = [...new Set(some.map(({ targetId }) => targetId))]
    const there = await find(db, wanted)
    const isMissing = listedSubjects.some((one) => one.type === type) && there.length < wanted.length
    return isMissing ? [...(await merged(db, wanted)), ...there] : there
  })
  const targets = new Map((await Promise.all(reads)).flat().map((target) => [target.id, target]))
  return entries.map((entry) => {
    if (!(typeOf(entry) in finders)) return null
    const target = targets.get(entry.targetId)
    if (isOff(typeOf(entry), target, off)) return null
    if (!target) return { title: recordedTitle(entry), url: null, removed: true }
    return { title: shorten(target.title), url: target.url, removed: false }
  })
}

const isOff = (type: string, target: { url: string | null } | undefined, { kinds, hasPage }: PartsOff): boolean =>
  kinds.has(type) || (target?.url != null && hasPage(target.url))

/** The fields of details that name something by id, and what. */
const NAMED: Readonly<Record<string, (entry: Entry) => string>> = {
  accountId: () => 'user',
  clientId: () => 'client',
  itemId: () => 'item',
  orgId: () => 'org',
  team: () => 'team',
  // What a comment is on, and what a thing was merged into.
  parentId: ({ detail }) => String(detail?.['on']),
  into: ({ targetType }) => targetType,
  // The owner before, or what a thing had been merged into.
  from: ({ targetType }) => (targetType === 'item' ? 'user' : targetType),
}

/** How that is called which the details of entries name by id, in the order of the entries. What is gone has no name. */
export async function findAuditNames(
  db: Db,
  entries: readonly Entry[],
  off: PartsOff,
): Promise<Record<string, string>[]> {
  const named = entries.map((entry) =>
    Object.entries(NAMED).flatMap(([field, type]) => {
      const id = entry.detail?.[field]
      return typeof id === 'string' ? [{ type: type(entry), id }] : []
    }),
  )
  const reads = [...Map.groupBy(named.flat(), ({ type }) => type)].map(async ([type, some]) => {
    const find = type === 'client' ? findClients : finders[type]
    const found = find ? await find(db, [...new Set(some.map(({ id }) => id))]) : []
    return found.filter((one) => !isOff(type, one, off))
  })
  const titles = new Map((await Promise.all(reads)).flat().map(({ id, title }) => [id, shorten(title)]))
  return named.map((some) =>
    Object.fromEntries(some.flatMap(({ id }) => (titles.has(id) ? [[id, titles.get(id) ?? '']] : []))),
  )
}

function recordedTitle({ detail }: Entry): string | null {
  const { title, name, slug } = detail ?? {}
  const recorded = [title, name, slug].find((one) => typeof one === 'string')
  return recorded === undefined ? null : shorten(recorded)
}

/** The first line, at most so long, never half a character. */
function shorten(title: string): string {
  const [line = ''] = title.trim().split('\n')
  const characters = [...line]
  return characters.length > MAX_TITLE_LENGTH
    ? `${characters
        .slice(0, MAX_TITLE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : line
}
