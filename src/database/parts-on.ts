// Conditions by which queries leave parts out that are off.
import { type RawBuilder, sql } from 'kysely'
import { leadsToPart } from './engine.ts'

interface Off {
  key: string
  kinds: ReadonlySet<string>
  pages: readonly string[]
  operations: readonly string[]
}

/** That a thing of this type is of a part that is on: a library item by its kind. Undefined where every kind is on. */
export function isOfPartOn(
  { kinds }: Pick<Off, 'kinds'>,
  { type, id }: { type: string; id: string },
): RawBuilder<boolean> | undefined {
  if (kinds.size === 0) return undefined
  const off = sql.join([...kinds])
  return sql<boolean>`(${sql.ref(type)} is null or not (${sql.ref(type)} in (${off})
    or exists (select 1 from "libraryItem" part_item where part_item.id = ${sql.ref(id)} and part_item.kind in (${off}))))`
}

/** What no write that an agent asks for may have in its detail: the operations and the pages that are off. */
const askedOf = ({ operations, pages }: Off): string[] => [
  ...operations.map((name) => (name.includes('.') ? `"operation":"${name}"` : `"operation":"${name}.`)),
  ...pages.flatMap((page) => ['"', '/'].map((end) => `"about":"${page}${end}`)),
]

/** That the part of an event is on: its page, its thing, and what an agent asks for with what that is about. */
export function isEventOn(off: Off): RawBuilder<boolean> | undefined {
  if (off.key === '') return undefined
  const askedOn = askedOf(off).map((part) => sql<boolean>`event.detail not like ${`%${part}%`}`)
  const asked =
    askedOn.length > 0 ? sql<boolean>`(event.kind <> 'asked' or (${sql.join(askedOn, sql` and `)}))` : undefined
  const all = [
    leadsToPart('event.url', off),
    isOfPartOn(off, { type: 'event.targetType', id: 'event.targetId' }),
    asked,
  ].filter((one) => one !== undefined)
  return all.length === 0 ? undefined : sql<boolean>`(${sql.join(all, sql` and `)})`
}
