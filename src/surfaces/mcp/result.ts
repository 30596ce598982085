// A REST answer as the result of a tool: the same JSON, told apart from what the server itself says.
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { withoutAddresses } from '../../contract/href.ts'
import { type Operation, pathNames } from '../../contract/operation.ts'
import { isPlainJson, visibleJson, visibleLine, visibleText } from '../../formats/visible.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { CallAnswer, CallRefusal } from './call.ts'
import { CORRECT } from './next-step.ts'
import { structureOf } from './schema.ts'
import { isRecord, type ResourceKind } from './tools.ts'
import { marked, UNTRUSTED } from './untrusted.ts'
import { keepWritten } from './written.ts'

/** Texts longer than this many bytes are linked to instead of sent. */
const MAX_TEXT_BYTES = 262_144

export const refusedResult = (message: string): CallToolResult => ({
  content: [{ type: 'text', text: visibleLine(message) }],
  isError: true,
})

/** A refusal of the API, as the result of a tool: its message as REST has it, and what to do next. */
export function resultOfRefused({
  message,
  retryAfter,
  next,
}: Pick<CallRefusal, 'message' | 'retryAfter' | 'next'>): CallToolResult {
  const said = refusedResult(retryAfter === undefined ? message : `${message} (Retry-After: ${retryAfter} seconds)`)
  return { ...said, content: [...said.content, { type: 'text', text: next }] }
}

/** A refusal of arguments, before anything was called. */
export const misread = (message: string): CallToolResult =>
  resultOfRefused({ message, retryAfter: undefined, next: CORRECT })

/** The result of a call: what REST says to the same request. */
export async function resultOf(
  { result, url, file }: CallAnswer,
  { resource, output: type }: Operation,
  resources: readonly ResourceKind[],
): Promise<CallToolResult> {
  if (file) return fileResult(file, url)
  const { status, output, text, reply } = result
  if (status === WAITS) return waitingResult(text)
  const isPlain = isPlainJson(text)
  const shown = withoutAddresses(type, text)
  const content = [
    ...marked(isPlain ? shown : visibleJson(shown)),
    ...(isRecord(output) ? linksTo(output, { resource, resources, url }) : []),
    ...noteOf(reply),
  ]
  // Only an object is structure in every revision of MCP; other answers of REST are there as text.
  if (!isRecord(output)) return { content }
  const isDryRun = reply.has('dry-run')
  const structuredContent = structureOf(output, { isDryRun, isPlain })
  if (isPlain && !isDryRun) keepWritten(structuredContent, output, text)
  return { content, structuredContent }
}

/** The status of a write that waits for the yes of its account. */
const WAITS = 202

export const isWaiting = ({ result }: CallAnswer): boolean => result.status === WAITS

/** What waits is no error, and no answer of the tool yet: it has a field of its own, beside which nothing is there. */
function waitingResult(text: string): CallToolResult {
  const { id, message, expiresAt } = parseJson<{ id: string; message: string; expiresAt: string }>(text)
  const words = `${message} Its id is ${id}: call list_pending_acts later. It waits until ${expiresAt}.`
  return {
    content: [{ type: 'text', text: visibleLine(words) }],
    structuredContent: { pending: { id, message, expiresAt } },
  }
}

/** What is to be known of an answer that is of no write, or of an earlier one. */
function noteOf(headers: Headers): ContentBlock[] {
  const effects = headers.get('dry-run')
  const asks = effects?.endsWith('asks') ? ' (the account would be asked first)' : ''
  if (effects !== null)
    return [{ type: 'text', text: `A dry run: nothing was kept. It would cause: ${effects}${asks}` }]
  if (!headers.has('idempotency-replayed')) return []
  return [
    { type: 'text', text: 'This was done before with the same idempotencyKey: the answer is that of the first time.' },
  ]
}

/** A text between its marks, beside a link to its bytes; a link to anything else. */
async function fileResult(answer: Response, url: string): Promise<CallToolResult> {
  const [mimeType = ''] = (answer.headers.get('content-type') ?? '').split(';')
  const size = Number(answer.headers.get('content-length'))
  const isText = /^(text\/|application\/json)/.test(mimeType) && size <= MAX_TEXT_BYTES
  const name = answer.headers.get('content-disposition')?.match(/filename="([^"]*)"/)?.[1] ?? 'file'
  const link = linkTo({ name: visibleLine(name), uri: url, mimeType, size })
  if (isText) return { content: [...marked(visibleText(await answer.text())), link] }
  await answer.body?.cancel()
  return { content: [link] }
}

interface LinkOptions {
  resource: string | undefined
  resources: readonly ResourceKind[]
  url: string
}

/** A link to what was answered, named in words of the server. */
function linksTo(thing: Record<string, unknown>, { resource, resources, url }: LinkOptions): ContentBlock[] {
  const kind = resources.find(({ title, path }) => title === resource && pathNames(path).join() === 'id')
  if (!kind || typeof thing['id'] !== 'string') return []
  const uri = new URL(kind.path.replace('{id}', thing['id']), url).href
  const name = `${kind.title} ${typeof thing['number'] === 'number' ? `#${thing['number']}` : thing['id']}`
  return [linkTo({ name, uri, mimeType: 'application/json' })]
}

/** In the order in which the library would send its fields: so it may send it, or not (direct.ts). */
const linkTo = (link: { name: string; uri: string; mimeType: string; size?: number }): ContentBlock => ({
  ...link,
  _meta: UNTRUSTED,
  type: 'resource_link',
})
