// For every operation: what is sent to it within its limits and above them. Made from its contract, the same every time.
import type { Sent } from '../../attack/request.ts'
import { api } from '../../src/api.ts'
import { type Operation, pathNames, placesOf } from '../../src/contract/operation.ts'
import { exampleOf } from '../../src/surfaces/openapi/examples.ts'
import { FORM_TYPE, forms, jsonValues } from './bodies.ts'

export interface Case {
  name: string
  sent: Sent
}

export const operations: [name: string, operation: Operation][] = Object.entries(api).flatMap(([slice, contract]) =>
  Object.entries(contract as Record<string, Operation>).map(([verb, operation]): [string, Operation] => [
    `${slice}.${verb}`,
    operation,
  ]),
)

/** As much as a server takes of a request line and its headers, with room for the rest of them. */
const HEADER_BYTES = 14_000
const DEFAULT_BODY_BYTES = 256 * 1024
const JSON_TYPE = { 'Content-Type': 'application/json' }
const NOBODY = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'

/** Ids of things that are there, by the beginning of the path. What removes is sent to where nothing is. */
export type Things = Readonly<Record<string, string>>

function pathOf({ method, path }: Operation, things: Things, otherwise = NOBODY): string {
  const known = Object.entries(things).find(([start]) => path.startsWith(start))?.[1]
  const first = method === 'DELETE' ? otherwise : (known ?? otherwise)
  let at = 0
  return `/api${path.replace(/\{(\w+)\}/g, () => encodeURIComponent(at++ === 0 ? first : otherwise))}`
}

/** Everything that is sent to an operation. */
export function casesOf(name: string, operation: Operation, things: Things): Case[] {
  const { method } = operation
  const path = pathOf(operation, things)
  const send = (what: string, sent: Partial<Sent>): Case => ({
    name: `${name}: ${what}`,
    sent: { method, path, ...sent },
  })
  return [
    ...around(operation, path, send),
    ...(pathNames(operation.path).length > 0
      ? [send('a long path', { path: pathOf(operation, {}, 'é'.repeat(2_000)) })]
      : []),
    ...(placesOf(operation).body.length > 0 ? bodies(name, operation, send) : []),
    ...(operation.upload ? uploads(operation, send) : []),
  ]
}

type Send = (what: string, sent: Partial<Sent>) => Case

/** Addresses, cookies and headers. */
function around(operation: Operation, path: string, send: Send): Case[] {
  const long = 'x'.repeat(HEADER_BYTES / 2)
  const queries = placesOf(operation).query.map((field) =>
    send(`a long ${field}`, { path: `${path}?${field}=${long}` }),
  )
  return [
    send('nothing', {}),
    ...queries,
    send('many parameters', { path: `${path}?${'a=b&'.repeat(HEADER_BYTES / 4)}` }),
    send('one parameter many times', { path: `${path}?${'q=%C3%A9&'.repeat(HEADER_BYTES / 9)}` }),
    send('many cookies', { headers: { Cookie: 'a=b; '.repeat(HEADER_BYTES / 5) } }),
    send('a long cookie', { headers: { Cookie: `guildhall_session=${'x'.repeat(HEADER_BYTES)}` } }),
    send('a long token', { headers: { Authorization: `Bearer ${'x.'.repeat(HEADER_BYTES / 2)}y` } }),
    send('spaces for a token', { headers: { Authorization: `Bearer${' '.repeat(HEADER_BYTES)}x y` } }),
    send('many addresses', { headers: { 'X-Forwarded-For': '1.2.3.4, '.repeat(HEADER_BYTES / 9) } }),
    send('many tags', { headers: { 'If-None-Match': 'W/"a", '.repeat(HEADER_BYTES / 7), Range: 'bytes=0-,' } }),
  ]
}

/** An example of the input in which one field after another is something else, and bodies that are no input at all. */
function bodies(name: string, operation: Operation, send: Send): Case[] {
  const limit = operation.bodyLimitBytes ?? DEFAULT_BODY_BYTES
  const example = exampleOf(operation.deferredBody ?? operation.input, 'input') as Record<string, unknown>
  const fields = placesOf(operation).body
  const values = Object.entries(jsonValues)
  const json = (what: string, body: string) => send(what, { headers: JSON_TYPE, body })
  const replaced = fields.flatMap((field, at) =>
    // Each field meets five of the values, and all of them meet every value several times over.
    [0, 3, 6, 9, 12].map((step) => {
      const [what, make] = values[(at + step + name.length) % values.length]!
      const rest = JSON.stringify({ ...example, [field]: undefined }).slice(1, -1)
      return json(`${field} is ${what}`, `{${rest}${rest ? ',' : ''}"${field}":${make(limit - rest.length - 200)}}`)
    }),
  )
  return [
    ...replaced,
    ...values.map(([what, make]) => json(`the body is ${what}`, make(limit - 10))),
    json('the body is above its limit', JSON.stringify('a'.repeat(limit + 1))),
    json('unknown keys', `{${Array.from({ length: limit / 14 }, (_, n) => `"u${n}":null`).join()}}`),
    send('a form', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=b&'.repeat(limit / 4),
    }),
  ]
}

function uploads({ upload }: Operation, send: Send): Case[] {
  const [field] = Object.keys(upload!.files)
  return Object.entries(forms).map(([what, make]) =>
    send(what, { headers: { 'Content-Type': FORM_TYPE }, body: make(field!) }),
  )
}
