// What becomes a path in a copy of the library.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { versionFile } from '../src/copy.ts'

it('a copy has no path but those of versions, also where a server names others', () => {
  const name = { kind: 'workflow', slug: 'digest' } as const
  assert.equal(versionFile('/copy', name, '1.2.3-rc.1'), '/copy/workflows/digest/1.2.3-rc.1/digest.json')
  for (const version of ['../../../home', '..', '', '.', '1.2.3/..', '1.2.3\\..', '/etc', 'latest']) {
    assert.throws(() => versionFile('/copy', name, version), /A version of workflow\/digest is none/, version)
  }
})
