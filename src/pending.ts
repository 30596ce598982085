// Writes that wait for the yes of an account, with what they are given: the contracts, and the way back into the application.
import { api } from './api.ts'
import { askFirst } from './content/pending/asking.ts'
import { pendingApprovals, pendingHandlers } from './content/pending/handlers.ts'
import { type MakeDependencies, make, makeAct } from './content/pending/making.ts'
import { headsOf } from './content/pending/showing.ts'
import type { LockThing } from './content/pending/targets.ts'
import type { Contract, Operation } from './contract/operation.ts'
import type { Core } from './core/call-request.ts'
import type { Db } from './database/schema.ts'
import type { CallActing } from './request/acting.ts'
import type { Dependencies } from './request/handler.ts'
import { required } from './runtime/untyped.ts'
import { listedSubjects } from './subjects.ts'

/** The operation of a name, such as `bugs.create`. */
function operationOf(name: string): Operation | undefined {
  const [slice = '', verb = ''] = name.split('.')
  const contracts: Record<string, Contract> = api
  return contracts[slice]?.[verb]
}

const operations = Object.values(api).flatMap((contract) => Object.values(contract as Contract))

/** The path of a thing of each type that has a lock, where the API has it. */
const paths: readonly (readonly [type: string, path: string])[] = [
  ...listedSubjects.map(({ type, path }) => [type, `${path}/{id}`] as const),
  ...([
    ['label', '/community/labels/{id}'],
    ['case', '/community/moderation/cases/{id}'],
    ['item', '/library/items/{id}'],
    ['team', '/teams/{slug}'],
    ['run', '/community/orgs/{id}/runs/{runId}'],
  ] as const),
  ...['{id}', '{commentId}'].map((name) => ['comment', `/community/comments/${name}`] as const),
]

/** `things` are what is locked, by type. */
export function pendingOf(
  dependencies: Dependencies,
  callActing: CallActing,
  things: ReadonlyMap<string, { lock: LockThing }>,
) {
  const locks = new Map(paths.map(([type, path]) => [path, required(things.get(type)).lock]))
  const reading = { operations, baseUrl: dependencies.config.baseUrl, callActing, locks }
  const making: MakeDependencies = { ...dependencies, callActing, operationOf, reading }
  const askingFirst: Core['askFirst'] = (on, write) => askFirst({ ...dependencies, operationOf, reading }, on, write)
  return {
    handlers: pendingHandlers({ operationOf, reading, make: (id) => makeAct(making, id) }),
    askFirst: askingFirst,
    /** Makes what was agreed to and not made. */
    make: (id: string) => make(making, id),
    news: pendingApprovals(operationOf),
    /** What notifications and mails say of writes that wait. */
    headsOf: (db: Db, of: { userId: string; ids: readonly string[] }) => headsOf({ ...dependencies, db }, of),
  }
}
