// The log of what is public in the library, as other folders use it, and what it says. An entry is one line of JSON with its fields in this
// order. Names of accounts are in none: what the log has can never be removed.
import type { Transaction } from '../database/schema.ts'
import { insertEntry } from './queries.ts'

/** A version and what was published as it; `statement` is the SHA-256 of the payload of its signed statement, in hex. */
interface VersionFacts {
  version: string
  sha256: string
  size: number
  statement: string
}

/** Where an item stands: the id stays, the name `kind/slug` can change. */
interface ItemName {
  item: string
  name: string
}

type LogEntry = ItemName &
  (
    | ({ type: 'publish' } & VersionFacts)
    | { type: 'yank' | 'unyank'; version: string }
    /** The item is not public any more, because its owner or a moderator said so; or it is again. */
    | { type: 'withdraw'; by: 'owner' | 'moderation' }
    | { type: 'restore' | 'official' | 'unofficial' | 'delete' }
    | { type: 'rename'; to: string }
  )

/** A bundle writes the length of an entry in two bytes. */
const MAX_FACTS_BYTES = 65_000

/** What an entry says, as it waits for its place. */
function factsOf({ type, item, name, ...facts }: LogEntry): string {
  const text = JSON.stringify({ type, item, name, ...facts })
  if (Buffer.byteLength(text) > MAX_FACTS_BYTES) throw new Error(`an entry of the log about ${item} is too long`)
  return text
}

/** The leaf: its facts with the version of this format and the moment when the log took it in. */
export const leafOf = (facts: string, time: string): string => `{"v":1,"time":${JSON.stringify(time)},${facts.slice(1)}`

/**
 * Adds an entry to the log in the transaction of what it tells of. The transaction holds the lock of the item, so that entries of one
 * item are in the order of what happened. It takes no lock, and waits for no other entry.
 */
export async function appendLog(db: Transaction, entry: LogEntry): Promise<void> {
  const { type, item } = entry
  await insertEntry(db, {
    type,
    itemId: item,
    version: 'version' in entry ? entry.version : null,
    text: factsOf(entry),
  })
}
