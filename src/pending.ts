// Writes that wait for the yes of an account, with what they are given: the contracts, and the way back into the application.

import { api } from './api.ts'
import type { PendingOf } from './content/news/handlers.ts'
import { pendingActs } from './content/pending/contract.ts'
import type { MakeDependencies } from './content/pending/making.ts'
import type { LockThing } from './content/things.ts'
import type { Contract, Operation } from './contract/operation.ts'
import type { Core } from './core/call-request.ts'
import type { Db } from './database/schema.ts'
import { features, hidings } from './features.ts'
import { decidersOf, isStaged, mayDecide } from './library/library.ts'
import type { CallActing } from './request/acting.ts'
import type { Dependencies } from './request/handler.ts'
import { lazily } from './request/lazily.ts'
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

const making = () => import('./content/pending/making.ts')
const handling = () => import('./content/pending/handlers.ts')

export function pendingOf(dependencies: Dependencies, callActing: CallActing) {
  const reading = { operations, baseUrl: dependencies.config.baseUrl, callActing, locks }
  const of: MakeDependencies = { ...dependencies, callActing, operationOf, reading }
  const askFirst: Core['askFirst'] = async (on, write) =>
    (await import('./content/pending/asking.ts')).askFirst(
      { ...dependencies, operationOf, reading, decidersOf },
      on,
      write,
    )
  const news: PendingOf = async (context) => (await handling()).pendingApprovals(operationOf)(context)
  const make = async (id: string) => (await making()).makeAct(of, id)
  return {
    handlers: lazily(pendingActs, async () =>
      (await handling()).pendingHandlers({ operationOf, reading, mayDecide, make }),
    ),
    askFirst,
    isStaged,
    /** Makes what was agreed to and not made. */
    make: async (id: string) => (await making()).make(of, id),
    news,
    /** What notifications and mails say of writes that wait. */
    headsOf: async (db: Db, of: { userId: string; ids: readonly string[] }) =>
      (await import('./content/pending/showing.ts')).headsOf({ ...dependencies, db }, of),
  }
}
