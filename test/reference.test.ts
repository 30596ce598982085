// The code in the reference: what curl, the client library and the command line send is what the operation takes, and the server answers.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { runApi } from '../cli/src/api-command.ts'
import type { Context } from '../cli/src/command.ts'
import { operations } from '../client/src/derived/operations.ts'
import { requestOf } from '../client/src/request.ts'
import { api } from '../src/api.ts'
import type { Contract } from '../src/contract/operation.ts'
import { describePart, type OperationReference } from '../src/surfaces/reference/describe.ts'
import { workflowFile } from './library.ts'
import { AGENT, oauthClient } from './oauth.ts'
import { tinyPng } from './pictures.ts'
import { temporaryDirectory } from './temporary.ts'
import { onEveryEngine } from './world.ts'

const ORIGIN = 'http://localhost:3000'
const picture = await tinyPng()
const all: OperationReference[] = Object.entries<Contract>(api).flatMap(([part, contract]) =>
  describePart(part, contract),
)
const rowOf = (name: string) => operations[name.split('.')[0]!]![name.split('.')[1]!]!

/** The words of each line, as a shell reads them. */
function wordsOf(lines: readonly string[], token = 'a-token'): string[][] {
  const script = `show() { printf '%s\\0' "$@"; printf '\\1'; }\n${lines.map((line) => `show ${line}`).join('\n')}\n`
  const env = { ...process.env, GUILDHALL_TOKEN: token }
  const output = execFileSync('bash', ['-e'], { input: script, encoding: 'utf8', env, maxBuffer: 10_000_000 })
  return output
    .split('\u0001')
    .slice(0, -1)
    .map((line) => line.split('\0').slice(0, -1))
}

/** The request that curl makes of its words. */
function curlRequest([, ...words]: string[]): Request {
  const headers = new Headers()
  const form = new FormData()
  let url: string | undefined
  let method: string | undefined
  let json: string | undefined
  const take: Readonly<Record<string, (value: string) => void>> = {
    '-X': (value) => (method = value),
    '-H': (value) => headers.append(...(value.split(/: (.*)/s).slice(0, 2) as [string, string])),
    '-b': () => {},
    '--json': (value) => (json = value),
    '--form-string': (value) => form.append(...(value.split(/=(.*)/s).slice(0, 2) as [string, string])),
    '-F': (value) => form.append(value.split('=@')[0]!, fileFor(value.split('=@')[1]!)),
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (['-OJ', '-N'].includes(word)) continue
    if (take[word]) take[word](words[++at]!)
    else if (url === undefined && !word.startsWith('-')) url = word
    else assert.fail(`curl does not know ${word}`)
  }
  if (json !== undefined) {
    headers.set('Content-Type', 'application/json')
    headers.set('Content-Length', String(Buffer.byteLength(json)))
  }
  const body = json ?? ([...form].length > 0 ? form : null)
  return new Request(url!, { method: method ?? (body === null ? 'GET' : 'POST'), headers, body })
}

/** A file of a name that the reference uses. */
const fileFor = (name: string) => new File([contentOf(name)], name)
const contentOf = (name: string) =>
  name === 'digest.json' ? workflowFile() : name.endsWith('.png') ? picture : '# A report'

const curlLines = all.map(({ samples }) => samples.curl.replaceAll('{base_url}', ORIGIN))

/** What of a request says which operation is called, and with what. */
async function callOf(request: Request) {
  const type = request.headers.get('content-type') ?? ''
  const form = type.startsWith('multipart/') ? [...(await request.formData())] : undefined
  const body = form?.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]).sort()
  return { url: request.url, method: request.method, body: body ?? (await request.text()) }
}

async function clientRequest(name: string, input: object): Promise<Request> {
  const { url, ...parts } = await requestOf(name, rowOf(name), { url: ORIGIN, input: input as Record<string, unknown> })
  return new Request(url, parts)
}

/** An object on which every operation can be called; what it is called with is given to `took`. */
const recorder = (took: (name: string, input: object) => unknown) =>
  Object.fromEntries(
    Object.entries(operations).map(([part, rows]) => [
      part,
      Object.fromEntries(Object.keys(rows).map((verb) => [verb, (input = {}) => took(`${part}.${verb}`, input)])),
    ]),
  )

async function* noEvents() {}

describe('the code of the reference', () => {
  it('sends by the client library what curl sends', async () => {
    const requests = wordsOf(curlLines).map(curlRequest)
    const readFile = async () => Buffer.from('bytes')
    for (const [index, { name, samples }] of all.entries()) {
      const calls: [string, object][] = []
      const isStream = rowOf(name).response === 'stream'
      const client = recorder((called, input) => {
        calls.push([called, input])
        return isStream ? noEvents() : Promise.resolve({})
      })
      const run = new Function('guildhall', 'readFile', `return (async () => { ${samples.typescript} })()`)
      await run(client, readFile)
      assert.deepEqual(
        calls.map(([called]) => called),
        [name],
      )
      assert.deepEqual(await callOf(await clientRequest(...calls[0]!)), await callOf(requests[index]!), name)
    }
  })

  it('sends at the command line what curl sends, but for operations of the site', async (t: TestContext) => {
    const folder = await temporaryDirectory(t)
    const called = all.filter(({ samples }) => samples.cli !== null)
    assert.ok(called.length > 150 && called.every(({ name }) => rowOf(name).credential !== 'session'))
    const requests = wordsOf(called.map(({ samples }) => samples.curl.replaceAll('{base_url}', ORIGIN))).map(
      curlRequest,
    )
    for (const [index, [, , name = '', ...words]] of wordsOf(called.map(({ samples }) => samples.cli!)).entries()) {
      const placed = words.map((word) => (/^[\w-]+\.(json|png|md)$/.test(word) ? join(folder, word) : word))
      for (const path of placed.filter((word) => word.startsWith(folder))) writeFileSync(path, 'bytes')
      let input: object | undefined
      const client = recorder((_, given) => {
        input = given
        return rowOf(name).response === 'stream' ? noEvents() : Promise.resolve({ body: new Blob([]).stream() })
      })
      const context = { client: async () => client, write: async () => {} } as unknown as Context
      await runApi(context, [name, ...placed])
      assert.deepEqual(await callOf(await clientRequest(name, input!)), await callOf(requests[index]!), name)
    }
  })
})

onEveryEngine('the curl lines of the reference', (it) => {
  it('are taken by the server, each of them', async (world) => {
    const scope = 'community:read community:write library:read library:write'
    const { access_token } = await oauthClient(world).signIn(world.admin, { clientId: AGENT, scope })
    const origin = world.dependencies.config.baseUrl
    const lines = all.map(({ samples }) => samples.curl.replaceAll('{base_url}', origin))
    const refused: string[] = []
    for (const [index, words] of wordsOf(lines, access_token).entries()) {
      const answer = await world.app.fetch(curlRequest(words))
      const text = answer.headers.get('content-type')?.startsWith('application/json') ? await answer.text() : ''
      await answer.body?.cancel().catch(() => {})
      if ([400, 405, 415].includes(answer.status) || answer.status >= 500)
        refused.push(`${all[index]!.name} ${answer.status} ${text}`)
    }
    // Their examples name a client and a code that are not there, and a file of no tracker.
    assert.deepEqual(
      refused.map((line) => line.split(' ', 2).join(' ')),
      ['claims.claim 400', 'claims.verify 400', 'imports.read 400'],
      refused.join('\n'),
    )
  })
})
