// The pictures of the README: each is there, and has the hash of the page that it shows.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

it('names each picture of docs/pictures in the README, and knows the page of each by its hash', () => {
  const pages = JSON.parse(readFileSync('docs/pictures/pages.json', 'utf8')) as Record<string, string>
  const readme = readFileSync('README.md', 'utf8')
  const named = new Set([...readme.matchAll(/docs\/pictures\/([\w-]+\.png)/g)].map(([, name]) => name))
  const there = readdirSync('docs/pictures').filter((name) => name.endsWith('.png'))
  assert.deepEqual([...named].toSorted(), there.toSorted())
  assert.deepEqual(Object.keys(pages).toSorted(), there.toSorted())
  for (const hash of Object.values(pages)) assert.match(hash, /^[0-9a-f]{64}$/)
})
