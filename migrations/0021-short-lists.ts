// Lists carry a summary of `meta`, and an org's page its first thousand roles: what there is already is cut once. The whole
// `meta` of an item moves to what is only read with the item itself. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const SUMMARY_BYTES = 4 * 1024
const MOST_ROLES = 1_000
const MOST_LINKS = 2_000
const AT_ONCE = 50

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .alterTable('itemReading')
    .addColumn('meta', postgres ? sql`text collate "C"` : sql`text`)
    .execute()
  await shortenMeta(db)
  await shortenCharts(db)
}

async function shortenMeta(db: AnyDb): Promise<void> {
  for (let after = 0; ; ) {
    const rows: { n: number; id: string; meta: string }[] = await db
      .selectFrom('libraryItem')
      .select(['n', 'id', 'meta'])
      .where('n', '>', after)
      // A character is at most three bytes of UTF-8, or six of an escape that is already there.
      .where(sql<boolean>`length(meta) > ${SUMMARY_BYTES / 4}`)
      .orderBy('n')
      .limit(AT_ONCE)
      .execute()
    for (const { id, meta } of rows) {
      if (Buffer.byteLength(meta) <= SUMMARY_BYTES) continue
      await db.updateTable('itemReading').set({ meta }).where('itemId', '=', id).execute()
      await db
        .updateTable('libraryItem')
        .set({ meta: JSON.stringify(summaryOf(JSON.parse(meta))) })
        .where('id', '=', id)
        .execute()
    }
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.n
  }
}

/** Every single value, texts cut, and of each list what fits into its share. */
function summaryOf(meta: Record<string, unknown>): Record<string, unknown> {
  const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200).toWellFormed() : value)
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const lists = Object.entries(meta).filter(([, value]) => Array.isArray(value)) as [string, unknown[]][]
  const summary = Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, cut(value)]))
  for (const [name] of lists) summary[name] = []
  summary['truncated'] = true
  const share = Math.floor((SUMMARY_BYTES - size(summary)) / Math.max(1, lists.length))
  for (const [name, entries] of lists) {
    const kept = summary[name] as unknown[]
    let bytes = 0
    for (const entry of entries.map(cut)) {
      bytes += size(entry) + 1
      if (bytes > share) break
      kept.push(entry)
    }
  }
  return summary
}

async function shortenCharts(db: AnyDb): Promise<void> {
  const large: { orgId: string }[] = await db
    .selectFrom('orgPage')
    .select('orgId')
    .where(sql<boolean>`length(chart) > 100000`)
    .execute()
  for (const { orgId } of large) {
    const { chart } = await db
      .selectFrom('orgPage')
      .select('chart')
      .where('orgId', '=', orgId)
      .executeTakeFirstOrThrow()
    const { roles, communication } = JSON.parse(chart) as { roles: unknown[]; communication: unknown[] }
    if (roles.length <= MOST_ROLES && communication.length <= MOST_LINKS) continue
    const short = { roles: roles.slice(0, MOST_ROLES), communication: communication.slice(0, MOST_LINKS) }
    await db
      .updateTable('orgPage')
      .set({ chart: JSON.stringify(short) })
      .where('orgId', '=', orgId)
      .execute()
  }
}
