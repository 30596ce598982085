// Where things came from, as people write it: `acme/looms#42`, or an address there.
import { MAX_NUMBER, sourceNames } from '../../contract/import-sources.ts'
import type { Db } from '../../database/schema.ts'
import { findMerged } from '../merged/queries.ts'
import { listByNumbers, listByUrl } from './queries.ts'

/** The name of one place at a source: ids and numbers are unique within it. */
export const scopeOf = ({ source, name }: { source: string; name: string }): string => `${source} ${name}`

/** That are looked at for one query. */
const MOST = 20

/** The ids of things whose origin this is: what was merged counts as what it was merged into. */
export async function listByOrigin(db: Db, written: string): Promise<string[]> {
  const text = written.trim()
  const [, name, number] = /^(\S{1,100})#(\d{1,10})$/.exec(text) ?? []
  const isAddress = /^https?:\/\/\S+$/i.test(text)
  const places =
    name === undefined || Number(number) > MAX_NUMBER ? [] : sourceNames.map((source) => scopeOf({ source, name }))
  const found = isAddress
    ? await listByUrl(db, [...new Set([text, text.replace(/[?#].*$/, '').replace(/\/$/, '')])])
    : await listByNumbers(db, places, [Number(number)])
  const ids = found.slice(0, MOST).map(async ({ thingId }) => (await findMerged(db, thingId))?.targetId ?? thingId)
  return [...new Set(await Promise.all(ids))]
}
