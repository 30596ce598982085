// Imports: others than admins bring nothing, and what files say has no power: no role, no way into an account, no script, no other address.
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { type Attack, hold, holdEach, holdRefused } from './attack.ts'
import type { Target } from './target.ts'

const CLAUSE = 'access'

const fileOf = (...records: (object | string)[]) =>
  new File([records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')], 'records.jsonl')

const thing = { type: 'thing', id: '1', kind: 'post', title: 'T', text: 'B', createdAt: '2024-01-01T00:00:00Z' }

/** Brings records as an admin does, and waits for its end. */
async function bring(target: Target, ...records: object[]): Promise<string> {
  const { api } = await target.withRole('admin')
  const name = `attack ${Math.random()}`
  const { id } = await api.imports.read({ source: 'guildhall', name, files: [fileOf(...records)] })
  await api.imports.start({ id })
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    const { state } = await api.imports.get({ id })
    if (state === 'done') return id
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the import does not end')
}

const broken = {
  'cut off': '{"type":"thing"',
  'no record': '[1,2,3]',
  nested: `${'['.repeat(100_000)}`,
  'a prototype': '{"__proto__":{"role":"admin"},"type":"ghost"}',
  'an address that is a script': JSON.stringify({ ...thing, url: 'javascript:alert(1)' }),
  'a time that is none': JSON.stringify({ ...thing, createdAt: '99999-01-01T00:00:00Z' }),
  'a long line': `{"type":"thing","text":"${'x'.repeat(3_000_000)}"}`,
}

const record = JSON.stringify({ ...thing, text: '![a](a.png)' })
/** Archives with what no export has. */
const archives: Record<string, () => Uint8Array> = {
  'bomb.zip': () => zipSync({ 'records.jsonl': Buffer.alloc(100 * 1024 * 1024, 32) }),
  'bomb.tar.gz': () => gzipSync(Buffer.alloc(200 * 1024 * 1024)),
  'parent.zip': () => zipSync({ '../../records.jsonl': Buffer.from(record) }),
  'root.zip': () => zipSync({ '/etc/records.jsonl': Buffer.from(record) }),
  'cut.zip': () => zipSync({ 'records.jsonl': Buffer.from(record) }).slice(0, -10),
  'many.zip': () =>
    zipSync(Object.fromEntries(Array.from({ length: 50_001 }, (_, n) => [`${n}.txt`, new Uint8Array()]))),
}

const INSIDE = [
  'http://169.254.169.254/a.png',
  'https://127.0.0.1/a.png',
  'https://[::1]/a.png',
  'https://localhost/a.png',
]

export const imports: Attack[] = [
  {
    name: 'pictures in texts are fetched from no address inside, and nothing but a picture is stored',
    clause: CLAUSE,
    needs: ['roles'],
    async run(target) {
      const addresses = [...INSIDE, 'file:///etc/passwd', 'data:image/svg+xml,<svg/>', '//169.254.169.254/a.png']
      const text = addresses.map((address) => `![a](${address})`).join('\n')
      const id = await bring(target, { ...thing, text, url: 'https://localhost/issues/1' })
      const { api } = await target.withRole('admin')
      const { done } = await api.imports.get({ id })
      hold(done.pictures === 0, `${done.pictures} pictures were stored`)
      await api.imports.revert({ id })
      return 'each address inside kept its link'
    },
  },
  {
    name: 'a moderator and a member bring nothing, and start, pause and take back no import',
    clause: CLAUSE,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const { api } = await target.withRole('admin')
      const { id } = await api.imports.read({ source: 'guildhall', name: 'staged', files: [fileOf(thing)] })
      for (const person of [await target.withRole('moderator'), await target.newcomer()]) {
        const own = person.api.imports
        await holdRefused(own.read({ source: 'guildhall', name: 'x', files: [fileOf(thing)] }), [403], 'files are read')
        await holdRefused(own.list(), [403], 'the list')
        for (const step of ['get', 'start', 'pause', 'revert'] as const)
          await holdRefused(own[step]({ id }), [403], step)
      }
      await api.imports.revert({ id })
      return 'admins alone do'
    },
  },
  {
    name: 'files that are broken, nested, long or forged are refused, and leave nothing',
    clause: CLAUSE,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const { api } = await target.withRole('admin')
      const before = (await api.imports.list()).items.length
      const result = await holdEach(Object.entries(broken), String, ([what, text]) =>
        holdRefused(api.imports.read({ source: 'guildhall', name: what, files: [fileOf(text)] }), [400], what),
      )
      hold((await api.imports.list()).items.length === before, 'an import is left')
      return result
    },
  },
  {
    name: 'an archive that inflates, leads out of its folder, is cut or has too many files brings nothing',
    clause: CLAUSE,
    needs: ['roles'],
    async run(target) {
      const { api } = await target.withRole('admin')
      const result = await holdEach(Object.entries(archives), String, ([name, made]) => {
        const files = [new File([made() as BlobPart], name)]
        return holdRefused(api.imports.read({ source: 'guildhall', name, files }), [400], name)
      })
      const picture = zipSync({
        'records.jsonl': Buffer.from(record),
        'a.png': Buffer.from('<svg onload="alert(1)"/>'),
      })
      const read = { source: 'guildhall' as const, name: 'a picture that is none' }
      const { id, report } = await api.imports.read({ ...read, files: [new File([picture as BlobPart], 'a.zip')] })
      await api.imports.revert({ id })
      hold(report.enclosed === 0, 'what is no picture is stored as one')
      return result
    },
  },
  {
    name: 'a person of an import takes no account, role or reserved name, and has no way in',
    clause: CLAUSE,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const victim = await target.newcomer()
      const { id: own } = await victim.api.profile.me()
      await bring(
        target,
        { type: 'person', id: 'v', username: 'admin', email: victim.email, role: 'admin', id2: own },
        { ...thing, author: 'v', title: 'In the name of another' },
      )
      const { items } = await target.anonymous().api.posts.list({ q: 'In the name of another' })
      const [post] = items
      const session = await victim.api.accounts.getSession()
      hold(session?.user.role === 'member', 'the role has changed')
      hold(post?.authorId !== own, 'it is in the name of an account whose address is not proven')
      hold(post && post.authorUsername?.toLowerCase() !== 'admin', 'it has a reserved name')
      return `it is by ${post?.authorUsername ?? 'nobody'}`
    },
  },
]
