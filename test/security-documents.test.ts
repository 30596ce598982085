// SECURITY.md and docs/security name attacks: each of them is tried, and each number of a table stands in it once.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { attacks } from '../attack/list.ts'

const pages = ['SECURITY.md', ...globSync('docs/security/*.md')].map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))
const titles = attacks.map(({ clause, name }) => `${clause} ${name}`.toLowerCase())

describe('what is said about security', () => {
  it('names attacks that are tried', () => {
    for (const { path, text } of pages) {
      for (const [, words] of text.matchAll(/attack: ([^|\n]+?)(?=, (?:attack:|\[)| \||$)/gm)) {
        if (!words!.startsWith('words`'))
          assert.ok(
            titles.some((title) => title.includes(words!.trim().toLowerCase())),
            `${path}: ${words}`,
          )
      }
    }
    const parts = pages[0]!.text.matchAll(/^\| *\d* *\|.*\| (`[^|]+`) \|$/gm)
    for (const [, part] of parts) {
      for (const words of part!.replaceAll('`', '').split(', ')) {
        assert.ok(
          attacks.some(({ clause }) => clause.includes(words)),
          words,
        )
      }
    }
  })

  it('answers every requirement of ASVS once', () => {
    const { text } = pages.find(({ path }) => path.endsWith('asvs.md'))!
    const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+(?:, \d+\.\d+\.\d+)*) \| (\w+) \|/gm)]
    const numbers = rows.flatMap(([, list]) => list!.split(', '))
    assert.equal(new Set(numbers).size, numbers.length)
    // Levels 1 and 2 without WebRTC: 70 and 183 requirements, 7 of them of V17.
    assert.equal(numbers.length, 246, String(numbers.length))
    for (const [row, , met] of rows) assert.match(met!, /^(yes|partly|no|none|operator)$/, row)
  })
})
