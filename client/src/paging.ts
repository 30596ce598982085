// The entries of a list, page after page, as an async iterator.
import type { ListOptions } from './call.ts'
import type { Paging } from './operation.ts'
import type { Input } from './request.ts'

/** A list of more entries than this throws unless the caller gives a limit. */
const MAX_ENTRIES = 10_000

type Answer = Record<string, unknown>
type GetPage = (input: Input, options: ListOptions) => Promise<Answer>

/** Every entry, each once. Pages are requested as the entries of the one before are used up. */
export async function* entriesOf(
  paging: Paging,
  { input, options }: { input: Input; options: ListOptions },
  get: GetPage,
) {
  const { limit = MAX_ENTRIES, ...rest } = options
  if (!(limit >= 0)) throw new RangeError('limit is a number of entries')
  // `after` of the caller: what has come since, the oldest first.
  const isAfter = paging.by === 'after' || input['after'] !== undefined
  let sent: Input = isAfter ? input : { cursor: '', ...input }
  for (let count = 0; count < limit; ) {
    const answer = await get(sent, rest)
    for (const entry of answer[paging.entries] as Answer[]) {
      if (count++ === limit) return refuse(options)
      yield entry
    }
    const place = isAfter ? placeAfter(answer, paging) : placeIn(answer)
    if (!place) return
    sent = { ...input, ...place }
  }
  refuse(options)
}

function refuse({ limit }: ListOptions): void {
  if (limit !== undefined) return
  throw new RangeError(`The list has more than ${MAX_ENTRIES} entries: give a limit, or Infinity`)
}

/** What is sent for the next page; undefined after the last one. */
function placeIn({ nextCursor }: Answer): Input | undefined {
  if (nextCursor === undefined) throw new Error('This server is older than the client: its lists have no cursors')
  return nextCursor === null ? undefined : { cursor: nextCursor }
}

const placeAfter = (answer: Answer, { entries }: Paging): Input | undefined =>
  answer['hasMore'] === false || (answer[entries] as unknown[]).length === 0 ? undefined : { after: answer['next'] }
