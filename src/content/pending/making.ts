// Makes a write that its account has agreed to: the same request once more, as the agent, with all checks. The act and its answer change
// in the transaction of the write, so that it is made once. What it is about is compared there too, under its lock: the account agreed to
// what it was shown.
import type { GrantBounds } from '../../contract/bounds.ts'
import { boundsOfChain, type Helper } from '../../contract/hand-on.ts'
import { needsRole } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import type { Transaction } from '../../database/schema.ts'
import { findBounds, findCaller } from '../../identity/grant-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import type { Approval, CallActing, KeptCall } from '../../request/acting.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { lockBytes } from '../../storage/blob-lifecycle.ts'
import { keyOf } from './asking.ts'
import * as queries from './queries.ts'
import { type KeptRequest, sealAnswer, unsealKept } from './request.ts'
import { stateOf } from './rules.ts'
import { keptAgain, type OperationOf } from './showing.ts'
import { changedSince, notAsShown, type TargetReader } from './targets.ts'

export interface MakeDependencies
  extends Pick<Dependencies, 'db' | 'blobs' | 'secretFor' | 'config' | 'clock' | 'log'> {
  callActing: CallActing
  operationOf: OperationOf
  reading: TargetReader
}

/** `asked again`: what it is about is not what the account was shown, and it waits for a yes to that. */
export type Outcome = 'settled' | 'asked again'

/** Makes an act that was agreed to, and stores its answer. An error of the server leaves it for later. */
export async function makeAct(making: MakeDependencies, id: string): Promise<Outcome> {
  try {
    return await make(making, id)
  } catch (error) {
    making.log.error({ err: error, id }, 'a write that was agreed to could not be made; it is tried again later')
    return 'settled'
  }
}

/** The same. An error of the server is thrown. */
export async function make(making: MakeDependencies, id: string): Promise<Outcome> {
  const { db, secretFor } = making
  const act = await queries.findAct(db, id)
  if (act?.state !== 'approved') return 'settled'
  const settle = (state: 'waiting' | 'failed', answer: Refusal) => settleAct(making, id, { state, answer })
  const [agent, request] = [await agentOf(making, act), await unsealKept<KeptRequest>(secretFor, act.request)]
  if (!agent) return settle('waiting', { status: 403, body: '{"error":"The access of the agent has ended"}' })
  const sent = request && (await callOf(making, act, request))
  if (!sent) return settle('failed', { status: 410, body: '{"error":"What was sent cannot be read any more"}' })
  const comparison = new Comparison(making, { operation: act.operation, request, agent })
  const approver = await approverOf(making, act)
  const acting = { ...actingFor(making, id, { agent, comparison }), approver }
  const problem = await refusalOf(making.callActing(sent, acting))
  if (!problem) return 'settled'
  const { access } = sent.operation
  const status = access.area.statusOf(problem.code)
  const answer = { status, body: JSON.stringify(access.area.render(problem, needsRole(access))) }
  if (comparison.current) return settleAct(making, id, { state: 'waiting', answer, asked: comparison.current })
  const isForLater = status >= 500 || status === 429 || problem.details.retryAfterSeconds !== undefined
  return settle(isForLater ? 'waiting' : 'failed', answer)
}

/** How a call is refused; undefined where it is made. */
async function refusalOf(call: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

interface Refusal {
  status: number
  body: string
}

/** `asked` is what the account is asked instead. Does nothing if another process has made the act already. */
async function settleAct(
  { db, secretFor }: MakeDependencies,
  id: string,
  { state, answer, asked }: { state: 'waiting' | 'failed'; answer: Refusal; asked?: KeptRequest },
): Promise<Outcome> {
  const sealed = await sealAnswer(secretFor, { ...answer, headers: [] })
  const again = asked && { ...(await keptAgain(secretFor, asked)), decidedAt: null }
  await db.transaction().execute(async (transaction) => {
    const isSettled = await queries.stepAct(
      transaction,
      { id, from: 'approved', to: state },
      { answer: sealed, ...again },
    )
    if (isSettled && state === 'failed') await queries.deleteActFiles(transaction, id)
  })
  return again ? 'asked again' : 'settled'
}

/** Who agreed to a version of an item; undefined where the account agreed to a write of its own agent. */
async function approverOf(
  { db }: MakeDependencies,
  { itemId, deciderId }: queries.ActRow,
): Promise<Approval['approver']> {
  const decider = itemId === null || deciderId === null ? undefined : await findCaller(db, { id: deciderId })
  return decider && { id: decider.id, username: decider.username }
}

type Agent = Pick<Approval, 'caller' | 'blocked' | 'leaving' | 'sentAt'>

/** The agent with what its token and its grant allow by now; undefined where its access has ended. */
async function agentOf({ db, clock }: MakeDependencies, act: queries.ActRow): Promise<Agent | undefined> {
  const now = timestamp(clock.now())
  if (stateOf({ ...act, state: 'waiting', expiresAt: after(now, 1) }, now) !== 'waiting') return undefined
  const [account, grant] = [await findCaller(db, { id: act.userId }), await findBounds(db, { id: act.grantId })]
  if (!account || !grant) return undefined
  const scopes = scopeNames(act.scope).filter((name) => scopeNames(grant.scope).includes(name))
  const grantBounds = grant.bounds === null ? undefined : parseJson<GrantBounds>(grant.bounds)
  const helpers = act.helpers === null ? [] : parseJson<Helper[]>(act.helpers)
  const handedOn = helpers.length > 0 ? { helpers, grantBounds, tokenHash: '' } : undefined
  const may = { scopes: scopes.filter(isScope), bounds: boundsOfChain(grantBounds, helpers) }
  const via = { ...may, clientId: act.clientId, grantId: act.grantId, handedOn }
  return {
    caller: callerOf(account, via),
    blocked: account.blockedAt !== null,
    leaving: account.deletionAt !== null,
    sentAt: act.createdAt,
  }
}

/** Compares what an act is about with what the account was shown, in the transaction of the write. */
class Comparison {
  /** The request with what it is about now, where that is something else. */
  current: KeptRequest | undefined
  readonly #making: MakeDependencies
  readonly #act: { operation: string; request: KeptRequest; agent: Agent }

  constructor(making: MakeDependencies, act: { operation: string; request: KeptRequest; agent: Agent }) {
    this.#making = making
    this.#act = act
  }

  /** Throws `conflict` where it is something else. */
  async requireSame(on: Transaction): Promise<void> {
    const { operationOf, reading, clock } = this.#making
    const { agent, request, operation: name } = this.#act
    const operation = operationOf(name)
    const asked = { request, caller: agent.caller, now: timestamp(clock.now()), on }
    this.current = operation && (await changedSince(reading, operation, asked))
    if (this.current) throw notAsShown()
  }
}

const actingFor = (
  { secretFor }: MakeDependencies,
  id: string,
  { agent, comparison }: { agent: Agent; comparison: Comparison },
): Approval => ({
  ...agent,
  async take(db) {
    if ((await queries.lockAct(db, id))?.state !== 'approved') return false
    for (const { sha256 } of await queries.listActFiles(db, id)) await lockBytes(db, sha256)
    await comparison.requireSame(db)
    // Their bytes are those of the write from now on, and count once.
    await queries.deleteActFiles(db, id)
    return true
  },
  async keep(db, answer) {
    const sealed = await sealAnswer(secretFor, answer)
    await queries.stepAct(db, { id, to: 'made' }, { answer: sealed })
  },
})

/** The call as it was sent, without its credentials; undefined where a file of it, or its operation, is gone. */
async function callOf(
  { db, blobs, operationOf }: MakeDependencies,
  { id, operation: name }: Pick<queries.ActRow, 'id' | 'operation'>,
  { target, address, json, fields }: KeptRequest,
): Promise<KeptCall | undefined> {
  const operation = operationOf(name)
  if (!operation) return undefined
  if (json !== undefined || !fields) return { operation, target, address, json }
  const form: KeptCall['form'] = [...fields]
  for (const file of await queries.listActFiles(db, id)) {
    const stored = await blobs.objects.get(keyOf(file))
    if (!stored) return undefined
    form.push([file.field, new File([new Uint8Array(stored.bytes)], file.filename, { type: file.mimeType })])
  }
  return { operation, target, address, form }
}
