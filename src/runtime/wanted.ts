// Whether the client behind the current work still waits for it. Work of a client that has gone is given up before its next large step.
import { AsyncLocalStorage } from 'node:async_hooks'

const clients = new AsyncLocalStorage<() => boolean>()

/** Runs the work of a request; `hasGone` says whether its client has closed the connection. */
export const forClient = <Result>(hasGone: () => boolean, work: () => Result): Result => clients.run(hasGone, work)

/** Whether there is no use in the current work: false for work without a client. */
export const isUnwanted = (): boolean => clients.getStore()?.() ?? false
