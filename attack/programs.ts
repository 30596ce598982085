// Our own programs as victims: what a server that lies, a backup of a stranger or a hasty hand make them do.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRepository } from '../src/operator/repository.ts'
import { type Attack, hold, holdEach } from './attack.ts'
import { type Ended, run } from './server.ts'
import { makeItem, orgJson, workflow } from './things.ts'

const CLAUSE = 'programs'

async function inFolder(work: (folder: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-attack-programs-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs `guildhall` with its own home. */
const guildhall = (words: string[], { home, url, input }: { home: string; url: string; input?: string }) => {
  const own = { HOME: home, GUILDHALL_HOME: home, GUILDHALL_CONFIG: join(home, 'config') }
  const environment = { PATH: process.env['PATH'] ?? '', GUILDHALL_KEYRING: 'off', GUILDHALL_URL: url, ...own }
  return run(['cli/src/main.ts', ...words], environment, input)
}

const ended = ({ code, output }: Ended) => `${code}: ${output.slice(-300)}`

const EVIL = workflow({ name: 'Evil' })
const HASH = createHash('sha256').update(EVIL).digest('hex')

/** A server that passes on what an honest one says, until it lies: then it has other bytes, that it has no proof of. */
function liar(honest: string, slug: string): { isLying: boolean; listener: RequestListener } {
  const version = { found: true, name: `workflow/${slug}`, id: '1', kind: 'workflow', slug, version: '1.1.0' }
  const items = [{ ...version, sha256: HASH, size: EVIL.length, yanked: false }]
  const pass: RequestListener = async (request, response) => {
    const chunks = await request.toArray()
    const type = request.headers['content-type']
    const answer = await fetch(`${honest}${request.url}`, {
      method: request.method ?? 'GET',
      ...(type && { headers: { 'Content-Type': type }, body: Buffer.concat(chunks) }),
    })
    const kept = [...answer.headers].filter(([name]) => !/^(connection|transfer-encoding|content-encoding)$/.test(name))
    response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()))
  }
  const one = {
    isLying: false,
    listener(request: IncomingMessage, response: ServerResponse) {
      const path = request.url ?? ''
      if (!one.isLying) return pass(request, response)
      if (path.includes('/resolve'))
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ items }))
      else if (path.endsWith('/file')) response.setHeader('X-Content-SHA256', HASH).end(EVIL)
      else if (/\/(proof|statement|log\/key)\b/.test(path)) response.writeHead(404).end()
      else return pass(request, response)
    },
  }
  return one
}

export const programs: Attack[] = [
  {
    name: 'the key in guildhall.lock holds against a server that has other bytes and no proof',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      inFolder(async (home) => {
        const owner = await target.newcomer()
        const fields = { visibility: 'public' }
        const { slug } = await makeItem(owner, { kind: 'workflow', content: workflow(), fields })
        const { hostname, port } = target.place
        const proxy = liar(`http://${hostname}:${port}`, slug)
        const server = createServer(proxy.listener).listen(0, '127.0.0.1')
        await once(server, 'listening')
        try {
          const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
          const first = await guildhall(['install', `workflow/${slug}`], { home, url })
          hold(first.code === 0, `an honest version is not installed: ${ended(first)}`)
          proxy.isLying = true
          const lied = await guildhall(['update', '--yes', '--unproven', '--force'], { home, url })
          hold(lied.code === 1 && lied.output.includes('no proof'), `updated: ${ended(lied)}`)
          return 'no proof, no update'
        } finally {
          server.closeAllConnections()
          server.close()
        }
      }),
  },
  {
    name: 'guildhall publish makes no secret public without a word',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      inFolder(async (home) => {
        const owner = await target.newcomer()
        const scopes = ['library:read', 'library:write']
        const made = await owner.post('/api/account/tokens', { name: 'A script', scopes })
        const path = join(home, 'org.json')
        await writeFile(path, orgJson({ goal: `token: ghp_${'A1b2'.repeat(9)}` }))
        const given = { home, url: target.origin }
        const login = await guildhall(['login', '--token'], { ...given, input: String(made.json()?.['token']) })
        hold(login.code === 0, `no honest sign-in: ${ended(login)}`)
        const published = await guildhall(['publish', path, '--visibility', 'public'], given)
        hold(published.code === 1 && published.output.includes('severe secret'), ended(published))
        const { items } = (await owner.get('/api/library/items?scope=mine')).json() as { items: unknown[] }
        hold(items.length === 0, 'it was published')
        return 'it says where, and stops'
      }),
  },
  {
    name: 'a backup of a stranger is restored by no accident, and writes nowhere else',
    clause: CLAUSE,
    needs: ['files'],
    run: (target) =>
      inFolder(async (folder) => {
        const kept = join(folder, 'kept')
        const taken = await target.own.admin('backup', kept)
        hold(taken.code === 0, `no honest backup: ${ended(taken)}`)
        const DATA_DIR = join(folder, 'data')
        await mkdir(DATA_DIR)
        const environment: Record<string, string> = { ...target.own.environment, DATA_DIR }
        delete environment['DATABASE_URL']
        const restore = (...words: string[]) => run(['src/admin.ts', 'restore', kept, ...words], environment)
        const unasked = await restore()
        hold(unasked.code === 1 && unasked.output.includes('--unauthenticated'), `restored: ${ended(unasked)}`)
        const repository = await openRepository(`file:${kept}`, { passphrase: undefined, mayBegin: false })
        const [name = ''] = await repository.list('snapshots')
        const honest = JSON.parse(String(await repository.get(name)))
        const names = ['../escaped/authorized_keys', '/etc/escaped', 'guildhall.db', '..']
        const seen = await holdEach(names, String, async (wrong) => {
          const files = [{ ...honest.files[0], name: wrong }]
          await repository.put(name, Buffer.from(JSON.stringify({ ...honest, files })))
          const restored = await restore('--unauthenticated')
          hold(restored.code === 1 && restored.output.includes('no backup contains'), ended(restored))
        })
        repository.close()
        hold((await readdir(folder)).sort().join() === 'data,kept', 'something was written beside')
        return seen
      }),
  },
]
