// Fills a new SQLite database with a library of any size, by prepared statements.
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { fill, userId } from './fill.ts'

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

export const itemId = (index: number) => `01910000-0000-7000-a000-${index.toString(16).padStart(12, '0')}`
export const slugOfItem = (index: number) => `item-${index}`
export const kindOf = (index: number) => kinds[index % 3]!

const moment = (index: number) => new Date(Date.UTC(2026, 1, 1) + index * 1000).toISOString()
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const phrase = (seed: number, length: number) =>
  Array.from({ length }, (_, at) => words[(seed * 31 + at * (1 + (seed % 7)) + (seed >> 4)) % words.length]).join(' ')

/** Makes the database at `path`: item `i` is the i-th oldest, every fourth carries the tag `common`. */
export async function fillLibrary(path: string, { items, versionsEach, users }: LibrarySize): Promise<void> {
  await fill(path, { bugs: 1, votes: 0, users })
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; pragma cache_size = -200000; begin')
  // The index of texts is built at the end, in one go.
  const { sql } = db.prepare(`select sql from sqlite_master where name = 'itemText_added'`).get() as { sql: string }
  db.exec('drop trigger "itemText_added"')
  const statements = prepare(db)
  for (let index = 0; index < items; index++) insertItem(statements, index, { versionsEach, users })
  for (const scope of ['public', ...kinds.map((kind) => `public/${kind}`)]) {
    const where = scope === 'public' ? '' : `where i.kind = '${scope.slice('public/'.length)}'`
    db.exec(`insert into itemCount select '${scope}', '', count(*) from libraryItem i ${where};
      insert into itemCount select '${scope}', t.tag, count(*) from itemTag t join libraryItem i on i.id = t.itemId ${where} group by t.tag`)
  }
  db.exec(`${sql}; insert into "itemTextIndex"("itemTextIndex") values ('rebuild')`)
  // The limit of 30 uploads an hour is off in a bench.
  db.exec(`update user set role = 'admin' where id = '${userId(0)}'`)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}

const prepare = (db: DatabaseSync) => ({
  item: db.prepare(
    `insert into libraryItem (n, id, kind, slug, name, description, keywords, ownerId, visibility, listed, gallery, version, sha256, size, meta, tags, score, createdAt, updatedAt)
     values (?, ?, ?, ?, ?, ?, '', ?, 'public', 1, 0, ?, ?, 2048, ?, ?, ?, ?, ?)`,
  ),
  version: db.prepare('insert into itemVersion values (?, ?, ?, ?, ?, 2048, ?)'),
  tag: db.prepare('insert into itemTag values (?, ?)'),
  text: db.prepare('insert into itemText values (?, ?, ?, ?)'),
  reading: db.prepare(`insert into itemDetails values (?, '# Read me', '{"files":[],"permissions":null}')`),
})

function insertItem(
  statements: ReturnType<typeof prepare>,
  index: number,
  { versionsEach, users }: Pick<LibrarySize, 'versionsEach' | 'users'>,
): void {
  const id = itemId(index)
  const owner = index % users
  const name = `${phrase(index, 3)} ${index}`
  const common = index % 4 === 0
  const description = `${phrase(index + 5, 24)} ${common ? COMMON : 'weekly'} ${rareWord(index)}`
  const tags = [words[index % words.length]!, `group-${index % 5000}`, ...(common ? ['common'] : [])]
  const meta = {
    node_types: ['trigger.cron', 'mail.send', 'http.get'],
    trigger_types: ['trigger.cron'],
    required_automations: [],
  }
  const at = moment(index)
  const last = `1.0.${versionsEach - 1}`
  statements.item.run(
    ...[index + 1, id, kindOf(index), slugOfItem(index), name, description, userId(owner), last],
    ...[hash(`${index}/${versionsEach - 1}`), JSON.stringify(meta), JSON.stringify(tags), (index * 37) % 1000, at, at],
  )
  for (let number = 0; number < versionsEach; number++) {
    const version = `1.0.${number}`
    statements.version.run(id, number + 1, version, version, hash(`${index}/${number}`), at)
  }
  for (const tag of tags) statements.tag.run(tag, id)
  statements.text.run(
    index + 1,
    [name, description, slugOfItem(index), ...tags].join('\n').toLowerCase(),
    `user${owner}`,
    `pub ${kindOf(index).slice(0, 3)}`,
  )
  statements.reading.run(id)
}
