// Requests outside the operations: the tools, the authorization server, the pages and their forms.
import type { Sent } from '../../attack/request.ts'
import { placesOf } from '../../src/contract/operation.ts'
import { FORM_TYPE, forms, jsonValues } from './bodies.ts'
import { type Case, operations } from './requests.ts'

const KIB = 1024
const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' }
const message = (params: string, method = 'tools/call') =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
const toMcp = (name: string, body: string, headers = {}): Case => ({
  name: `MCP: ${name}`,
  sent: { method: 'POST', path: '/api/mcp', headers: { ...accept, ...headers }, body },
})

/** Calls of every operation by name, each with one field that is too much, and messages that are no calls. */
export function toolCases(): Case[] {
  const values = Object.entries(jsonValues)
  const tail = operations.map(([name, operation], at): Case => {
    const { path, query, body } = placesOf(operation)
    const fields = [...path, ...query, ...body, 'any']
    const [what, make] = values[at % values.length]!
    const input = `{"${fields[at % fields.length]}":${make(body.length > 0 ? 250 * KIB : 60 * KIB)}}`
    return toMcp(
      `${name} with ${what}`,
      message(`{"name":"call_operation","arguments":{"name":"${name}","input":${input}}}`),
    )
  })
  const words = 'delete comment '.repeat(4 * KIB)
  const call = (name: string, given: unknown) => message(JSON.stringify({ name, arguments: given }))
  const batch = (count: number) =>
    `[${Array(count)
      .fill(call('list_library_items', { per_page: 100 }))
      .join()}]`
  const early = { 'MCP-Protocol-Version': '2025-03-26' }
  return [
    ...tail,
    ...values.map(([what, make]) => toMcp(`a message that is ${what}`, make(4_000 * KIB))),
    ...values.map(([what, make]) =>
      toMcp(
        `files that are ${what}`,
        message(`{"name":"run_org","arguments":{"id":"x","files":${make(4_000 * KIB)}}}`),
      ),
    ),
    toMcp('a search of 4 MB', call('find_operation', { query: words.repeat(70) })),
    toMcp('a search of 60 KB', call('find_operation', { query: words.slice(0, 60 * KIB) })),
    toMcp('a list for 60 KB', call('list_library_items', { q: words.slice(0, 60 * KIB) })),
    toMcp(
      'a file of 4 MB',
      call('run_org', { id: 'x', files: [{ filename: 'a.md', content: '\u0001'.repeat(600 * KIB) }] }),
    ),
    toMcp('a batch of 20', batch(20), early),
    toMcp('a batch of 2,000', batch(2_000), early),
    toMcp(
      'a long address',
      message(
        JSON.stringify({ uri: `http://localhost/api/library/items/${'%41'.repeat(19 * KIB)}` }),
        'resources/read',
      ),
    ),
  ]
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const post = (name: string, path: string, sent: Partial<Sent>): Case => ({
  name,
  sent: { method: 'POST', path, ...sent },
})

const pagesWithForms = [
  ...['/sign-in?/password', '/sign-up', '/settings?/profile', '/settings?/avatar', '/vote', '/theme', '/preview'],
  ...['/library/upload?/publish', '/community/orgs/new?/create', '/community/bugs/new', '/community/orgs/x/edit?/save'],
  ...['/community/orgs/x?/addRun', '/library/orgs/x/edit?/version', '/community/orgs/x/edit?/preview'],
]

export function siteCases(): Case[] {
  return pagesWithForms.flatMap((path) => [
    post(`${path}: 23 MB`, path, { headers: FORM, body: 'a=b&'.repeat(6_000_000) }),
    post(`${path}: 64 KB`, path, { headers: FORM, body: 'a=b&'.repeat(16 * KIB) }),
    post(`${path}: 64 KB of escapes`, path, { headers: FORM, body: '%41=%C3%A9&'.repeat(5_900) }),
    post(`${path}: 64 KB in parts`, path, {
      headers: { 'Content-Type': FORM_TYPE },
      body: forms['many parts']!('a').subarray(0, 64 * KIB),
    }),
    ...['many parts', 'many parts without a name', 'a long name', 'headers without end', 'almost a boundary'].map(
      (what) => post(`${path}: ${what}`, path, { headers: { 'Content-Type': FORM_TYPE }, body: forms[what]!('file') }),
    ),
  ])
}

const authorization = [
  '/api/auth/oauth2/token',
  '/api/auth/oauth2/revoke',
  '/api/auth/oauth2/register',
  '/api/auth/oauth2/consent',
  '/api/auth/oauth2/par',
]

/** The endpoints of the protocol, and pages with addresses that are too much. */
export function protocolCases(): Case[] {
  const body = (size: number) => 'client_id=a&scope=b+c&'.repeat(size / 22)
  return [
    ...authorization.flatMap((path) => [
      post(`${path}: a form of 47 KB`, path, { headers: FORM, body: body(47_000) }),
      post(`${path}: a form of 1 MB`, path, { headers: FORM, body: body(1_000_000) }),
      ...Object.entries(jsonValues).map(([what, make]) =>
        post(`${path}: ${what}`, path, {
          headers: { 'Content-Type': 'application/json' },
          body: `{"redirect_uris":${make(40_000)}}`,
        }),
      ),
    ]),
    ...[
      '/api/auth/oauth2/authorize',
      '/',
      '/library',
      '/community',
      '/community/bugs',
      '/sign-in',
      '/nothing',
      '/feed.atom',
    ].flatMap((path) => [
      { name: `${path}: many parameters`, sent: { path: `${path}?${'scope=a+b&'.repeat(1_300)}` } },
      {
        name: `${path}: a long parameter`,
        sent: { path: `${path}?q=${'x'.repeat(7_000)}&scope=${'y+'.repeat(3_000)}` },
      },
    ]),
  ]
}
