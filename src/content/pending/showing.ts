// A write that waits, as its agent and its account see it.
import type { z } from 'zod'
import { kindOf } from '../../contract/bounds.ts'
import type { Operation } from '../../contract/operation.ts'
import type { PendingAct } from '../../contract/pending.ts'
import type { PendingFileTable } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import type { KeptAnswer } from '../../request/idempotency.ts'
import { jsonIn, objectIn } from '../../runtime/json.ts'
import type { pendingActs } from './contract.ts'
import type { Found, Listed } from './queries.ts'
import { MAX_PREVIEW, stateOf } from './rules.ts'
import { type KeptRequest, unsealKept } from './sealing.ts'

/** Finds an operation by its name; undefined for one that this version does not have. */
export type OperationOf = (name: string) => Operation | undefined

export interface Showing extends Pick<Dependencies, 'secretFor'> {
  operationOf: OperationOf
  now: string
}

const answerOf = ({ status, body }: Pick<KeptAnswer, 'status' | 'body'>) => ({
  status,
  body: body.length > MAX_PREVIEW ? null : jsonIn(body),
})

const answerIn = async ({ secretFor }: Showing, sealed: string | null) => {
  const answer = sealed === null ? undefined : await unsealKept<KeptAnswer>(secretFor, sealed)
  return answer ? answerOf(answer) : null
}

const fieldsIn = (request: KeptRequest | undefined): Record<string, unknown> =>
  (request?.json ? objectIn(request.json) : Object.fromEntries(request?.fields ?? [])) ?? {}

const TITLES = ['title', 'name', 'body', 'description']
const MAX_TITLE = 100

/** The beginning of the first of these that is there. */
export function titleOf(request: KeptRequest): string | null {
  const fields = fieldsIn(request)
  const found = TITLES.map((name) => fields[name]).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.trim().slice(0, MAX_TITLE).toWellFormed() : null
}

export async function shownAct(showing: Showing, act: Listed): Promise<z.infer<typeof PendingAct>> {
  const operation = showing.operationOf(act.operation)
  const { id, operation: name, clientId, clientName, createdAt, expiresAt, decidedAt, reason } = act
  return {
    ...{ id, state: stateOf(act, showing.now), operation: name, summary: operation?.summary ?? name },
    title: (act.title !== null && (await unsealKept<string>(showing.secretFor, act.title))) || null,
    kind: (operation && kindOf(operation)) ?? 'other',
    ...{ clientId, clientName, url: `/settings/pending/${id}`, createdAt, expiresAt, decidedAt, reason },
    answer: await answerIn(showing, act.answer),
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

export async function shownDetails(
  showing: Showing,
  act: Found,
  files: readonly PendingFileTable[],
): Promise<z.infer<(typeof pendingActs)['get']['output']>> {
  const request = await unsealKept<KeptRequest>(showing.secretFor, act.request)
  const preview = await unsealKept<KeptAnswer>(showing.secretFor, act.preview)
  const headers = new Map(preview?.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const shown = await shownAct(showing, act)
  return {
    ...shown,
    title: shown.title ?? (request ? titleOf(request) : null),
    request: {
      method: request?.method ?? '',
      path: request?.target ?? '',
      fields: fieldsIn(request),
      files: files.map(({ id, field, filename, size, sha256 }) => ({ id, field, filename, size, sha256 })),
    },
    preview: {
      ...(preview ? answerOf(preview) : { status: 0, body: null }),
      effects: numbersIn(headers.get('dry-run') ?? ''),
      uses: usesIn(headers),
    },
  }
}
