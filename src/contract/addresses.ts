// Where an operation is called: its path with the input filled in, and the rest of its input in the query.
import { type Operation, placesOf } from './operation.ts'
import { Problem } from './problem.ts'
import { isStorable } from './storable.ts'

/** These are invalid names: the path would not be canonical, and would mean something else or nothing (behaviour.md, section 0). */
const fitsPath = (value: string) => isStorable(value) && !/^\.{0,2}$|[\\/]/.test(value)

type Input = Readonly<Record<string, unknown>>

/** The input in the path of an operation, as texts. Throws `not_found` for a value that a path cannot contain. */
export function pathInput(operation: Operation, input: Input): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of placesOf(operation).path) {
    const value = String(input[name])
    if (!fitsPath(value)) throw new Problem('not_found', 'There is nothing here')
    values[name] = value
  }
  return values
}

/** The input in a path below `/api` at which an operation is called. */
export function pathValues({ path }: Pick<Operation, 'path'>, pathname: string): Record<string, string> {
  const segments = pathname.replace(/^\/api/, '').split('/')
  return Object.fromEntries(
    path.split('/').flatMap((segment, at) => {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
      return name === undefined ? [] : [[name, decodeURIComponent(segments[at] ?? '')]]
    }),
  )
}

/** The input in the query of an operation, as texts. */
export function queryInput(operation: Operation, input: Input): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of placesOf(operation).query) if (input[name] !== undefined) values[name] = String(input[name])
  return values
}

/** The JSON body of an operation; undefined where it has none. */
export function jsonInput(operation: Operation, input: Input): string | undefined {
  const { body } = placesOf(operation)
  if (operation.upload || body.length === 0) return undefined
  return JSON.stringify(Object.fromEntries(body.map((name) => [name, input[name]])))
}

/** The parts of the form of an operation: its fields as texts, then its files; undefined where it has none. */
export function formInput({ upload }: Operation, input: Input): [name: string, value: string | Blob][] | undefined {
  if (!upload) return undefined
  const fields = Object.keys(upload.fields.shape).filter((name) => input[name] !== undefined)
  return [
    ...fields.map((name): [string, string] => [name, String(input[name])]),
    ...Object.keys(upload.files).flatMap((name) =>
      ([input[name] ?? []].flat() as Blob[]).map((file): [string, Blob] => [name, file]),
    ),
  ]
}

/** The path and the query below `/api` at which an operation is called with an input. Throws as `pathInput` does. */
export function addressOf(operation: Operation, input: Input): string {
  const values = pathInput(operation, input)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams(queryInput(operation, input))
  return query.size > 0 ? `${path}?${query}` : path
}
