// Items and versions of many names at once: each statement has one parameter, for any number of them.
import { recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import type { Kind } from '../items/item-contract.ts'
import type { StoredVersion } from '../items/queries.ts'

/** What responses have of a version, and what it is chosen by. */
export type NamedVersion = Pick<
  StoredVersion,
  'itemId' | 'number' | 'version' | 'precedence' | 'sha256' | 'size' | 'yankedAt'
>

const told = [
  ...(['version.itemId', 'version.number', 'version.version', 'version.precedence'] as const),
  ...(['version.sha256', 'version.size', 'version.yankedAt'] as const),
]

/** How an item is called. */
export interface Name {
  kind: Kind
  slug: string
}

const columns = [
  ...(['item.id', 'item.kind', 'item.slug', 'item.ownerId', 'item.visibility', 'item.hidden', 'item.gallery'] as const),
  ...(['item.teamId', 'item.name', 'item.version', 'item.deprecation', 'item.successor'] as const),
  ...(['owner.username as ownerUsername', 'owner.name as ownerName', 'owner.blockedAt as authorBlockedAt'] as const),
]

const itemsByName = prepared((db, given: Bind<{ names: string }>) =>
  db
    .selectFrom(recordsIn<Name>(db, given('names'), { kind: 'text', slug: 'text' }))
    .innerJoin('libraryItem as item', (join) =>
      join.onRef('item.kind', '=', 'given.kind').onRef('item.slug', '=', 'given.slug'),
    )
    .leftJoin('user as owner', 'owner.id', 'item.ownerId')
    .select(columns)
    .select('given.slug as asked'),
)

const itemsByFormerName = prepared((db, given: Bind<{ names: string }>) =>
  db
    .selectFrom(recordsIn<Name>(db, given('names'), { kind: 'text', slug: 'text' }))
    .innerJoin('slug as former', (join) =>
      join.onRef('former.kind', '=', 'given.kind').onRef('former.slug', '=', 'given.slug'),
    )
    .innerJoin('libraryItem as item', 'item.id', 'former.targetId')
    .leftJoin('user as owner', 'owner.id', 'item.ownerId')
    .select(columns)
    .select('given.slug as asked'),
)

export type NamedItem = Awaited<ReturnType<typeof listNamed>>[number]

/** The items of these names, of today or from before, hidden and private ones too, in no order. `asked` is the slug of the name. */
export async function listNamed(db: Db, names: readonly Name[]) {
  const asked = names.map(({ kind, slug }) => ({ kind, slug }))
  const { rows } = await itemsByName(db, { names: JSON.stringify(asked) })
  const keys = new Set(rows.map(({ kind, asked: slug }) => `${kind}/${slug}`))
  const left = asked.filter(({ kind, slug }) => !keys.has(`${kind}/${slug}`))
  if (left.length === 0) return rows
  return [...rows, ...(await itemsByFormerName(db, { names: JSON.stringify(left) })).rows]
}

const newestOf = prepared((db, given: Bind<{ items: string; each: number }>) =>
  db
    .selectFrom(recordsIn<{ itemId: string }>(db, given('items'), { itemId: 'text' }))
    .innerJoin('itemVersion as version', 'version.itemId', 'given.itemId')
    .select(told)
    .where((row) =>
      row(
        'version.number',
        '>',
        row
          .selectFrom('itemVersion as last')
          .select((last) => last(last.fn.max('last.number'), '-', given('each')).as('before'))
          .whereRef('last.itemId', '=', 'given.itemId'),
      ),
    )
    .orderBy('version.number', 'desc'),
)

/** The newest versions of each of these items, newest first: those of the last `each` numbers. */
export async function listNewest(db: Db, itemIds: readonly string[], each: number): Promise<readonly NamedVersion[]> {
  const items = JSON.stringify(itemIds.map((itemId) => ({ itemId })))
  return (await newestOf(db, { items, each })).rows
}

const exactly = prepared((db, given: Bind<{ versions: string }>) =>
  db
    .selectFrom(
      recordsIn<Pick<StoredVersion, 'itemId' | 'precedence'>>(db, given('versions'), {
        itemId: 'text',
        precedence: 'text',
      }),
    )
    .innerJoin('itemVersion as version', (join) =>
      join.onRef('version.itemId', '=', 'given.itemId').onRef('version.precedence', '=', 'given.precedence'),
    )
    .select(told),
)

/** Exact versions of items, in no order. */
export async function listExact(
  db: Db,
  versions: readonly Pick<StoredVersion, 'itemId' | 'precedence'>[],
): Promise<readonly NamedVersion[]> {
  return (await exactly(db, { versions: JSON.stringify(versions) })).rows
}

const pageOf = prepared((db, given: Bind<{ itemId: string; limit: number; offset: number }>) =>
  db
    .selectFrom('itemVersion as version')
    .select(told)
    .where('version.itemId', '=', given('itemId'))
    .orderBy('version.number', 'desc')
    .limit(given('limit'))
    .offset(given('offset')),
)

/** A page of the versions of an item, newest first. */
export async function listVersionPage(
  db: Db,
  itemId: string,
  range: { limit: number; offset: number },
): Promise<readonly NamedVersion[]> {
  return (await pageOf(db, { itemId, ...range })).rows
}
