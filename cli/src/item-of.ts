// The item that a word names: kind/slug as people write it, or its id as lists show it.
import type { Client } from '../../client/src/create-client.ts'
import type { Item } from '../../client/src/derived/api.ts'
import { GuildhallError } from '../../client/src/errors.ts'
import { type ItemName, readName, type Spec } from './home.ts'
import { RefusedError, UsageError } from './usage.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a word is an id, as lists show it. */
export const isId = (word: string): boolean => ID.test(word)

/** `kind/slug`, an id, or `kind/id`. Throws UsageError before anything is asked of a server. */
export function readItem(word: string): (client: Client) => Promise<Item> {
  const name = readName(word)
  if (name) return (client) => byName(client, name)
  if (isId(word)) return ({ library }) => library.get({ id: word })
  throw new UsageError(`${word} names no item: write kind/slug, such as workflow/morning-digest`)
}

/** A slug that looks like an id is one, unless no item of this kind has it. */
async function byName({ library }: Client, name: ItemName): Promise<Item> {
  if (!isId(name.slug)) return library.find({ ...name })
  try {
    const item = await library.get({ id: name.slug })
    if (item.kind === name.kind) return item
  } catch (error) {
    if (!(error instanceof GuildhallError && error.status === 404)) throw error
  }
  return library.find({ ...name })
}

/** The same with a version after it: `kind/slug@1.0.0`. */
export function readItemVersion(word: string): { find: ReturnType<typeof readItem>; version: string | undefined } {
  const at = word.indexOf('@')
  if (at < 0) return { find: readItem(word), version: undefined }
  const version = word.slice(at + 1).trim()
  if (version === '') throw new UsageError(`${word} has no version after @`)
  return { find: readItem(word.slice(0, at)), version }
}

const MAX_RANGE = 256

/** The same with a version or a range after it, as a name: only an id is asked of the server. Throws UsageError before that. */
export function readSpec(word: string): (client: Client) => Promise<Spec> {
  const { find, version: range = 'latest' } = readItemVersion(word)
  if (range.length > MAX_RANGE) throw new UsageError(`${word} has no version after @`)
  const name = readName(word.split('@')[0] ?? '')
  if (name && !isId(name.slug)) return async () => ({ ...name, range })
  return async (client) => {
    const { id, kind, slug } = await find(client)
    // Files are named after this.
    const found = readName(`${kind}/${slug}`)
    if (!found) throw new RefusedError('resolve', `The server names the item ${id} in a way that no item is named`)
    return { ...found, range, ...(slug !== name?.slug && { id }) }
  }
}

/** Some of them, in their order. */
export async function findSpecs(client: Client, reading: readonly ReturnType<typeof readSpec>[]): Promise<Spec[]> {
  const all: Spec[] = []
  for (const find of reading) all.push(await find(client))
  return all
}
