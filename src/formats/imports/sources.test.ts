// The list of sources.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filesOf, fixturesOf, readRecords, refused } from '../../../test/imports.ts'
import { sourceNames } from '../../contract/import-sources.ts'
import { sources } from './sources.ts'

type Tracker = Exclude<keyof typeof sources, 'guildhall'>

const FIXTURES: Record<Tracker, string> = {
  github: '',
  gitlab: 'api',
  discourse: '',
  canny: '',
  fider: 'backup',
  uservoice: 'api',
  lemmy: '',
  csv: 'tracker',
}

it('has every tracker that an import can name', () => {
  assert.deepEqual(Object.keys(sources).sort(), [...sourceNames].sort())
})

for (const [name, start] of Object.entries(FIXTURES) as [Tracker, string][]) {
  it(`${name} reads its files, and refuses those of another`, async () => {
    const { things } = await readRecords(sources[name].read, filesOf(fixturesOf(name, start)))
    assert.ok(things.length > 0)
    assert.match(await refused(sources[name].read, filesOf({ 'posts.json': '{"something": "else"}' })), /expected/)
    assert.ok(sources[name].files.length > 20)
  })
}
