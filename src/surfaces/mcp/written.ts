// The JSON of a tool's result. Its structure is what REST answers, which is JSON already where all of it shows as it is: it is not written a
// second time.
import { structureOf } from './schema.ts'
import { type Arguments, isRecord } from './tools.ts'

/** The structure of an empty answer: what stands before the fields of every other one. */
const EMPTY = structureOf({})
const BEFORE = JSON.stringify(EMPTY).slice(0, -1)

const written = new WeakMap<object, string>()

/** Keeps the JSON of a structure: that of its answer, in compact form, behind the fields that every structure begins with. */
export function keepWritten(structure: Arguments, answer: Arguments, json: string): void {
  const names = Object.keys(EMPTY)
  // A number among the names would come first, and a field of the answer takes the place of one with its name.
  const isBehind = Object.keys(structure)[0] === names[0] && !names.some((name) => Object.hasOwn(answer, name))
  if (isBehind && json !== '{}') written.set(structure, `${BEFORE},${json.slice(1)}`)
}

/** A result with more fields. Those of a tool are content and structure, before all others. */
export function jsonOfResult(result: object, more: object = {}): string {
  const { content, structuredContent: structure, ...others }: Arguments = { ...result, ...more }
  const json = isRecord(structure) ? written.get(structure) : undefined
  if (json === undefined) return JSON.stringify({ ...result, ...more })
  const rest = JSON.stringify(others).slice(1, -1)
  return `{"content":${JSON.stringify(content)},"structuredContent":${json}${rest && `,${rest}`}}`
}
