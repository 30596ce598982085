// A write that waits, as its agent and its account see it.
import type { z } from 'zod'
import type { Operation } from '../../contract/operation.ts'
import { partsOff } from '../../contract/parts.ts'
import type { ActHead, PendingAct } from '../../contract/pending.ts'
import type { Dependencies } from '../../request/handler.ts'
import type { KeptAnswer } from '../../request/idempotency.ts'
import { jsonIn } from '../../runtime/json.ts'
import { preview } from '../preview.ts'
import type { pendingActs } from './contract.ts'
import { fieldsIn, textIn, titleIn } from './fields.ts'
import { type ActFile, type ActRow, type ActSummary, listTitles } from './queries.ts'
import { type KeptRequest, sealKept, unsealKept } from './request.ts'
import { MAX_PREVIEW, stateOf } from './rules.ts'
import { hashOfShown } from './targets.ts'

/** Finds an operation by its name; undefined for one that this version does not have. */
export type OperationOf = (name: string) => Operation | undefined

export interface ViewContext extends Pick<Dependencies, 'secretFor' | 'config'> {
  operationOf: OperationOf
  now: string
}

const answerOf = ({ status, body }: Pick<KeptAnswer, 'status' | 'body'>) => ({
  status,
  body: body.length > MAX_PREVIEW ? null : jsonIn(body),
})

const answerIn = async ({ secretFor }: ViewContext, sealed: string | null) => {
  const answer = sealed === null ? undefined : await unsealKept<KeptAnswer>(secretFor, sealed)
  return answer ? answerOf(answer) : null
}

/** What a list has of a write: the thing that it is about or else the beginning of what it says, its text, and what it changes. */
export function headOf(request: KeptRequest) {
  const fields = fieldsIn(request)
  const changes = changesIn(request).slice(0, MAX_CHANGES)
  return {
    title: request.about?.title ?? titleIn(fields),
    url: request.about?.url ?? null,
    excerpt: preview(textIn(fields)).toWellFormed(),
    changes: changes.map(({ name, from, to }) => ({ name, from: clipped(from), to: clipped(to) })),
  }
}
type Head = ReturnType<typeof headOf>

/** Of a list. */
const MAX_CHANGES = 8

/** A value for a list: a long one is the beginning of its text. */
function clipped(value: unknown): unknown {
  if (typeof value === 'string') return preview(value).toWellFormed()
  const json = JSON.stringify(value) ?? 'null'
  return preview(json) === json ? value : preview(json).toWellFormed()
}

/** What is stored of a request that the account is asked about again. */
export const keptAgain = async (secretFor: Dependencies['secretFor'], request: KeptRequest) => ({
  request: await sealKept(secretFor, request),
  title: await sealKept(secretFor, headOf(request)),
})

/** As it is kept. Earlier versions kept the title alone, and those after them its address with it. */
export async function headIn({ secretFor }: Pick<ViewContext, 'secretFor'>, sealed: string | null): Promise<ActHead> {
  const kept = sealed === null ? undefined : await unsealKept<Partial<Head> | string>(secretFor, sealed)
  const { title = null, url = null, excerpt = '', changes = [] } = typeof kept === 'object' ? kept : {}
  if (typeof kept === 'string') return { title: kept || null, target: null, excerpt, changes }
  return { title, target: title !== null && url !== null ? { title, url } : null, excerpt, changes }
}

/** The heads of an account's acts among these, by id. */
export async function headsOf(
  { db, secretFor }: Pick<Dependencies, 'db' | 'secretFor'>,
  of: { userId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, ActHead>> {
  const heads = new Map<string, ActHead>()
  for (const { id, title } of await listTitles(db, of)) heads.set(id, await headIn({ secretFor }, title))
  return heads
}

/** Whether a write is of a part that is off, or about a thing of one. */
export function isOfPartOff(
  config: Dependencies['config'],
  { operation, target }: Pick<ActHead, 'target'> & { operation: string },
): boolean {
  const off = partsOff(config)
  return off.key !== '' && (off.hasOperation(operation) || (target !== null && off.hasPage(target.url)))
}

/** Where what was made can be seen: by its address or number, as a comment, or else on the thing that it is about. */
function placeOf(
  operation: Operation | undefined,
  body: unknown,
  { target, baseUrl }: Pick<ActHead, 'target'> & { baseUrl: string },
): string | null {
  if (!operation || operation.method === 'DELETE') return null
  const { id, url, number } = (body ?? {}) as { id?: unknown; url?: unknown; number?: unknown }
  // Of a webhook it is the address of another site.
  const path = typeof url === 'string' ? url.replace(baseUrl, '') : ''
  if (path.startsWith('/') && !path.startsWith('//')) return path
  if (typeof number === 'number') return `/community/${number}`
  if (operation.kind === 'comments' && typeof id === 'string') return `/community/comments/${id}`
  return target?.url ?? null
}

export async function shownAct(showing: ViewContext, act: ActSummary): Promise<z.input<typeof PendingAct>> {
  const operation = showing.operationOf(act.operation)
  const head = await headIn(showing, act.title)
  const { id, operation: name, clientId, clientName, createdAt, expiresAt, decidedAt, reason } = act
  const [state, answer] = [stateOf(act, showing.now), await answerIn(showing, act.answer)]
  return {
    ...{ id, state, operation: name, summary: operation?.summary ?? name },
    ...head,
    kind: operation?.kind ?? 'other',
    ...{ clientId, clientName, url: `/settings/pending/${id}`, createdAt, expiresAt, decidedAt, reason },
    made: state === 'made' ? placeOf(operation, answer?.body, { ...head, baseUrl: showing.config.baseUrl }) : null,
    answer,
  }
}

/** The entries of a header that is a dictionary of RFC 9651 with whole numbers. */
const numbersIn = (header: string) =>
  Object.fromEntries([...header.matchAll(/([a-z]+)=(\d+)/g)].map(([, name, value]) => [String(name), Number(value)]))

/** The quotas of `RateLimit` and `RateLimit-Policy`, without those that no number says. */
function usesIn(headers: ReadonlyMap<string, string>) {
  const entries = (name: string, parameter: string) =>
    [...(headers.get(name) ?? '').matchAll(new RegExp(`"([^"]+)"[^,]*?;${parameter}=(\\d+)`, 'g'))].map(
      ([, policy, value]) => [String(policy), Number(value)] as const,
    )
  const quotas = new Map(entries('ratelimit-policy', 'q'))
  return entries('ratelimit', 'r').map(([policy, remaining]) => ({
    ...{ policy, remaining, quota: quotas.get(policy) ?? remaining },
  }))
}

/** What would stand where something else stands now. */
function changesIn(request: KeptRequest) {
  const fields = fieldsIn(request)
  const before = Object.entries(request.about?.before ?? {})
  return before
    .filter(([name, from]) => JSON.stringify(from) !== JSON.stringify(fields[name]))
    .map(([name, from]) => ({ name, from, to: fields[name] }))
}

export async function shownDetails(
  showing: ViewContext,
  act: ActRow,
  files: readonly ActFile[],
): Promise<z.input<(typeof pendingActs)['get']['output']>> {
  const request = await unsealKept<KeptRequest>(showing.secretFor, act.request)
  const dry = await unsealKept<KeptAnswer>(showing.secretFor, act.preview)
  const headers = new Map(dry?.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const shown = await shownAct(showing, act)
  return {
    ...shown,
    title: shown.title ?? (request ? headOf(request).title : null),
    changes: request ? changesIn(request) : [],
    seen: request ? hashOfShown(request) : '',
    request: {
      method: request?.method ?? '',
      path: request?.target ?? '',
      fields: fieldsIn(request),
      files: files.map(({ id, field, filename, size, sha256 }) => ({ id, field, filename, size, sha256 })),
    },
    preview: {
      ...(dry ? answerOf(dry) : { status: 0, body: null }),
      effects: numbersIn(headers.get('dry-run') ?? ''),
      uses: usesIn(headers),
    },
  }
}
