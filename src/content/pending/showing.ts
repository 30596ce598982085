// A write that waits, as its agent and its account see it.
import type { z } from 'zod'
import { kindOf } from '../../contract/bounds.ts'
import type { Operation } from '../../contract/operation.ts'
import type { PendingAct } from '../../contract/pending.ts'
import type { PendingFileTable } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import type { KeptAnswer } from '../../request/idempotency.ts'
import { jsonIn } from '../../runtime/json.ts'
import type { pendingActs } from './contract.ts'
import { fieldsIn, titleIn } from './fields.ts'
import type { Found, Listed } from './queries.ts'
import type { KeptRequest } from './request.ts'
import { MAX_PREVIEW, stateOf } from './rules.ts'
import { sealKept, unsealKept } from './sealing.ts'
import { hashOfShown } from './targets.ts'

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

/** What a list has of a write: the thing that it is about, or else the beginning of what it says. */
export const headOf = (request: KeptRequest) => ({
  title: request.about?.title ?? titleIn(fieldsIn(request)),
  url: request.about?.url ?? null,
})
type Head = ReturnType<typeof headOf>

/** What is stored of a request that the account is asked about again. */
export const keptAgain = async (secretFor: Dependencies['secretFor'], request: KeptRequest) => ({
  request: await sealKept(secretFor, request),
  title: await sealKept(secretFor, headOf(request)),
})

/** As it is kept; earlier versions kept the title alone. */
async function headIn({ secretFor }: Showing, sealed: string | null) {
  const kept = sealed === null ? undefined : await unsealKept<Head | string>(secretFor, sealed)
  if (kept === undefined || typeof kept === 'string') return { title: kept || null, target: null }
  const { title, url } = kept
  return { title, target: title !== null && url !== null ? { title, url } : null }
}

export async function shownAct(showing: Showing, act: Listed): Promise<z.infer<typeof PendingAct>> {
  const operation = showing.operationOf(act.operation)
  const head = await headIn(showing, act.title)
  const { id, operation: name, clientId, clientName, createdAt, expiresAt, decidedAt, reason } = act
  return {
    ...{ id, state: stateOf(act, showing.now), operation: name, summary: operation?.summary ?? name },
    title: head.title,
    target: head.target,
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

/** What would stand where something else stands now. */
function changesIn(request: KeptRequest) {
  const fields = fieldsIn(request)
  const before = Object.entries(request.about?.before ?? {})
  return before
    .filter(([name, from]) => JSON.stringify(from) !== JSON.stringify(fields[name]))
    .map(([name, from]) => ({ name, from, to: fields[name] }))
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
      ...(preview ? answerOf(preview) : { status: 0, body: null }),
      effects: numbersIn(headers.get('dry-run') ?? ''),
      uses: usesIn(headers),
    },
  }
}
