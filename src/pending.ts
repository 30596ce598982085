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
import { features, hidings } from './features.ts'
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

/** How a write locks what it is about, by its path; what it is about is compared with what its account was shown. */
const locks: ReadonlyMap<string, LockThing> = new Map([
  ...listedSubjects.map(({ type, path }) => [`${path}/{id}`, lockOf(type)] as const),
  ...features.flatMap(({ paths = {} }) =>
    Object.entries(paths).flatMap(([type, some]) => some.map((path) => [path, lockOf(type)] as const)),
  ),
])

function lockOf(type: string): LockThing {
  const named = features.find((feature) => feature.locks?.[type])?.locks?.[type]
  return named ?? required(hidings.find((hiding) => hiding.type === type)).lock
}

export function pendingOf(dependencies: Dependencies, callActing: CallActing) {
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
