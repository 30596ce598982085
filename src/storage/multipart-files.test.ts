// The files that a form brings.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { contentType, encode, field, file, limits, read } from '../../test/multipart.ts'
import { type OnFile, readMultipart } from './multipart.ts'

describe('the files of a form', () => {
  it('have names without paths and without tricks', async () => {
    const names: Record<string, string> = {
      '../../etc/passwd': 'passwd',
      'C:\\\\temp\\\\run.html': 'run.html',
      '/': '',
      '..': '',
      'a\tb\u0007\u007f\u0085.md': 'ab.md',
      'gpj.\u202Elmth.md': 'gpj.lmth.md',
      '  spaced.md  ': 'spaced.md',
      '日本語.md': '日本語.md',
      ['😀'.repeat(250)]: '😀'.repeat(200),
    }
    for (const [sent, kept] of Object.entries(names)) {
      const { files } = await read(encode([file('f', sent, 'x')]))
      assert.equal(files[0]?.[1], kept, JSON.stringify(sent))
    }
  })

  it('that were not chosen are passed over, unlike empty ones', async () => {
    const { files } = await read(encode([file('f', '', ''), file('g', 'empty.md', ''), file('h', '', 'x')]))
    assert.deepEqual(
      files.map(([name]) => name),
      ['g', 'h'],
    )
  })

  it('come one at a time, and the sender waits for their reader', async () => {
    let [sent, running] = [0, 0]
    const content = Buffer.alloc(4 * 1024 * 1024)
    const body = encode([file('f', 'a', content), file('g', 'b', content)])
    const source = Readable.from(
      (function* () {
        for (; sent < body.length; sent += 16_384) yield body.subarray(sent, sent + 16_384)
      })(),
    )
    const ahead: number[] = []
    await readMultipart(source, {
      contentType,
      limits: { ...limits, fileSize: content.length },
      async onFile(name, stream) {
        assert.equal(++running, 1)
        await new Promise((later) => setTimeout(later, 30))
        ahead.push(sent - (name === 'f' ? 0 : content.length))
        assert.equal((await buffer(stream)).length, content.length)
        running--
      },
    })
    for (const bytes of ahead) assert.ok(bytes < 1024 * 1024, `${bytes} bytes were taken in advance`)
  })

  it('may be left unread, and the rest is still understood', async () => {
    const content = 'x'.repeat(300_000)
    const body = encode([file('f', 'a', content), file('g', 'b', content), field('after', '1')])
    const onFile: OnFile = async (name, stream) => {
      if (name === 'g') for await (const _ of stream) break
    }
    const reading = readMultipart(Readable.from([body]), {
      contentType,
      limits: { ...limits, fileSize: 300_000 },
      onFile,
    })
    assert.deepEqual([...(await reading)], [['after', ['1']]])
  })

  it('end the reading with the error of whoever takes them', async () => {
    const invalid = new Error('not a workflow')
    const seen: string[] = []
    const body = encode([file('f', 'a', 'x'), file('g', 'b', 'y'), field('after', '1')])
    const onFile: OnFile = async (name) => {
      seen.push(name)
      throw invalid
    }
    await assert.rejects(readMultipart(Readable.from([body]), { contentType, limits, onFile }), invalid)
    assert.deepEqual(seen, ['f'])
  })
})
