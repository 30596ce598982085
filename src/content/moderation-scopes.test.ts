// interface.md, section 6: every authenticated GET of the community asks for community:read.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { api } from '../api.ts'
import type { Contract } from '../contract/operation.ts'

it('reads of the community ask for community:read, also those of moderators', () => {
  const seen: string[] = []
  for (const [slice, contract] of Object.entries(api as Record<string, Contract>)) {
    for (const [verb, { method, path, access }] of Object.entries(contract)) {
      if (method !== 'GET' || !path.startsWith('/community/') || access.credential === 'none') continue
      if (!('scope' in access) || access.scope === undefined) continue
      seen.push(`${slice}.${verb}`)
      assert.equal(access.scope, 'community:read', `${slice}.${verb}`)
    }
  }
  assert.ok(seen.includes('moderation.cases') && seen.length > 40, seen.join())
})
