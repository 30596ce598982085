// Our own programs as victims: what a server that lies, a backup of a stranger or a hasty hand make them do.
import { createHash } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRepository } from '../src/operator/repository.ts'
import { type Attack, hold, holdEach } from './attack.ts'
import { besideALiar, ended, guildhall, inFolder, type Lie, sendJson } from './liars.ts'
import { run } from './server.ts'
import { orgJson, publishToAll, workflow } from './things.ts'

const CLAUSE = 'programs'

const EVIL = workflow({ name: 'Evil' })
const HASH = createHash('sha256').update(EVIL).digest('hex')

/** Other bytes under the name of an item, that there is no proof of. */
function otherBytes(slug: string): Lie {
  const version = { found: true, name: `workflow/${slug}`, id: '1', kind: 'workflow', slug, version: '1.1.0' }
  const items = [{ ...version, sha256: HASH, size: EVIL.length, yanked: false }]
  return (path, response) => {
    if (path.includes('/resolve')) sendJson(response, { items })
    else if (path.endsWith('/file')) response.setHeader('X-Content-SHA256', HASH).end(EVIL)
    else if (/\/(proof|statement|log\/key)\b/.test(path)) response.writeHead(404).end()
    else return false
    return true
  }
}

export const programs: Attack[] = [
  {
    name: 'the key in guildhall.lock holds against a server that has other bytes and no proof',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      inFolder(async (home) => {
        const { slug } = await publishToAll(await target.newcomer())
        return besideALiar(target, async (liar) => {
          const first = await guildhall(['install', `workflow/${slug}`], { home, url: liar.url })
          hold(first.code === 0, `an honest version is not installed: ${ended(first)}`)
          liar.lie = otherBytes(slug)
          const lied = await guildhall(['update', '--yes', '--unproven', '--force'], { home, url: liar.url })
          hold(lied.code === 1 && lied.output.includes('no proof'), `updated: ${ended(lied)}`)
          return 'no proof, no update'
        })
      }),
  },
  {
    name: 'guildhall publish makes no secret public without a word',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      inFolder(async (home) => {
        const owner = await target.newcomer()
        const scopes = ['library:read' as const, 'library:write' as const]
        const { token } = await owner.api.personalTokens.create({ name: 'A script', scopes })
        const path = join(home, 'org.json')
        await writeFile(path, orgJson({ goal: `token: ghp_${'A1b2'.repeat(9)}` }))
        const given = { home, url: target.origin }
        const login = await guildhall(['login', '--token'], { ...given, input: token })
        hold(login.code === 0, `no honest sign-in: ${ended(login)}`)
        const published = await guildhall(['publish', path, '--visibility', 'public'], given)
        hold(published.code === 1 && published.output.includes('severe secret'), ended(published))
        const { items } = await owner.api.library.list({ scope: 'mine' })
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
