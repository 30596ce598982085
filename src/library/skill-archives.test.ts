// Skills as .tar.gz (behaviour.md, section 4) through the front door: under the rules of zip archives, each at its limit and one beyond, and without what
// other programs would unpack as something else than the server shows.
import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { skillFile, skillText } from '../../test/skills.ts'
import { onEveryEngine, type Person } from '../../test/world.ts'

const MIB = 1024 * 1024
const BLOCK = 512

type Part = [header: Partial<Header> & Pick<Header, 'name'>, content?: Buffer | string]

const skill: Part = [{ name: 'SKILL.md' }, skillText()]

async function tarOf(parts: readonly Part[]): Promise<Buffer> {
  const tar = pack()
  for (const [header, content = ''] of parts) tar.entry(header, content)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Stored, as deflating megabytes takes seconds; the inflated size is what counts. */
const packed = (tar: Buffer, level: 0 | 6 = 0): Buffer => gzipSync(tar, { level })
const tarGz = async (parts: readonly Part[], level: 0 | 6 = 0) => packed(await tarOf([skill, ...parts]), level)

const noise = (length: number) =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(length))

const publish = (person: Person, bytes: Uint8Array) =>
  person.library.publish({ kind: 'skill', file: skillFile(bytes, 'pdf-tools.tar.gz'), visibility: 'private' })

async function taken(person: Person, bytes: Uint8Array, what: string): Promise<void> {
  const { id, size } = await publish(person, bytes).catch((error: unknown) => assert.fail(`${what}: ${error}`))
  assert.equal(size, bytes.length, what)
  await person.library.delete({ id })
}

const refused = (person: Person, bytes: Uint8Array, message: RegExp) =>
  assert.rejects(publish(person, bytes), { status: 400, code: 'invalid_artifact', message }, String(message))

/** Content of which a fortieth does not compress. */
const mixed = (length: number) =>
  Buffer.concat([noise(Math.ceil(length / 40)), Buffer.alloc(length)]).subarray(0, length)

/** A path of so many segments, and one of so many bytes. */
const deep = (segments: number) => `${'a/'.repeat(segments - 1)}f`
const long = (bytes: number) => `${`${'b'.repeat(99)}/`.repeat(20).slice(0, bytes - 1)}f`

/** A raw header: what tar-stream writes, with some bytes replaced and its sum corrected. */
function changed(tar: Buffer, at: number, change: (header: Buffer) => void): Buffer {
  const header = tar.subarray(at, at + BLOCK)
  change(header)
  header.write('        ', 148)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return tar
}

onEveryEngine('a skill as .tar.gz', (it) => {
  it('has 2,000 entries, and none more', async ({ alice }) => {
    const files = (count: number) => Array.from({ length: count }, (_, at): Part => [{ name: `f${at}` }])
    await taken(alice, await tarGz(files(1_999)), '2,000 entries')
    await refused(alice, await tarGz(files(2_000)), /at most 2,000 entries/)
  })

  it('has entries of 10 MiB and 50 MiB in all, and no byte more', async ({ alice }) => {
    const whole = mixed(10 * MIB + 1)
    const part = (name: string, size: number): Part => [{ name }, whole.subarray(0, size)]
    await taken(alice, await tarGz([part('a', 10 * MIB)], 6), '10 MiB')
    await refused(alice, await tarGz([part('a', 10 * MIB + 1)], 6), /at most 10 MiB/)
    const four = ['a', 'b', 'c', 'd'].map((name) => part(name, 10 * MIB))
    const rest = 10 * MIB - Buffer.byteLength(skillText())
    await taken(alice, await tarGz([...four, part('e', rest)], 6), '50 MiB')
    await refused(alice, await tarGz([...four, part('e', rest + 1)], 6), /at most 50 MiB/)
  })

  it('inflates to 200 times its size beyond 1 MiB, and to more below', async ({ alice }) => {
    // A tar has whole blocks; the length of the name of the file within gzip is free, so that its size is any.
    const tar = await tarOf([skill, [{ name: 'zeros' }, Buffer.alloc(3 * MIB)]])
    const plain = gzipSync(tar)
    const named = (size: number) => {
      const name = Buffer.from('x'.repeat(size - plain.length - 1).concat('\0'))
      return Buffer.concat([plain.subarray(0, 3), Buffer.of(8), plain.subarray(4, 10), name, plain.subarray(10)])
    }
    const least = Math.ceil(tar.length / 200)
    await taken(alice, named(least), '200 times')
    await refused(alice, named(least - 1), /at most 200 times/)
    const small = await tarOf([skill, [{ name: 'zeros' }, Buffer.alloc(MIB - 5 * BLOCK - BLOCK)]])
    assert.ok(small.length <= MIB && small.length > MIB - 4 * BLOCK)
    const bytes = gzipSync(small)
    assert.ok(small.length > bytes.length * 500)
    await taken(alice, bytes, '1 MiB')
  })

  it('has 20 MiB, and no byte more', async ({ alice }) => {
    const content = (size: number): Part[] => [
      [{ name: 'a' }, noise(10 * MIB)],
      [{ name: 'b' }, noise(size)],
    ]
    const bytes = await tarGz(content(9 * MIB))
    const withSize = (size: number) => {
      const name = Buffer.from('x'.repeat(size - bytes.length - 1).concat('\0'))
      return Buffer.concat([bytes.subarray(0, 3), Buffer.of(8), bytes.subarray(4, 10), name, bytes.subarray(10)])
    }
    await taken(alice, withSize(20 * MIB), '20 MiB')
    await assert.rejects(publish(alice, withSize(20 * MIB + 1)), { status: 413, code: 'too_large' })
  })

  it('has paths of 1,024 bytes, 32 segments and names of 255 bytes, and no longer ones', async ({ alice }) => {
    const named = (name: string) => tarGz([[{ name }]])
    await taken(alice, await named(long(1_024)), '1,024 bytes')
    await refused(alice, await named(long(1_025)), /at most 1,024 bytes/)
    await taken(alice, await named(deep(32)), '32 segments')
    await refused(alice, await named(deep(33)), /at most 32 segments/)
    await taken(alice, await named('e'.repeat(255)), 'a name of 255 bytes')
    await refused(alice, await named('e'.repeat(256)), /at most 255 bytes/)
  })

  it('says nothing that gives a file another name, size or content elsewhere', async ({ alice }) => {
    const before = async (pax: Record<string, string>) => tarGz([[{ name: 'notes.txt', pax }, 'Hello']])
    await taken(alice, await before({ comment: 'by hand', 'SCHILY.xattr.user.x': 'y' }), 'what does not matter')
    for (const [key, value] of [
      ['GNU.sparse.name', '../outside.sh'],
      ['GNU.sparse.realsize', '9999999999'],
      ['GNU.sparse.map', '0,5'],
      ['SCHILY.realsize', '9999999999'],
      ['SUN.holesdata', ' 0 5'],
      ['linkpath', '/etc/passwd'],
      ['hdrcharset', 'BINARY'],
      ['size', '5x'],
    ] as const)
      await refused(alice, await before({ [key]: value }), new RegExp(`no header that says ${key}`))
    // What is said of all files that follow: git writes a comment there.
    const global = async (record: string) => {
      const tar = await tarOf([skill, [{ name: 'all' }, record], [{ name: 'notes.txt' }, 'Hello']])
      return packed(changed(tar, 2 * BLOCK, (header) => header.write('g', 156)))
    }
    await taken(alice, await global('16 comment=0123\n'), 'a remark on all')
    await refused(alice, await global('23 path=scripts/run.sh\n'), /no header that says path/)
    await refused(alice, await global('16 comment=0123 '), /readable headers/)
    await refused(alice, await global('17 comment=0123\n'), /readable headers/)
  })

  it('has one reading of its headers, and nothing after its end', async ({ alice }) => {
    const ends = await tarOf([skill])
    await refused(alice, packed(Buffer.concat([ends, await tarOf([[{ name: 'late.sh' }, 'x']])])), /up to the end/)
    await refused(alice, Buffer.concat([packed(ends), packed(await tarOf([[{ name: 'late.sh' }]]))]), /readable \.tar/)
    await refused(alice, Buffer.concat([packed(ends), Buffer.alloc(8), Buffer.from('PK')]), /readable \.tar/)
    const one = () => tarOf([skill, [{ name: 'notes.txt' }, 'Hello']])
    const withSize = async (size: string) =>
      packed(changed(await one(), 2 * BLOCK, (header) => header.write(size.padEnd(12, '\0'), 124, 'latin1')))
    await taken(alice, await withSize('5'), 'a short size')
    await refused(alice, await withSize('5 7'), /sizes as octal numbers/)
    await refused(alice, await withSize(`\x80${'\0'.repeat(10)}\x05`), /sizes as octal numbers/)
    for (const name of ['a/', './']) {
      const folder = await tarOf([skill, [{ name, type: 'directory' }], [{ name: 'notes.txt' }, 'Hello']])
      const filled = changed(folder, 2 * BLOCK, (header) => header.write('00000001000', 124))
      await refused(alice, packed(filled), /folder without content/)
    }
    const odd = changed(await one(), 2 * BLOCK, (header) => header.write('\xff', 0, 'latin1'))
    await refused(alice, packed(odd), /a name in UTF-8/)
  })
})
