// A budget of tokens for an answer: lists are cut at whole entries, and say how to go on. The shorter list is asked for again, so that it is
// what REST answers to a smaller page. A first entry that is too long by itself is refused.
import { withoutAddresses } from '../../contract/href.ts'
import type { Operation } from '../../contract/operation.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { widthOf } from '../../runtime/width.ts'
import { type CallOptions, callOperation, type Outcome, recordIn } from './call.ts'
import { isCuttable, LEAST_TOKENS, MAX_TOKENS, MOST_TOKENS } from './schema.ts'
import type { Call } from './toolbox.ts'
import type { Arguments } from './tools.ts'

/** What stands around the data. */
const AROUND = 110

/** How long an answer may be. */
export interface TokenBudget {
  maxTokens: number | undefined
  /** The caller has named it: then nothing longer is sent. */
  isNamed: boolean
}

/** The budget of a call, apart from what the operation takes; a text says what is wrong with it. */
export function budgetOf(call: Call): ({ call: Call } & TokenBudget) | string {
  const { operation } = call.bound
  const { [MAX_TOKENS]: given, ...input } = call.input
  if (!isCuttable(operation) || MAX_TOKENS in operation.input.shape)
    return { call, maxTokens: undefined, isNamed: false }
  const asked = given ?? operation.tool?.maxTokens
  if (asked === undefined) return { call: { ...call, input }, maxTokens: undefined, isNamed: false }
  const isFine = typeof asked === 'number' && Number.isInteger(asked) && asked >= LEAST_TOKENS && asked <= MOST_TOKENS
  if (!isFine) return `${MAX_TOKENS}: must be a whole number from ${LEAST_TOKENS} to ${MOST_TOKENS}`
  return { call: { ...call, input }, maxTokens: asked, isNamed: given !== undefined }
}

/** An outcome that fits, and what was cut off. */
export interface CutOutcome {
  outcome: Outcome
  /** For the agent: how many entries there are, and how to go on. */
  note?: string
}

/** Calls the operation, and once more for a smaller page where the answer is longer than the budget. `show` is what will be shown of it. */
export async function callWithin(
  call: Call,
  options: CallOptions,
  { maxTokens, isNamed, show }: TokenBudget & { show(json: string): string },
): Promise<CutOutcome> {
  const { output } = call.bound.operation
  const textIn = (of: Outcome) => {
    const record = recordIn(of)
    return record && parseJson<Arguments>(withoutAddresses(output, JSON.stringify(record)))
  }
  const outcome = await callOperation(call, options)
  if (maxTokens === undefined) return { outcome }
  const answer = textIn(outcome)
  if (!answer) return { outcome }
  const { items } = answer
  if (!Array.isArray(items)) return { outcome }
  const lengthOf = (value: unknown) => widthOf(show(JSON.stringify(value)))
  const room = (maxTokens - AROUND) * 3
  const all = lengthOf(answer)
  if (all <= room || items.length === 0) return { outcome }
  if (items.length === 1) return isNamed ? { outcome: tooLong(all) } : { outcome }
  const lengths = items.map((item) => lengthOf(item) + 1)
  let left = room - (all - lengths.reduce((sum, length) => sum + length, 0))
  let count = 0
  for (const length of lengths) {
    left -= length
    if (left < 0) break
    count++
  }
  const page = pageFor(call, Math.max(count, 1))
  const smaller = await callOperation({ ...call, input: { ...call.input, ...page } }, options)
  const cut = textIn(smaller)
  const length = isNamed && cut ? lengthOf(cut) : 0
  if (length > room) return { outcome: tooLong(length) }
  return { outcome: smaller, note: noteOf(smaller, { page, was: items.length }) }
}

/** A single entry that is longer than the budget is not sent: nothing of it could be left out. */
const tooLong = (length: number): Outcome => {
  const needed = Math.ceil(length / 3) + AROUND
  return {
    refusal: `${MAX_TOKENS}: the first entry of this page alone needs ${needed}; send that, or get it by its id`,
  }
}

/** The page that begins where this one does and has at most so many entries. */
function pageFor({ bound: { operation }, input }: Call, count: number): Arguments {
  if (!('page' in operation.input.shape) || input['cursor'] !== undefined) return { per_page: count }
  const { page, per_page: size } = operation.input.parse(input) as { page: number; per_page: number }
  const offset = (page - firstPage(operation)) * size
  // Pages of this size must begin at the same entry.
  let fitting = count
  while (offset % fitting !== 0) fitting--
  return { per_page: fitting, page: offset / fitting + firstPage(operation) }
}

const firstPage = (operation: Operation): number => Number(operation.input.shape['page']?.safeParse(undefined).data)

const nameOfNext = (answer: Arguments) => ('nextCursor' in answer ? '"nextCursor"' : '"next"')

function noteOf(outcome: Outcome, { page, was }: { page: Arguments; was: number }): string {
  const value = recordIn(outcome) ?? {}
  const { per_page: size, page: number } = page
  const next =
    typeof number === 'number' ? `page ${number + 1} and per_page ${size}` : `${nameOfNext(value)} of the answer`
  const shown = Array.isArray(value['items']) ? value['items'].length : 0
  return `Cut to fit ${MAX_TOKENS}: ${shown} of ${was} entries of this page. Go on with ${next}.`
}
