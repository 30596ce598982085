// Domains that names of MCP servers say, and the versions that they prove.
import { type Insertable, sql } from 'kysely'
import { countChanged, countRows, recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { plain } from '../../database/rows.ts'
import type { Db, NameDomainTable, Transaction } from '../../database/schema.ts'

/** Has a domain asked, because a version of one of its names was signed. */
export async function upsertDomain(db: Transaction, { domain, now }: { domain: string; now: string }): Promise<void> {
  const row: Insertable<NameDomainTable> = {
    ...{ domain, publicKeys: '[]', signedAt: now, changes: 0 },
    ...{ dueAt: now, askedAt: null, namedAt: null },
  }
  await db
    .insertInto('nameDomain')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('domain').doUpdateSet(({ eb, ref }) => ({
        ...{ signedAt: now, dueAt: now },
        changes: eb(ref('nameDomain.changes'), '+', 1),
      })),
    )
    .execute()
}

const due = prepared((db, given: Bind<{ now: string; rested: string; limit: number }>) =>
  db
    .selectFrom('nameDomain')
    .select(['domain as key', 'dueAt as since'])
    .where('dueAt', '<=', given('now'))
    .where((row) => row.or([row('askedAt', 'is', null), row('askedAt', '<=', given('rested'))]))
    .orderBy(sql`case when "publicKeys" = '[]' then 1 else 0 end`)
    .orderBy('dueAt')
    .orderBy('domain')
    .limit(given('limit')),
)

/** Domains that are to be asked, and were not asked since `rested`: first those that have named keys. */
export const listDue = async (db: Db, of: { now: string; rested: string; limit: number }) => (await due(db, of)).rows

/** How many domains were asked since then. */
export const countAsked = (db: Db, since: string): Promise<number> =>
  countRows(db.selectFrom('nameDomain').where('askedAt', '>', since))

export const findDomain = plain.selectFrom('nameDomain', 'domain', [
  ...(['domain', 'publicKeys', 'signedAt', 'changes', 'dueAt', 'askedAt', 'namedAt'] as const),
])
type Domain = NonNullable<Awaited<ReturnType<typeof findDomain>>>

/** Notes that a domain is asked now; false where it was asked or is gone since it was read. */
export async function claimDomain(db: Db, { domain, askedAt }: Domain, now: string): Promise<boolean> {
  const one = db.updateTable('nameDomain').set({ askedAt: now }).where('domain', '=', domain)
  const still = askedAt === null ? one.where('askedAt', 'is', null) : one.where('askedAt', '=', askedAt)
  return (await countChanged(still)) === 1
}

interface Question {
  domain: string
  /** When it was asked: a later question has the last word. */
  askedAt: string
  changes: number
}

/** Notes what followed from a question. Where a version was signed since, the domain stays to be asked. */
export async function settleDomain(
  db: Db,
  { domain, askedAt, changes }: Question,
  { dueAt, ...said }: { dueAt: string; publicKeys?: string; namedAt?: string | null },
): Promise<void> {
  await db
    .updateTable('nameDomain')
    .set(({ eb, ref }) => ({
      ...said,
      dueAt: eb.case().when('changes', '=', changes).then(dueAt).else(ref('dueAt')).end(),
    }))
    .where('domain', '=', domain)
    .where('askedAt', '=', askedAt)
    .execute()
}

/** Forgets a domain, unless a version was signed since, or it was asked again. */
export async function deleteDomain(db: Db, { domain, askedAt, changes }: Question): Promise<void> {
  const one = db.deleteFrom('nameDomain').where('domain', '=', domain).where('askedAt', '=', askedAt)
  await one.where('changes', '=', changes).execute()
}

/** Whether there is a signed version of an item whose slug begins so; its key is not revoked. */
export async function isSignedFor(db: Db, prefix: string): Promise<boolean> {
  const row = await db
    .selectFrom('libraryItem as item')
    .innerJoin('versionStatement as statement', 'statement.itemId', 'item.id')
    .innerJoin('publisherKey as key', 'key.id', 'statement.keyId')
    .select('item.id')
    .where('item.kind', '=', sql.lit('mcp-server' as const))
    .where('item.slug', '>=', prefix)
    // The letter after the underscore at its end.
    .where('item.slug', '<', `${prefix.slice(0, -1)}\``)
    .where('key.revokedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface NamedVersion {
  itemId: string
  version: string
  domain: string
}

const named = prepared((db, given: Bind<{ versions: string; since: string }>) =>
  db
    .selectFrom(recordsIn<NamedVersion>(db, given('versions'), { itemId: 'text', version: 'text', domain: 'text' }))
    .innerJoin('nameDomain as named', 'named.domain', 'given.domain')
    .innerJoin('versionStatement as statement', (join) =>
      join.onRef('statement.itemId', '=', 'given.itemId').onRef('statement.version', '=', 'given.version'),
    )
    .innerJoin('publisherKey as key', 'key.id', 'statement.keyId')
    .select(['given.itemId', 'given.version', 'key.publicKey', 'named.publicKeys'])
    .where('key.revokedAt', 'is', null)
    .where('named.namedAt', '>', given('since')),
)

/** Versions that a key signed which is not revoked, with the keys that their domains named since then. */
export const listNamed = async (db: Db, versions: readonly NamedVersion[], since: string) =>
  (await named(db, { versions: JSON.stringify(versions), since })).rows
