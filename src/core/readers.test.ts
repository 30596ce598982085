// Who is among the readers of a private instance.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { community } from '../content/area.ts'
import { account } from '../identity/area.ts'
import { mayRead, type Reader, type Readers } from './readers.ts'

const ISSUER = 'https://sso.example'
const external = {
  issuer: ISSUER,
  clientId: 'guildhall',
  clientSecret: undefined,
  name: 'SSO',
  imports: [],
  idClaim: 'sub',
}
const all: Readers = { readers: 'members', readerDomains: [], readerGroups: [], external }
const mira: Reader = { email: 'mira@example.com', verified: true, role: 'member', externalGroups: null }
const inGroups = (groups: string[], issuer = ISSUER) => JSON.stringify({ issuer, groups })
const reads = (settings: Partial<Readers>, reader?: Partial<Reader>) =>
  mayRead({ ...all, ...settings }, reader && { ...mira, ...reader }, { area: community })

describe('readers', () => {
  it('are everyone by default, and every account where members read', () => {
    assert.equal(reads({ readers: 'everyone' }), true)
    assert.equal(reads({}), false)
    assert.equal(reads({}, {}), true)
    assert.equal(mayRead(all, undefined, { area: account }), true, 'an area without content')
  })

  it('have a proven address of a domain, not of one below or beside it', () => {
    const settings = { readerDomains: ['example.com'] }
    assert.equal(reads(settings, {}), true)
    assert.equal(reads(settings, { verified: false }), false)
    for (const email of ['a@sub.example.com', 'a@badexample.com', 'a@example.com.evil', '"a@example.com"@evil.example'])
      assert.equal(reads(settings, { email }), false, email)
  })

  it('are in a group of the provider of today, to the letter', () => {
    const settings = { readerGroups: ['staff', 'labs'] }
    assert.equal(reads(settings, { externalGroups: inGroups(['x', 'labs']) }), true)
    for (const externalGroups of [null, inGroups([]), inGroups(['Staff']), inGroups(['staff'], 'https://old.example')])
      assert.equal(reads(settings, { externalGroups }), false, String(externalGroups))
    assert.equal(reads({ ...settings, external: undefined }, { externalGroups: inGroups(['staff']) }), false)
  })

  it('need one of both lists', () => {
    const settings = { readerGroups: ['staff'], readerDomains: ['example.com'] }
    assert.equal(reads(settings, {}), true)
    assert.equal(reads(settings, { email: 'a@b.c', externalGroups: inGroups(['staff']) }), true)
    assert.equal(reads(settings, { email: 'a@b.c' }), false)
  })

  it('are moderators and admins in any case', () => {
    for (const role of ['moderator', 'admin'] as const)
      assert.equal(reads({ readerGroups: ['staff'] }, { role, verified: false }), true)
  })
})
