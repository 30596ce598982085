// What is served to git: skills that write where they should not, requests that are none, and what is private.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { zip } from '../test/corpus/zip-writer.ts'
import { line } from '../test/packets.ts'
import { type Attack, hold, holdEach, holdStatus } from './attack.ts'

const CLAUSE = 'registry'
const LIST = '/.claude-plugin/marketplace.json'
const REFS = '/marketplace.git/info/refs?service=git-upload-pack'
const UPLOAD = '/marketplace.git/git-upload-pack'
const HEADERS = { 'Content-Type': 'application/x-git-upload-pack-request' }

const skill = (name: string, path: string) => {
  const text = `---\nname: ${name}\ndescription: Writes elsewhere.\n---\n`
  return zip([
    { name: 'SKILL.md', data: Buffer.from(text) },
    { name: path, data: Buffer.from('x\n') },
  ])
}

export const marketplace: Attack[] = [
  {
    name: 'a skill that git would act on, and one that is private, are in no marketplace',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const mark = randomBytes(4).toString('hex')
      const put = (name: string, path: string, visibility: 'public' | 'private') =>
        owner.api.library.publish({ kind: 'skill', file: skill(name, path), visibility })
      const paths = ['.git/config', '.GIT/hooks/post-checkout', '.gitattributes', 'a/.gitmodules']
      for (const [at, path] of paths.entries()) await put(`odd${mark}x${at}`, path, 'public')
      await put(`own${mark}x`, 'notes.txt', 'private')
      await put(`good${mark}x`, 'notes.txt', 'public')
      const listed = (await target.anonymous().get(LIST)).text
      hold(listed.includes(`skill-good${mark}x`), 'a good skill is not there')
      for (const bad of [`odd${mark}`, `own${mark}`]) hold(!listed.includes(bad), `${bad} is there`)
      return `${paths.length} paths`
    },
  },
  {
    name: 'what is no request of git, is too large, or writes is refused',
    clause: CLAUSE,
    async run(target) {
      const reader = target.anonymous()
      const refs = await reader.get(REFS)
      const head = /([0-9a-f]{40}) HEAD/.exec(refs.text)?.[1] ?? ''
      hold(head !== '', 'there is no commit')
      const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
        reader.send({ method: 'POST', path: UPLOAD, headers: { ...HEADERS, ...headers }, body })
      const garbage = ['zzzz', '0003', 'fff9', 'ffff0', '\0\0\0\0', 'PACK', '00000']
      await holdEach(garbage, JSON.stringify, async (body) => holdStatus(await send(body), [400], body))
      const bomb = gzipSync(Buffer.alloc(30_000_000))
      holdStatus(await send(bomb, { 'Content-Encoding': 'gzip' }), [413], 'a bomb')
      holdStatus(await send('0'.repeat(65_537)), [413], 'one byte too many')
      const wants = ['0'.repeat(40), 'f'.repeat(40), head.slice(0, 39), `${head}\0`, '../../etc/passwd']
      await holdEach(wants, JSON.stringify, async (want) => {
        const { text } = await send(`${line(`want ${want}\n`)}0000${line('done\n')}`)
        hold(/^[0-9a-f]{4}ERR /.test(text), `${want}: ${text.slice(0, 80)}`)
        return 'refused'
      })
      for (const path of ['/marketplace.git/git-receive-pack', '/marketplace.git/info/refs?service=git-receive-pack'])
        holdStatus(await reader.get(path), [403], path)
      return `${garbage.length + wants.length} requests`
    },
  },
]
