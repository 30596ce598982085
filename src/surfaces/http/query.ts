// The query of a request as the input of an operation has it.
import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { type Operation, placesOf } from '../../contract/operation.ts'
import { schemaIn } from '../json-schema.ts'

const listsKnown = new WeakMap<Operation, string[]>()

/** The names in the query of an operation that can have several values. */
function listsOf(operation: Operation): string[] {
  const known = listsKnown.get(operation)
  if (known) return known
  const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
  const lists = placesOf(operation).query.filter((name) =>
    schemaIn(properties[name]).anyOf?.some((one) => schemaIn(one).type === 'array'),
  )
  listsKnown.set(operation, lists)
  return lists
}

/** The first value of each name, and every value of one that can have several. */
export function queryOf(operation: Operation, request: HonoRequest): Record<string, string | string[]> {
  const given: Record<string, string | string[]> = request.query()
  for (const name of listsOf(operation)) {
    const values = request.queries(name)
    if (values && values.length > 1) given[name] = values
  }
  return given
}
