// The time of the authorization server's library: that of Guildhall, not that of the machine. The function that it asks for the time is
// replaced when it is loaded, so that nonces, the `iat` of proofs, tokens and ID tokens have the time of everything else. Two things go on
// by the clock of the machine: how long it keeps a client's document, and `exp` and `nbf` of a proof that has them.
import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { type Clock, systemClock } from '../runtime/clock.ts'

const clocks = new AsyncLocalStorage<Clock>()

/** What the library calls, also for a moment that it knows in milliseconds: seconds since 1970. */
export const epochTime = (milliseconds: number = (clocks.getStore() ?? systemClock).now()): number =>
  Math.floor(milliseconds / 1000)

const REPLACED = '/oidc-provider/lib/helpers/epoch_time.js'
/** Where its file finds the function, also in a server that was built into one file. */
const PLACE = 'guildhall.epochTime'
Reflect.set(globalThis, Symbol.for(PLACE), epochTime)
const source = `export default globalThis[Symbol.for('${PLACE}')]`
let isReplaced = false

/** Runs an import of the library. Throws if it has no such file any more. */
async function withOurTime<Library>(load: () => Promise<Library>): Promise<Library> {
  const hooks = registerHooks({
    load(url, context, next) {
      if (!url.endsWith(REPLACED)) return next(url, context)
      isReplaced = true
      return { format: 'module', source, shortCircuit: true }
    },
  })
  try {
    const library = await load()
    if (!isReplaced) throw new Error(`The library has no ${REPLACED}: its time would be that of the machine`)
    return library
  } finally {
    hooks.deregister()
  }
}

/** The library warns of every Node that is not yet a long-term release, as the pinned one; its other warnings are shown. Throws if its time cannot be ours. */
export async function importLibrary(): Promise<typeof import('oidc-provider')> {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!/Unsupported runtime/.test(String(words[0]))) warn(...words)
  }
  try {
    return await withOurTime(() => import('oidc-provider'))
  } finally {
    console.warn = warn
  }
}

/** Makes the same function, of which what it calls in the library has the time of `clock`. */
export const inTime =
  (clock: Clock) =>
  <Input extends unknown[], Output>(run: (...input: Input) => Output) =>
  (...input: Input): Output =>
    clocks.run(clock, run, ...input)
