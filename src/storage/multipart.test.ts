// Forms, split into chunks of any size, and the refusal of hostile ones.
import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { boundary, contentType, encode, field, file, limits, nothing, read, refusal } from '../../test/multipart.ts'
import { MultipartError, readMultipart } from './multipart.ts'

describe('a form', () => {
  it('gives its fields and its files, from either kind of stream', async () => {
    const body = encode([field('label', 'Grüße'), file('files', 'a.md', '# A'), field('x', '1'), field('x', '2')])
    const expected = {
      fields: { label: ['Grüße'], x: ['1', '2'] },
      files: [['files', 'a.md', 'application/octet-stream', Buffer.from('# A')]],
    }
    assert.deepEqual(await read(body), expected)
    assert.deepEqual(await read(new Blob([new Uint8Array(body)]).stream()), expected)
  })

  it('as a browser writes it is understood', async () => {
    const form = new FormData()
    form.set('kind', 'workflow')
    form.set('file', new File(['{}'], 'wörk flow.json', { type: 'application/json' }))
    const sent = new Request('http://localhost', { method: 'POST', body: form })
    const seen: string[] = []
    const fields = await readMultipart(sent.body, {
      contentType: sent.headers.get('content-type') ?? undefined,
      limits,
      onFile: async (...[name, stream, { filename, mimeType }]) => {
        seen.push(name, filename, mimeType, (await buffer(stream)).toString())
      },
    })
    assert.deepEqual([...fields], [['kind', ['workflow']]])
    assert.deepEqual(seen, ['file', 'wörk flow.json', 'application/json', '{}'])
  })

  it('means the same for any split into chunks', async () => {
    const data = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    // Bytes that look like the boundary are where parsers stumble.
    const tricky = fc
      .constantFrom('', '\r\n', `\r\n--${boundary.slice(0, -1)}`, '\r\n--', '--', '\r\r\n\n')
      .map(Buffer.from)
    // A sender picks a boundary that is not in what it sends.
    const content = fc
      .array(fc.oneof(data, tricky), { maxLength: 4 })
      .map((chunks) => Buffer.concat(chunks))
      .filter((bytes) => !bytes.includes(`\r\n--${boundary}`))
    const parts = fc.tuple(
      fc.array(content, { maxLength: 3 }),
      fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
    )
    const cuts = fc.array(fc.nat(4000), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(parts, cuts, async ([contents, values], cuts) => {
        const sent = [
          ...contents.map((bytes, n) => file(`f${n}`, `${n}.md`, bytes)),
          ...values.map((v, n) => field(`v${n}`, v)),
        ]
        const body = encode(sent)
        const at = [0, ...cuts.map((cut) => cut % body.length).sort((a, b) => a - b), body.length]
        const pieces = at.slice(1).map((end, n) => body.subarray(at[n], end))
        const { fields, files } = await read(Readable.from(pieces.filter((piece) => piece.length > 0)), {
          fileSize: 2000,
        })
        assert.deepEqual(
          files.map(([, , , bytes]) => bytes),
          contents,
        )
        assert.deepEqual(fields, Object.fromEntries(values.map((value, n) => [`v${n}`, [value]])))
      }),
      { numRuns: 150 },
    )
  })

  it('ends with a response for any truncation and any changed byte', async () => {
    const whole = encode([field('a', '1'), file('f', 'a.md', 'x'.repeat(90)), field('b', '2'), file('g', 'b.md', 'y')])
    for (let length = 0; length <= whole.length - 3; length++) {
      await assert.rejects(read(whole.subarray(0, length)), refusal('malformed'), `cut at ${length}`)
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), async (at, byte, cut) => {
        const damaged = Buffer.from(whole)
        damaged[at] = byte
        const pieces = [damaged.subarray(0, cut), damaged.subarray(cut)].filter((piece) => piece.length > 0)
        await read(Readable.from(pieces)).catch((error) => assert.ok(error instanceof MultipartError, String(error)))
      }),
      { numRuns: 300 },
    )
  })

  it('fails when its sender goes away, and so does the file that was coming', async () => {
    for (const error of [new Error('reset'), undefined]) {
      const source = new PassThrough()
      source.write(encode([file('f', 'a.md', 'x'.repeat(500))]).subarray(0, 300))
      let taken: unknown
      const reading = readMultipart(source, {
        contentType,
        limits,
        onFile: async (_, stream) => {
          setTimeout(() => source.destroy(error), 5)
          await buffer(stream).catch((caught) => (taken = caught))
        },
      })
      await assert.rejects(reading, refusal('aborted'))
      assert.equal((taken as MultipartError).code, 'aborted')
    }
  })

  it('must be a form at all, with a boundary that is allowed', async () => {
    const refused = [undefined, '', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
    const strange = [
      'multipart/mixed; boundary=x',
      'multipart/form-data; boundary=',
      'multipart/form-data; x-boundary=y',
    ]
    for (const contentType of [...refused, ...strange, `multipart/form-data; boundary=${'x'.repeat(71)}`]) {
      const reading = readMultipart(Readable.from([encode([])]), { contentType, limits, onFile: nothing })
      await assert.rejects(reading, refusal('malformed'), contentType)
    }
    await assert.rejects(readMultipart(null, { contentType, limits, onFile: nothing }), refusal('malformed'))
    assert.deepEqual(await read(encode([])), { fields: {}, files: [] })
    const longest = 'x'.repeat(70)
    const body = Buffer.from(
      encode([field('a', '1')])
        .toString()
        .replaceAll(boundary, longest),
    )
    const given = { contentType: `multipart/form-data; charset=utf-8; boundary="${longest}"`, limits, onFile: nothing }
    assert.deepEqual([...(await readMultipart(Readable.from([body]), given))], [['a', ['1']]])
  })
})

describe('the limits of a form', () => {
  const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

  it('hold for the number of files and fields', async () => {
    assert.equal((await read(encode(times(3, (n) => file('f', `${n}`, 'x'))))).files.length, 3)
    await assert.rejects(read(encode(times(4, (n) => file('f', `${n}`, 'x')))), refusal('too_many'))
    assert.equal(Object.keys((await read(encode(times(4, (n) => field(`f${n}`, 'x'))))).fields).length, 4)
    await assert.rejects(read(encode(times(5, (n) => field(`f${n}`, 'x')))), refusal('too_many'))
  })

  it('hold for parts that are neither', async () => {
    const stray = (count: number) =>
      Buffer.from(`${`--${boundary}\r\nX: y\r\n\r\nz\r\n`.repeat(count)}--${boundary}--\r\n`)
    assert.deepEqual(await read(stray(7)), { fields: {}, files: [] })
    await assert.rejects(read(stray(8)), refusal('too_many'))
  })

  it('hold for parts that are passed over, before any of them is parsed', async () => {
    const empty = Buffer.from(`${`--${boundary}\r\n\r\n\r\n`.repeat(300_000)}--${boundary}--\r\n`)
    const before = process.cpuUsage()
    const source = Readable.from(
      Array.from({ length: 100 }, (_, n) => empty.subarray((n * empty.length) / 100, ((n + 1) * empty.length) / 100)),
    )
    const wide = { files: 1, fileSize: 20_000_000, fields: 10, fieldSize: 100 }
    await assert.rejects(
      readMultipart(source, { contentType, limits: wide, onFile: async () => {} }),
      refusal('too_many'),
    )
    const { user } = process.cpuUsage(before)
    assert.ok(user < 1_000_000, `${user / 1000} ms`)
  })

  it('hold for the size of a file, to the byte', async () => {
    const exact = await read(encode([file('f', 'a', ''), file('f', 'b', 'x'.repeat(1000))]))
    assert.equal(exact.files[1]?.[3].length, 1000)
    const body = encode([file('f', 'a', 'x'.repeat(1001))])
    let taken: unknown
    const reading = readMultipart(Readable.from([body.subarray(0, 500), body.subarray(500)]), {
      contentType,
      limits,
      onFile: async (_, stream) => void (await buffer(stream).catch((error) => (taken = error))),
    })
    await assert.rejects(reading, refusal('too_large'))
    assert.equal((taken as MultipartError).code, 'too_large', 'the file never looks complete')
  })

  it('hold for the size of a field and of names', async () => {
    assert.equal((await read(encode([field('a', 'x'.repeat(100))]))).fields['a']?.[0]?.length, 100)
    await assert.rejects(read(encode([field('a', 'x'.repeat(101))])), refusal('too_large'))
    assert.ok((await read(encode([field('n'.repeat(100), 'x')]))).fields['n'.repeat(100)])
    await assert.rejects(read(encode([field('n'.repeat(101), 'x')])), refusal('malformed'))
    await assert.rejects(read(encode([field('', 'x')])), refusal('malformed'))
    await assert.rejects(read(encode([file('', 'a', 'x')])), refusal('malformed'))
  })

  it('hold for what stands before, between and after the parts', async () => {
    const [form, junk] = [encode([field('a', '1')]), Buffer.alloc(70_000, 'x')]
    await assert.rejects(read(Buffer.concat([junk, Buffer.from('\r\n'), form])), refusal('too_large'))
    await assert.rejects(read(Buffer.concat([form, junk])), refusal('too_large'))
    assert.deepEqual((await read(Buffer.concat([Buffer.from('hello\r\n'), form, Buffer.from('bye')]))).fields, {
      a: ['1'],
    })
    const headers = `--${boundary}\r\n${'X: y\r\n'.repeat(1000)}Content-Disposition: form-data; name="a"\r\n\r\n1\r\n`
    assert.deepEqual(await read(Buffer.from(`${headers}--${boundary}--\r\n`)), { fields: {}, files: [] })
  })
})
