// The operations of the API by name (`profile.show`): what they return, and the limits of their fields.
import { api } from '../../../src/api.ts'
import { addressOf } from '../../../src/contract/addresses.ts'
import { type Limits, limitsOf } from '../../../src/contract/limits.ts'
import type { Contract, Operation } from '../../../src/contract/operation.ts'

type Api = App.Locals['api']

export type OperationName = { [Slice in keyof Api]: `${Slice}.${keyof Api[Slice] & string}` }[keyof Api]

type Call<Name extends OperationName> = Name extends `${infer Slice extends keyof Api}.${infer Verb}`
  ? Api[Slice][Verb & keyof Api[Slice]]
  : never

/** What an operation returns. */
export type Answer<Name extends OperationName> =
  Call<Name> extends (...input: never[]) => Promise<infer Output> ? Output : never

/** The path at which a list is read in a format that is not JSON. */
export function addressIn(
  name: OperationName,
  { format, ...input }: { format: string; [field: string]: string | undefined },
): string {
  const [slice = '', verb = ''] = name.split('.')
  const contracts: Record<string, Contract> = api
  const operation = contracts[slice]?.[verb]
  if (!operation) throw new Error(`There is no operation ${name}`)
  const address = addressOf(operation, input)
  return `/api${address}${address.includes('?') ? '&' : '?'}format=${format}`
}

/** Whether an operation takes a field. */
export function takes(name: OperationName, field: string): boolean {
  const [slice = '', verb = ''] = name.split('.')
  const contracts: Record<string, Contract> = api
  return Object.hasOwn(contracts[slice]?.[verb]?.input.shape ?? {}, field)
}

/** The limits of a field of an operation; none for a field that it does not have. */
export function limitsIn(name: OperationName, field: string): Limits {
  const [slice = '', verb = ''] = name.split('.')
  const contracts: Record<string, Contract> = api
  const { input, deferredBody, upload }: Partial<Operation> = contracts[slice]?.[verb] ?? {}
  const schema = upload?.fields.shape[field] ?? deferredBody?.shape[field] ?? input?.shape[field]
  return schema ? limitsOf(schema) : {}
}
