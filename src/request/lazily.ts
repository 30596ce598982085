// Handlers whose modules are loaded by their first call: a start is spared what the first requests do not need.
import type { Contract } from '../contract/operation.ts'
import { keysOf, recordOf } from '../contract/records.ts'
import { once } from '../runtime/once.ts'
import { required } from '../runtime/untyped.ts'
import type { Handlers } from './handler.ts'

type AnyHandlers = Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>

/**
 * The handlers of a contract. `load` imports them, once, and gives them what they need of the application. A load that failed is tried again by
 * the next call.
 */
export function lazily<C extends Contract>(contract: C, load: () => Promise<Handlers<C>>): Handlers<C> {
  let loaded: AnyHandlers | undefined
  const all = once(async () => {
    loaded = (await load()) as object as AnyHandlers
    return loaded
  })
  // What is loaded is called at once: its part before the first wait runs in the turn of the call.
  const handlerOf =
    (name: string) =>
    async (...given: unknown[]) =>
      required((loaded ?? (await all()))[name])(...given)
  return recordOf(keysOf(contract), handlerOf) as object as Handlers<C>
}
