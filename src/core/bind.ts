// An operation and its handler, under one name: that of its slice, a dot, and its own.
import { type AddAddresses, addressesIn } from '../contract/href.ts'
import { type Contract, type Operation, placesOf } from '../contract/operation.ts'
import type { Context, Handlers } from '../request/handler.ts'
import { required } from '../runtime/untyped.ts'

export interface BoundOperation {
  name: string
  operation: Operation
  /** Whether some of the input is in a JSON body that is read before the call. */
  bodied: boolean
  /** Adds `href` to what the handler gave, where its answer has any. */
  addAddresses: AddAddresses
  /** `body` reads the form of an upload, or a late body. */
  handle(context: Context, input: unknown, body?: () => Promise<unknown>): Promise<unknown>
}

/** Ties contracts to handlers. The types hold them together where a slice is listed; here they are all alike. */
export function bind<
  Api extends Record<string, Contract>,
  Given extends { [Slice in keyof Api]: Handlers<Api[Slice]> },
>(api: Api, handlers: Given & { [Slice in Exclude<keyof Given, keyof Api>]: never }): BoundOperation[]
export function bind(
  api: Record<string, Contract>,
  handlers: Record<string, Record<string, BoundOperation['handle']>>,
): BoundOperation[] {
  return Object.entries(api).flatMap(([slice, contract]) =>
    Object.entries(contract).map(
      ([verb, operation]) => new Bound(`${slice}.${verb}`, operation, required(handlers[slice]?.[verb])),
    ),
  )
}

/** The class has the getter: V8 makes that of an object literal among old objects, and it keeps young ones from being collected. */
class Bound implements BoundOperation {
  readonly name: string
  readonly operation: Operation
  readonly addAddresses: AddAddresses
  readonly handle: BoundOperation['handle']
  #bodied: boolean | undefined

  constructor(name: string, operation: Operation, handle: BoundOperation['handle']) {
    this.name = name
    this.operation = operation
    this.addAddresses = addressesIn(operation.output)
    this.handle = handle
  }

  /** Found by the first call: shapes of zod are made when they are first read, and a start needs few of them. */
  get bodied(): boolean {
    this.#bodied ??= placesOf(this.operation).body.length > 0 && !this.operation.deferredBody
    return this.#bodied
  }
}
