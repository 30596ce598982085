// Lists on the command line: how many entries are shown, and as what.
import type { Context, Values } from './command.ts'
import { UsageError } from './usage.ts'

const LISTED = 20

/** The number of --limit. */
export function limitOf({ limit }: Values): number {
  if (limit === undefined) return LISTED
  if (typeof limit !== 'string' || !/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError('--limit is a number from 1')
  return Number(limit)
}

/** Says every entry of a list, or reports all of them as one. */
export async function list<Entry>(
  context: Context,
  entries: AsyncIterable<Entry>,
  words: (entry: Entry) => string,
): Promise<void> {
  const all: Entry[] = []
  for await (const entry of entries) {
    context.say(words(entry))
    all.push(entry)
  }
  if (all.length === 0) context.say('Nothing found.')
  context.report(all)
}
