// The records of a JSON file, compared with JSON.parse.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sourceFile } from '../../../test/imports.ts'
import { jsonRecords } from './json-records.ts'
import { SourceError } from './record.ts'

async function recordsOf(text: string, pieceLength?: number) {
  const records: { value: unknown; place: string }[] = []
  for await (const record of jsonRecords(sourceFile('a.json', text, pieceLength))) records.push(record)
  return records
}
const valuesIn = async (text: string, pieceLength?: number) =>
  (await recordsOf(text, pieceLength)).map(({ value }) => value)
const refusal = (text: string, words: RegExp) =>
  assert.rejects(recordsOf(text), (error) => error instanceof SourceError && words.test(error.message))

const record = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue()),
  fc.string(),
  fc.integer(),
  fc.constantFrom(null, true, false),
)
const lists = fc.array(record, { maxLength: 5 })

describe('the records of a JSON file', () => {
  it('are the same in every form, in pieces of any length', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 40 }), fc.nat(3), async (given, length, indent) => {
        const values = JSON.parse(JSON.stringify(given))
        const forms = [
          JSON.stringify(values, null, indent),
          JSON.stringify([values, []], null, indent),
          `[]${JSON.stringify(values)}\n${JSON.stringify([])}`,
          `[]\n${values.map((value: unknown) => JSON.stringify(value)).join('\r\n')}`,
        ]
        for (const form of forms) assert.deepEqual(await valuesIn(form, length), values, form)
      }),
      { numRuns: 200 },
    )
  })

  it('have a number and a line', async () => {
    const places = (await recordsOf('[\n {"a": "\\n"},\n {"b":\n 1}\n, 2]')).map(({ place }) => place)
    assert.deepEqual(places, ['record 1, line 2', 'record 2, line 3', 'record 3, line 5'])
  })

  it('are refused where the text is no JSON', async () => {
    await refusal('{"a": 1', /^a\.json, record 1, line 1: the file ends in the middle$/)
    await refusal('[{"a": 1}', /record 1, line 1: the file ends in the middle/)
    await refusal('[{"a": 1}]\n]', /an array ends that has not begun/)
    await refusal('[{"a": [1}]}', /record 1, line 1: this is not JSON/)
    await refusal('[1,\n<html>]', /record 2, line 2: this is not JSON/)
    await refusal(' \n ', /there is nothing/)
    await refusal('"\u0001"', /not JSON/)
  })

  it('have a size, a depth and arrays around them that are bounded', async () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    assert.equal((await recordsOf(nested(64))).length, 1)
    await refusal(nested(65), /at most 64 values deep/)
    assert.equal((await recordsOf('[[[1]]]')).length, 1)
    await refusal('[[[[1]]]]', /arrays are at most 3 deep/)
    const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
    assert.equal((await recordsOf(text(32 * 1024 * 1024))).length, 1)
    await refusal(text(32 * 1024 * 1024 + 1), /at most 33554432 bytes/)
  })

  it('are read one by one, however long the file is', async () => {
    let pieces = 0
    const file = {
      name: 'long.json',
      async *read() {
        yield Buffer.from('[')
        for (; pieces < 1_000; pieces++) yield Buffer.from(`${'{"a": "text"},'.repeat(1_000)}\n`)
        yield Buffer.from('1]')
      },
    }
    let count = 0
    let most = 0
    for await (const _ of jsonRecords(file)) {
      count += 1
      if (count === 1) assert.ok(pieces < 2)
      if (count % 100_000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    assert.equal(count, 1_000_001)
    assert.ok(most < 200 * 1024 * 1024, `${most} bytes`)
  })
})
