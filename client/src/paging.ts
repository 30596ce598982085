// The entries of a list, page after page, as an async iterator.
import type { ListOptions } from './call.ts'
import type { Paging } from './operation.ts'
import type { Input } from './request.ts'

/** A list of more entries than this throws unless the caller gives a limit. */
const MAX_ENTRIES = 10_000

type Answer = Record<string, unknown>
type GetPage = (input: Input, options: ListOptions) => Promise<Answer>

/**
 * Every entry, each once: an entry that moved to the next page because others came before it is not given again. Pages are requested as
 * the entries of the one before are used up.
 */
export async function* entriesOf(
  paging: Paging,
  { input, options }: { input: Input; options: ListOptions },
  get: GetPage,
) {
  const { limit = MAX_ENTRIES, ...rest } = options
  if (!(limit >= 0)) throw new RangeError('limit is a number of entries')
  let [count, place, before] = [0, startOf(paging, input), new Set<unknown>()]
  while (count < limit) {
    const answer = await get({ ...input, ...place }, rest)
    const entries = answer[paging.entries] as Answer[]
    for (const entry of entries) {
      if (entry['id'] !== undefined && before.has(entry['id'])) continue
      if (count++ === limit) return refuse(options)
      yield entry
    }
    const next = nextOf(paging, answer, { ...input, ...place })
    if (!next || entries.length === 0) return
    place = next
    before = new Set(entries.map(({ id }) => id).filter((id) => id !== undefined))
  }
  refuse(options)
}

function refuse({ limit }: ListOptions): void {
  if (limit !== undefined) return
  throw new RangeError(`The list has more than ${MAX_ENTRIES} entries: give a limit, or Infinity`)
}

const startOf = ({ by, first }: Paging, input: Input): Input => (by === 'page' ? { page: input['page'] ?? first } : {})

/** What is sent for the next page; undefined after the last one. */
function nextOf({ by, entries, more, first = 0, size = 0 }: Paging, answer: Answer, sent: Input): Input | undefined {
  if (by === 'cursor') {
    if (!answer['hasMore'] || answer['next'] === null) return undefined
    return sent['after'] === undefined ? { before: answer['next'] } : { after: answer['next'] }
  }
  const page = Number(sent['page'])
  const perPage = Number(answer['per_page'] ?? sent['per_page'] ?? size)
  const hasMore = {
    hasMore: () => answer['hasMore'] === true,
    total: () => (page - first + 1) * perPage < Number(answer['total']),
    full: () => (answer[entries] as unknown[]).length >= perPage,
  }
  return hasMore[more]() ? { page: page + 1 } : undefined
}
