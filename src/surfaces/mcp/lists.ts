// Which tools a list names, and in how many words: an agent pays for the list in each session. Every tool can be called by its name, listed
// or not. What was measured: docs/decisions/2026-11-29-fewer-tokens.md.
import type { Config } from '../../config/config.ts'
import { Problem } from '../../contract/problem.ts'
import { type ToolList, toolLists } from '../../contract/prompt.ts'
import type { ObjectSchema, ToolDefinition } from './schema.ts'

/** Names the list in a request: in its address, or in a header for clients whose address is given. */
const QUERY = 'tools'
const HEADER = 'mcp-tools'

/** Of the short list left out: what 25 tasks of agents needed least, for what it costs in each session. */
export const UNLISTED: ReadonlySet<string> = new Set([
  ...['comment_feature', 'comment_library_item', 'vote_library_item', 'report_outcome', 'list_pending_acts'],
  ...['get_org', 'list_orgs', 'compare_library_versions'],
])

export interface ListChoice {
  of: ToolList
  /** A header chose: the address does not tell the lists apart, and no cache may share one. */
  isPrivate: boolean
}

/** What a request wishes for, or else what the operator has set. @throws Problem invalid_request */
export function listFor({ url, headers }: Pick<Request, 'url' | 'headers'>, { mcpTools }: Config): ListChoice {
  const byAddress = url.includes('?') ? new URL(url).searchParams.get(QUERY) : null
  const wish = byAddress ?? headers.get(HEADER)
  if (wish === null) return { of: mcpTools, isPrivate: false }
  const of = toolLists.find((one) => one === wish)
  if (!of) throw new Problem('invalid_request', `${QUERY}: must be short, all or two`)
  return { of, isPrivate: byAddress === null }
}

/** Bounds, which a refusal names, and values that are taken without being said. */
const UNSAID = new Set(
  'minLength maxLength minimum maximum minItems maxItems pattern format default deprecated'.split(' '),
)
/** Arguments that few calls have; a tool takes them all the same, and find_operation tells them. */
const SELDOM = new Set('page before authorId by board team changelog stop_for signature'.split(' '))
/** More of a description is about limits. */
const MAX_SENTENCES = 2
/** A description of an argument that is longer is cut to its first sentence. */
const MAX_WORDS = 12

/** The definition of a tool in few words: what it is for, what it takes, and what it may do. */
export function briefly({ name, description, inputSchema, annotations, _meta }: ToolDefinition): ToolDefinition {
  return {
    name,
    description,
    inputSchema: brief(inputSchema) as ObjectSchema,
    annotations: saidOf(annotations),
    ...(_meta && { _meta }),
  }
}

/** The first sentences. */
export const beginningOf = (text: string, count = MAX_SENTENCES): string =>
  text
    .split(/(?<=\.) (?=[\p{Lu}`])/u)
    .slice(0, count)
    .join(' ')

function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([keyword]) => !UNSAID.has(keyword))
  return Object.fromEntries(entries.map(([keyword, inner]) => [keyword, briefKeyword(keyword, inner)]))
}

function briefKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'properties') {
    const fields = Object.entries(value as Record<string, object>)
    const kept = fields.filter(([name, field]) => !SELDOM.has(name) && !('deprecated' in field))
    return Object.fromEntries(kept.map(([name, field]) => [name, brief(field)]))
  }
  if (keyword !== 'description' || typeof value !== 'string' || value.split(' ').length <= MAX_WORDS)
    return brief(value)
  return beginningOf(value, 1)
}

/** Without what a client takes for granted (2025-11-25, ToolAnnotations); of a tool that reads, the others mean nothing. */
function saidOf(hints: ToolDefinition['annotations']): ToolDefinition['annotations'] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints
  if (readOnlyHint) return { readOnlyHint, openWorldHint }
  return { ...(!destructiveHint && { destructiveHint }), ...(idempotentHint && { idempotentHint }), openWorldHint }
}
