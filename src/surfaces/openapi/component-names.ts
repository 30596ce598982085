// Names of components in OpenAPI: what they are, in the words of HTTP and of the contracts.
import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import type { Access, Area } from '../../contract/operation.ts'
import { type Code, statusOf } from '../../contract/problem.ts'
import { schemaNames } from './component-schemas.ts'
import type { Part } from './parts.ts'

/** `per_page` as `PerPage`, `community:write` as `CommunityWrite`. */
const pascal = (words: string) =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const idOf = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.id

/** The beginning of an area's components, as its errors have it. */
const areaName = ({ errorBody, name }: Area) => idOf(errorBody)?.replace(/Error$/, '') ?? pascal(name)

/** Reasons that the name of their status says already. */
const PLAIN = new Set<Code>([
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'too_slow',
  'conflict',
  'too_large',
  'key_reused',
  'rate_limited',
  'unavailable',
])

function reasonName(code: Code, status: number, { scope }: Access): string {
  if (code === 'insufficient_scope') return `Without${pascal(scope ?? '')}`
  return pascal((PLAIN.has(code) && statusOf[code] === status && STATUS_CODES[status]) || code)
}

/** `veiled`: it says less, because the operation is for some roles. `limited`: it says what is left of a budget. */
interface Traits {
  veiled?: boolean
  limited?: boolean
}

const traitsName = ({ veiled, limited }: Traits) => `${veiled ? 'ForRoles' : ''}${limited ? 'WithRateLimit' : ''}`

/** The area and every reason: `CommunityNotFound`, `AccountBlockedOrReauthenticationRequired`. */
export function refusalName(
  access: Access,
  refusal: { status: number; codes: readonly Code[] },
  traits: Traits,
): string {
  const reasons = refusal.codes.map((code) => reasonName(code, refusal.status, access))
  return `${areaName(access.area)}${reasons.join('Or')}${traitsName(traits)}`
}

/** The area and the reason, in its own word. */
export function exampleName({ area, scope }: Access, code: Code, traits: Traits): string {
  const reason = code === 'insufficient_scope' ? `Without${pascal(scope ?? '')}` : pascal(code)
  return `${areaName(area)}${reason}${traitsName(traits)}`
}

/** The formats of a file: `PngOrJpegOrWebp`. */
export const fileName = (types: string[]): string =>
  types.map((type) => pascal(type.slice(type.indexOf('/') + 1))).join('Or')

/** What is answered, and whether it was written: `Item`, `ItemWrittenWithRateLimit`. None for what has no name. */
export function answerName(output: z.ZodType, { writes, limited }: { writes: boolean; limited: boolean }) {
  const name = outputName(output)
  return name && `${name}${writes ? 'Written' : ''}${traitsName({ limited })}`
}

/** The name of a schema, `BugEntryList` for a list, or the fields where they are few. */
function outputName(output: z.ZodType): string | undefined {
  const id = idOf(output)
  if (id || !(output instanceof z.ZodObject)) return id
  const { items } = output.shape
  const listed = items instanceof z.ZodArray && idOf(items.element)
  if (listed) return `${listed}List`
  const fields = Object.keys(output.shape)
  return fields.length <= 2 ? fields.map(pascal).join('And') : undefined
}

const sliceOf = ({ tags }: Part) => pascal(String((tags as string[])[0]))
const verbOf = ({ operationId }: Part) => pascal(String(operationId).split('.').at(-1) ?? '')

/**
 * The names that suit it, the best first: `Page`, and a name that contracts have for it, unless one slice has all its uses; `OrgsId` where
 * most uses are in one slice, else `CommentsSort` after the first operation.
 */
function namesInUse(name: string, operations: Part[], own: string[] = []): string[] {
  const [first] = operations
  if (!first) return [name]
  const slices = operations.map(sliceOf)
  const main = slices.find((slice) => slices.filter((other) => other === slice).length * 2 > slices.length)
  const isShared = new Set(slices).size > 1
  const after = main ? [`${main}${name}`] : [`${verbOf(first)}${name}`]
  return [...(isShared ? [name, ...own] : []), ...after, `${sliceOf(first)}${verbOf(first)}${name}`]
}

/** Names for a parameter; a header has its own. */
export function parameterNames(parameter: Part, operations: Part[]): string[] {
  const name = pascal(String(parameter['name']))
  if (parameter['in'] === 'header') return [name]
  return namesInUse(name, operations, schemaNames(parameter['schema'] as Part))
}

/** Names for a body, by what is done with it. */
export const bodyNames = (operations: Part[]): string[] =>
  namesInUse(operations[0] ? verbOf(operations[0]) : 'Body', operations)
