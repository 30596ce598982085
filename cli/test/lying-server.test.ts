// A server that says what is not so: nothing of it is installed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import { sha256 } from './items.ts'
import { guildhall } from './run-cli.ts'

/** What a request for a file gets. */
type Answers = (path: string) => { file: string; version: string }

/** A server that says what it wants of workflow/digest. */
async function lyingServer(t: TestContext, resolved: object, file: string, answers?: Answers): Promise<string> {
  const server = createServer((request, answer) => {
    request.resume()
    if (request.method === 'POST') {
      const item = {
        found: true,
        name: 'workflow/digest',
        id: '1',
        kind: 'workflow',
        slug: 'digest',
        version: '1.0.0',
        sha256: sha256(file),
        size: file.length,
        yanked: false,
      }
      return void answer
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ items: [{ ...item, ...resolved }] }))
    }
    const path = request.url ?? ''
    const given = answers?.(path) ?? { file, version: undefined }
    if (answers && !path.endsWith('/file')) return void answer.writeHead(404).end()
    if (given.version !== undefined) answer.setHeader('X-Library-Version', given.version)
    answer.setHeader('X-Content-SHA256', sha256(given.file)).end(given.file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a server that lies', () => {
  const file = JSON.stringify({ name: 'Digest', nodes: [{ id: 'a', type: 'x', name: 'A' }] })
  it('about which version comes with the first bytes installs what was resolved', async (t) => {
    const home = await temporaryDirectory(t)
    const other = JSON.stringify({ name: 'Other', nodes: [] })
    const asked: string[] = []
    const answers: Answers = (path) => {
      asked.push(path)
      return path.includes('/latest/') ? { file: other, version: '1.0.0' } : { file, version: '1.0.0' }
    }
    const server = await lyingServer(t, {}, file, answers)
    const environment = { GUILDHALL_HOME: join(home, 'items'), GUILDHALL_URL: server }
    const { code, errors } = await guildhall(['install', 'workflow/digest', '--unproven'], { home, environment })
    assert.equal(code, 0, errors)
    assert.equal(await readFile(join(home, 'items/workflows/digest/digest.json'), 'utf8'), file)
    assert.deepEqual(
      asked.filter((path) => path.endsWith('/file')),
      ['latest', '1.0.0'].map((version) => `/api/library/workflow/digest/${version}/file`),
    )
  })

  it('about nothing is asked for the file once', async (t) => {
    const home = await temporaryDirectory(t)
    const asked: string[] = []
    const server = await lyingServer(t, {}, file, (path) => {
      asked.push(path)
      return { file, version: '1.0.0' }
    })
    const environment = { GUILDHALL_HOME: join(home, 'items'), GUILDHALL_URL: server }
    for (const _ of [1, 2]) {
      const { code, errors } = await guildhall(['install', 'workflow/digest', '--unproven'], { home, environment })
      assert.equal(code, 0, errors)
    }
    assert.deepEqual(
      asked.filter((path) => path.endsWith('/file')),
      ['/api/library/workflow/digest/latest/file'],
    )
  })

  for (const [sentence, resolved, content] of [
    ['about the hash of a file', { sha256: '0'.repeat(64) }, file],
    ['about the name of an item', { slug: '../../../escaped' }, file],
    ['about the version', { version: '../../1.0.0' }, file],
  ] as const) {
    it(`${sentence} installs nothing`, async (t) => {
      const home = await temporaryDirectory(t)
      const server = await lyingServer(t, resolved, content)
      const given = { home, environment: { GUILDHALL_HOME: join(home, 'items'), GUILDHALL_URL: server } }
      const { code, errors } = await guildhall(['install', 'workflow/digest'], given)
      assert.ok(code === 1 || code === 2, errors)
      const left = await readdir(home, { recursive: true })
      assert.deepEqual(
        left.filter((name) => !/^items(\/workflows)?$/.test(name)),
        [],
      )
    })
  }
})
