// Completes what stands in templates and prompts: kinds from their lists of values, slugs, versions and ids from lists that the caller may
// read.
import { z } from 'zod'
import type { BoundOperation } from '../../core/bind.ts'
import type { Core } from '../../core/call-request.ts'
import { type Caller, callOperation, recordIn } from './call.ts'
import type { Toolbox } from './toolbox.ts'
import { isRecord } from './tools.ts'

/** As many as the protocol allows in an answer. */
const MAX_VALUES = 100

export interface CompletionOptions {
  toolbox: Toolbox
  core: Core
  caller: Caller
  /** The lists in which the values of arguments are. */
  completedBy: Readonly<Record<string, string>>
}

interface CompletionRequest {
  /** The operation that takes the argument. */
  bound: BoundOperation | undefined
  name: string
  value: string
  /** What was chosen for the other arguments. */
  given: Readonly<Record<string, string>>
}

export async function complete(asked: CompletionRequest, options: CompletionOptions) {
  const values = [...new Set(await valuesOf(asked, options))]
  return {
    completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
  }
}

async function valuesOf(
  { bound, name, value, given }: CompletionRequest,
  options: CompletionOptions,
): Promise<string[]> {
  const begins = (text: string) => text.startsWith(value.toLowerCase())
  const choices = bound && choicesOf(own(bound.operation.input.shape, name) as z.ZodType | undefined)
  if (choices) return choices.filter(begins)
  const { completedBy, toolbox } = options
  const list = own(completedBy, name) ?? (name === 'id' ? `${bound?.name.split('.')[0]}.list` : '')
  const takes = toolbox.operation(list)?.operation.input.shape
  if (!takes) return []
  // What was chosen already narrows the list, as far as the list takes it.
  const chosen = Object.fromEntries(
    Object.entries(given).filter(([key, one]) => Object.hasOwn(takes, key) && one !== ''),
  )
  const paging = {
    ...('per_page' in takes && { per_page: MAX_VALUES }),
    ...('q' in takes && name !== 'id' && { q: value }),
  }
  const field = name === 'slug' || name === 'id' ? name : 'version'
  return textsIn(await listed(list, { ...chosen, ...paging }, options), field).filter(begins)
}

/** What a record has under a name that a caller chose: nothing that every object has. */
const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The values of an enumeration, also of one that takes them in other spellings. */
function choicesOf(field: z.ZodType | undefined): string[] | undefined {
  if (!field) return undefined
  const { enum: choices } = z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' })
  return choices?.filter((one) => typeof one === 'string')
}

/** The entries of a list, as the caller sees it; none where the caller may not. */
async function listed(
  name: string,
  input: Record<string, unknown>,
  { toolbox, ...options }: CompletionOptions,
): Promise<unknown[]> {
  const bound = toolbox.operation(name)
  const record = recordIn(bound && (await callOperation({ bound, input }, options)))
  const entries = record?.['items'] ?? record?.['versions']
  return Array.isArray(entries) ? entries : []
}

const textsIn = (entries: readonly unknown[], name: string): string[] =>
  entries.flatMap((entry) => (isRecord(entry) && typeof entry[name] === 'string' ? [entry[name]] : []))
