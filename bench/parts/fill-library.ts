// Fills a new database with a library of any size.
import { createHash } from 'node:crypto'
import { addAccounts, userId } from './fill-accounts.ts'
import { type Filling, fillDatabase } from './filling.ts'
import { each, moment } from './made-up.ts'

export interface LibrarySize {
  items: number
  versionsEach: number
  users: number
}

const words =
  'mail digest berth invoice report harbor queue ticket notes sync board watch upload price stock weather'.split(' ')
const kinds = ['workflow', 'automation', 'org'] as const
/** In the description of every fourth item. */
export const COMMON = 'quarterly'
/** In one item's description. */
export const rareWord = (index: number) => `zx${((index * 7919) % 1_000_003).toString(36)}qv`

const itemId = (index: number) => `01910000-0000-7000-a000-${index.toString(16).padStart(12, '0')}`
export const slugOfItem = (index: number) => `item-${index}`
export const kindOf = (index: number) => kinds[index % 3]!

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const phrase = (seed: number, length: number) =>
  Array.from({ length }, (_, at) => words[(seed * 31 + at * (1 + (seed % 7)) + (seed >> 4)) % words.length]).join(' ')
const meta = JSON.stringify({
  node_types: ['trigger.cron', 'mail.send', 'http.get'],
  trigger_types: ['trigger.cron'],
  required_automations: [],
})
const SIZE = 2_048

/** Makes the database at `url`: item `i` is the i-th oldest, every fourth carries the tag `common`. */
export async function fillLibrary(url: string, size: LibrarySize): Promise<void> {
  await fillDatabase(url, async (into) => {
    // The limit of 30 uploads an hour is off in a bench.
    await addAccounts(into, size.users, (index) => (index === 0 ? { role: 'admin' } : {}))
    await addLibrary(into, size)
    await settle(into)
  })
}

/** A server would take in what came before there was a log, and read the files, in the background and for minutes: beside what is measured. */
const settle = (into: Filling) => into.run(`update job set "doneAt" = '${moment(0)}' where kind like '%.backfill'`)

/** Adds them to a database that is being filled, whose accounts are there. */
export async function addLibrary(into: Filling, size: LibrarySize): Promise<void> {
  await addItems(into, size)
  await addVersions(into, size)
  await count(into)
}

const scoreOf = (index: number) => (index * 37) % 1000
const isCommon = (index: number) => index % 4 === 0
const tagsOf = (index: number) => [
  words[index % words.length]!,
  `group-${index % 5000}`,
  ...(isCommon(index) ? ['common'] : []),
]
const textOf = (index: number) => ({
  name: `${phrase(index, 3)} ${index}`,
  description: `${phrase(index + 5, 24)} ${isCommon(index) ? COMMON : 'weekly'} ${rareWord(index)}`,
})

async function addItems(into: Filling, { items, versionsEach, users }: LibrarySize): Promise<void> {
  const last = versionsEach - 1
  const item = (index: number) => ({
    ...{ rowId: index + 1, id: itemId(index), kind: kindOf(index), slug: slugOfItem(index), ...textOf(index) },
    ...{ keywords: '', ownerId: userId(index % users), visibility: 'public', listed: 1, gallery: 0 },
    ...{ version: `1.0.${last}`, sha256: hash(`${index}/${last}`), size: SIZE, meta },
    ...{ tags: JSON.stringify(tagsOf(index)), score: scoreOf(index) },
    ...{ createdAt: moment(index), updatedAt: moment(index) },
  })
  const text = (index: number) => {
    const { name, description } = textOf(index)
    const found = [name, description, slugOfItem(index), ...tagsOf(index)].join('\n').toLowerCase()
    const facets = `pub ${kindOf(index).slice(0, 3)}`
    return { rowId: index + 1, text: found, owner: `user${index % users}`, facets }
  }
  const details = (index: number) => ({
    ...{
      itemId: itemId(index),
      version: `1.0.${last}`,
      readme: '# Read me',
      contents: '{"files":[],"permissions":null}',
    },
  })
  await into.add('libraryItem', each(items, item))
  if (into.engine === 'postgres') await into.run(`select setval('"libraryItem_rowId_seq"', ${items})`)
  await into.add('itemText', each(items, text))
  await into.add('versionDetails', each(items, details))
}

async function addVersions(into: Filling, { items, versionsEach }: LibrarySize): Promise<void> {
  const versionOf = (row: number) => {
    const [index, number] = [Math.floor(row / versionsEach), row % versionsEach]
    const version = `1.0.${number}`
    const key = { itemId: itemId(index), number: number + 1, version, precedence: version }
    return { ...key, sha256: hash(`${index}/${number}`), size: SIZE, createdAt: moment(index) }
  }
  await into.add('itemVersion', each(items * versionsEach, versionOf))
  // What triggers copy (migrations/0003-ordered-tags.ts).
  const copied = (index: number) => ({
    ...{ kind: kindOf(index), visibility: 'public', listed: 1, updatedAt: moment(index) },
    ...{ score: scoreOf(index), rank: 2_067_065 },
  })
  function* tags() {
    for (let index = 0; index < items; index++)
      for (const tag of tagsOf(index)) yield { tag, itemId: itemId(index), ...copied(index) }
  }
  await into.add('itemTag', tags())
}

async function count(into: Filling): Promise<void> {
  for (const scope of ['public', ...kinds.map((kind) => `public/${kind}`)]) {
    const where = scope === 'public' ? '' : `where i.kind = '${scope.slice('public/'.length)}'`
    await into.run(`insert into "itemCount" (scope, tag, count) select '${scope}', t.tag, count(*)
      from "itemTag" t join "libraryItem" i on i.id = t."itemId" ${where} group by t.tag`)
  }
  for (const group of ["'all/'", `'by/' || "ownerId" || '/'`]) {
    await into.run(`insert into counter (key, count)
      select 'item/' || ${group} || visibility || '/' || kind || '/', count(*) from "libraryItem" group by 1`)
  }
  // What a trigger counts (migrations/0001-start/triggers.ts).
  await into.run(`insert into "storedBytes" ("accountId", bytes, "avatarBytes") select i."ownerId", sum(v.size), 0
    from "itemVersion" v join "libraryItem" i on i.id = v."itemId" group by i."ownerId"`)
}
