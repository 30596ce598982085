// What an operation is: one plain object from which the route, validation, OpenAPI, client and reference are read off.
import { z } from 'zod'
import type { AuditAction } from './audit.ts'
import type { WriteKind } from './bounds.ts'
import type { BudgetName } from './budget.ts'
import type { UploadRules } from './files.ts'
import type { Code, Problem } from './problem.ts'
import type { LongTask } from './task.ts'

export type Role = 'member' | 'moderator' | 'admin'
export type Scope =
  | 'openid'
  | 'profile'
  | 'email'
  | 'offline_access'
  | 'community:read'
  | 'community:write'
  | 'library:read'
  | 'library:write'

/** A part of the API with one way to speak of errors (interface.md, section 7). */
export interface Area {
  name: string
  /** The paths that it speaks for: of its operations, and of what there is none for. */
  paths: RegExp
  /** The scope that reads its content where an instance is private; an area without it has none. */
  reading?: Scope
  /** The body of every error answer. */
  errorBody: z.ZodType
  statusOf(code: Code): number
  /** A refusal in this area's words. `needsRole` says whether the operation is for some roles. */
  render(problem: Problem, needsRole: boolean): unknown
}

/** Who may call an operation. Decided before its input is looked at, in one place (core/authorize.ts). */
export interface Access {
  area: Area
  /** none: no credential is read. optional: a caller without one is anonymous. session: a cookie, never a token. */
  credential: 'none' | 'optional' | 'required' | 'session'
  /** The scope a bearer token needs, matched to the letter; a session needs none. */
  scope?: Scope
  roles?: readonly Role[]
  /**
   * It changes the thing in a board that `id` of its input names: who moderates the board may, beside the roles. It reaches nothing of other
   * boards then (core/about.ts).
   */
  boardModerators?: true
  /** The thing itself decides who may, beside the roles: a refusal says no more than where a role is asked for. */
  roleOrOwner?: boolean
  /** The input has the secret of a mailed link or a signed identity, or the call reads nothing: open on a private instance too. */
  byLink?: true
  /** Also for an account whose deletion was requested; others are refused to it as to a blocked one. */
  whileLeaving?: boolean
}

/** Whether refusals of a wrong role and of a block must look the same (interface.md, section 7). */
export const needsRole = ({ roles, roleOrOwner = false }: Access): boolean => roleOrOwner || roles !== undefined

/** How agents call an operation by MCP. */
export interface Tool {
  /** Operations may share a tool: the one is called whose path can be filled in. The first of them describes it. */
  name: string
  /** For people; the summary unless told. */
  title?: string
  /** Agents call it by this name already (behaviour.md, section 6). These come first, each kind in the order of the API. */
  known?: true
  /** The parts of the answer that are described to agents, where all of it is long; the answer itself has all of it. */
  outline?: z.ZodObject
  /** What the answer of a list is cut to, in tokens, unless the caller asks for more or less (`maxTokens`). */
  maxTokens?: number
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Operation = ReadOperation | WriteOperation

/** An operation that writes says what kind of thing: grants are bound by it, and wait for a yes by it (bounds.ts). */
export interface WriteOperation extends OperationBase {
  method: Exclude<Method, 'GET'>
  kind: WriteKind
}

/** The paths that an operation answers at; all but the first are deprecated. */
export const pathsOf = ({ path, formerPath }: Pick<Operation, 'path' | 'formerPath'>): string[] =>
  formerPath ? [path, formerPath] : [path]

/** Whether agents can suggest a call, in Markdown, as OpenAPI and the reference say it. */
export const suggestWords = ({ suggests }: Pick<Operation, 'suggests'>): string | undefined =>
  suggests && 'Agents can suggest it (`suggestions.create`).'

interface ReadOperation extends OperationBase {
  method: 'GET'
  kind?: undefined
}

interface OperationBase {
  summary: string
  description?: string
  /** What people call it, beside its summary: agents find it by these words. */
  synonyms?: readonly string[]
  /** Below /api, with `{name}` for what the caller fills in. */
  path: `/${string}`
  /** A path that it had before, with the same names: it answers there as well, which OpenAPI calls deprecated. */
  formerPath?: `/${string}`
  /** The operation that says the same, by its part and verb: this one answers as it did, and is deprecated. */
  replacedBy?: string
  access: Access
  /** Path, query (GET, DELETE) and body (the others; DELETE may have one), merged into one object; the path wins. */
  input: z.ZodObject
  output: z.ZodType
  status?: 200 | 201
  /** What can go wrong beyond what access and input already say. */
  problems?: readonly Code[]
  /** What a call can write to the audit log. */
  audit?: readonly AuditAction[]
  /** Optional inputs that code in the reference shows as well: without one of them a call is refused. */
  sampled?: readonly string[]
  /** What a call uses up. A write's budget is asked before the body is read and counted in the transaction of the write. */
  budget?: BudgetName
  /** The largest body that is read, in bytes; 256 KiB unless told. */
  bodyLimitBytes?: number
  /** A body of undeclared length (no numeric Content-Length) is refused before any of it is read. */
  requireLength?: true
  /**
   * It sets or ends the session cookie of any caller: refused when another site sends it, with or without a cookie. Operations
   * for sessions need no such word: what comes with a cookie is refused so anyway.
   */
  setsCookie?: true
  /** The body is multipart/form-data; then `input` is what travels in the path and the query. */
  upload?: UploadRules
  /**
   * A JSON body that the handler reads by itself, once it has refused what can be refused without it; then `input` is what
   * travels in the path and the query.
   */
  deferredBody?: z.ZodObject
  /** An operation without a tool is found by words (find_operation). */
  tool?: Tool
  /**
   * What the answer is, where agents can read it again as an MCP resource: by a GET operation with names in its path, or
   * with none where it is of the caller, such as the inbox.
   */
  resource?: string
  /**
   * It takes a password or a code that could be guessed, tells whether an address has an account, or is a step of a sign-in at another
   * server: every try counts. So it cannot be tried without being made, and takes no idempotency key.
   */
  guesses?: true
  /** A way in beside the external provider: refused with this code where that is the only one (core/authorize.ts). */
  ownWayIn?: Code
  /**
   * The answer has a secret that is shown once. So it is not kept for an idempotency key: a repeat is refused with `conflict`, and says so.
   */
  shownOnce?: true
  /** Agents can suggest a call of it (content/suggestions): who accepts it makes the call, or an agent whose words it has. */
  suggests?: 'person' | 'agent'
  /** Of an item that is only staged, a call with a token waits until an owner or a maintainer of it agrees (library/publishers). */
  stages?: true
  /** A token of trusted publishing may call it, for its item alone; it may call no other one. */
  publishes?: true
  /** A token of the widget on other sites may call it (community/widget); it may call no other one. */
  widget?: true
  /** It begins work that goes on after its answer: for clients of MCP that is a task. */
  task?: LongTask
  /** It takes back what the caller has sent: the kinds that an agent may write do not bound it, and no account is asked first. */
  withdraws?: true
  /** It is how agents suggest: what it suggests is ruled in its place (bounds.ts). */
  isSuggestion?: true
  /** A second call changes nothing more. Unless told, that is so for every method but POST (RFC 9110, 9.2.2). */
  idempotent?: boolean
  /**
   * Regular expressions (without groups) for names in the path. Where they hold, the path comes before one with a fixed
   * segment: `/items/{kind}/{slug}` before `/items/{id}/versions` when `{kind}` is one of the kinds.
   */
  segments?: Readonly<Record<string, string>>
}

export const isIdempotent = ({ method, idempotent = method !== 'POST' }: Operation): boolean => idempotent

export const isWrite = ({ method }: Pick<Operation, 'method'>): boolean => method !== 'GET'

/** Whether a call may have an idempotency key, and be tried without being made. */
export const isRepeatable = (operation: Pick<Operation, 'method' | 'guesses'>): boolean =>
  isWrite(operation) && !operation.guesses

export type Contract = Record<string, Operation>

/** The names in a path's braces: `/bugs/{id}` has `id`. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

export interface Places {
  path: string[]
  query: string[]
  body: string[]
}

type OperationShape = Pick<Operation, 'method' | 'path' | 'input' | 'upload' | 'deferredBody'>

const placesKnown = new WeakMap<OperationShape, Places>()

/** The names of the input that travel in the path, the query and the body of an operation's request. */
export function placesOf(operation: OperationShape): Places {
  let places = placesKnown.get(operation)
  if (!places) {
    places = findPlaces(operation)
    placesKnown.set(operation, places)
  }
  return places
}

function findPlaces(operation: OperationShape): Places {
  const path = pathNames(operation.path)
  const rest = Object.keys(operation.input.shape).filter((name) => !path.includes(name))
  if (operation.deferredBody) return { path, query: rest, body: Object.keys(operation.deferredBody.shape) }
  const inQuery = operation.method === 'GET' || operation.method === 'DELETE' || operation.upload !== undefined
  return { path, query: inQuery ? rest : [], body: inQuery ? [] : rest }
}

// How the pages of an operation follow each other, read off its input and its output.

interface PageScheme {
  /** cursor: `nextCursor` of an answer is sent as `cursor`. after: `next`, as `after`. */
  by: 'cursor' | 'after'
  /** The field of the output with the entries. */
  entries: string
}

/** How an operation is paged; undefined for one that is no list. */
export function pagingOf({ input, output }: Operation): PageScheme | undefined {
  if (!(output instanceof z.ZodObject)) return undefined
  const lists = Object.keys(output.shape).filter((name) => output.shape[name] instanceof z.ZodArray)
  const entries = lists.find((name) => name === 'items') ?? lists[0]
  if (entries === undefined) return undefined
  if ('cursor' in input.shape && 'nextCursor' in output.shape) return { by: 'cursor', entries }
  return 'after' in input.shape && 'next' in output.shape ? { by: 'after', entries } : undefined
}

/** The field with the entries of a list, paged or whole; undefined for an operation that is no list. */
export function entriesOf(operation: Operation): string | undefined {
  if (operation.method !== 'GET') return undefined
  const { output } = operation
  const paged = pagingOf(operation)
  if (paged) return paged.entries
  return output instanceof z.ZodObject && output.shape['items'] instanceof z.ZodArray ? 'items' : undefined
}
