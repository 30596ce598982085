// The formats of an archive against other implementations of them, and at their limits.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { temporaryDirectory } from '../../../test/temporary.ts'
import { entryOf, MOST_PART_BYTES, packRows, ROWS_A_PART, unpackRows } from './layout.ts'
import { ArchiveError, seal, unseal } from './sealing.ts'
import { filesIn, tarOf } from './tar.ts'

const passphrase = 'a long enough passphrase'

async function bytesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

async function* files(...names: [name: string, size: number][]) {
  for (const [name, size] of names) yield { name, size, bytes: [Buffer.alloc(size, name)] }
}

describe('the seal of an archive', () => {
  it('is that of the program age: a file that this made is opened', async () => {
    const opened = await bytesOf(await unseal('test/fixtures/archive/sealed-by-age.age', passphrase))
    assert.equal(opened.toString(), 'a test of the seal\n')
    await assert.rejects(unseal('test/fixtures/archive/sealed-by-age.age', `${passphrase} `), ArchiveError)
  })

  it('gives back any number of bytes, at the edges of a chunk too', async (t) => {
    const path = join(await temporaryDirectory(t), 'sealed')
    for (const size of [0, 1, 65_535, 65_536, 65_537, 131_072]) {
      await writeFile(path, await seal(Readable.from([Buffer.alloc(size, 7)]), { passphrase, workFactor: 4 }))
      assert.deepEqual(await bytesOf(await unseal(path, passphrase)), Buffer.alloc(size, 7), `${size}`)
      const sealed = await readFile(path)
      assert.ok(sealed.length >= size + 16)
    }
  })
})

describe('the tar of an archive', () => {
  it('is read by another program, and by this one, to the byte', async () => {
    const named: [string, number][] = [
      ['a', 0],
      ['b/c', 511],
      ['d'.repeat(100), 512],
      ['e', 513],
    ]
    const tar = await bytesOf(tarOf(files(...named)))
    const seen: [string, number, boolean][] = []
    const other = extract()
    Readable.from([tar]).pipe(other)
    for await (const entry of other) {
      const bytes = await bytesOf(entry as AsyncIterable<Uint8Array>)
      seen.push([entry.header.name, bytes.length, bytes.equals(Buffer.alloc(bytes.length, entry.header.name))])
    }
    const expected = named.map(([name, size]) => [name, size, true])
    assert.deepEqual(seen, expected)
    const own: [string, number][] = []
    // One that is not read is skipped.
    for await (const { name, size, bytes } of filesIn(Readable.from([tar])))
      own.push([name, name === 'e' ? size : (await bytesOf(bytes)).length])
    assert.deepEqual(own, named)
    await assert.rejects(bytesOf(tarOf(files(['f'.repeat(101), 1]))), /cannot hold/)
  })
})

describe('the parts of an archive', () => {
  it('unpack to 256 MiB and to no byte more', () => {
    const lines = (bytes: number) => packRows(['x'.repeat(bytes - 1)])
    assert.equal(unpackRows(lines(MOST_PART_BYTES)).bytes, MOST_PART_BYTES)
    assert.throws(() => unpackRows(lines(MOST_PART_BYTES + 1)), ArchiveError)
  })

  it('have 1,000 rows and not one more, and no memory is filled with empty ones', () => {
    const rows = (count: number) => gzipSync('\n'.repeat(count))
    assert.equal(unpackRows(rows(ROWS_A_PART)).lines.length, ROWS_A_PART)
    assert.throws(() => unpackRows(rows(ROWS_A_PART + 1)), /has more than 1000 rows/)
    // As many as there are bytes end a process that takes them apart.
    assert.throws(() => unpackRows(gzipSync(Buffer.alloc(MOST_PART_BYTES, '\n'))), /has more than 1000 rows/)
  })

  it('have the names that there are, and no others', () => {
    const hash = 'a'.repeat(64)
    for (const name of ['tables/bug/000001.jsonl.gz', `artifacts/${hash}`, 'avatars/a', 'types/org-images/b'])
      assert.ok(entryOf(name))
    for (const name of [
      ...['tables/session/000001.jsonl.gz', 'tables/bug/1.jsonl.gz', 'tables/bug', `artifacts/${hash}/x`, 'types/a'],
      ...[
        'avatars/../x',
        'avatars/a/b',
        '/avatars/a',
        'pending-file/a',
        '',
        'constructor/x',
        'tables/toString/000001.jsonl.gz',
      ],
    ])
      assert.throws(() => entryOf(name), ArchiveError, name)
  })
})
