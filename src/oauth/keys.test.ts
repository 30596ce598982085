// Where the signing key comes from.
import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import { readConfig } from '../config/config.ts'
import { newSigningKey, openKeys } from './keys/keys.ts'

const configured = (settings: Record<string, string>) => readConfig(settings)
const home = (DATA_DIR: string) => configured({ DATA_DIR })
const publicOrigin = { BASE_URL: 'https://guild.example' }
const { d, ...publicHalf } = newSigningKey()

describe('the signing key', () => {
  it('is made once, kept for its owner alone, and read again at the next start', async (t) => {
    const folder = await temporaryDirectory(t)
    const [first, second] = await Promise.all([openKeys(home(folder)), openKeys(home(folder))])
    assert.equal(first.signing.kid, second.signing.kid, 'two that start at once share one')
    assert.equal((await openKeys(home(folder))).signing.d, first.signing.d)
    assert.deepEqual(await readdir(folder), ['signing-key.json'])
    assert.equal((await stat(join(folder, 'signing-key.json'))).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(await readFile(join(folder, 'signing-key.json'), 'utf8')), first.signing)
  })

  it('is not replaced when the file is not one', async (t) => {
    const folder = await temporaryDirectory(t)
    await writeFile(join(folder, 'signing-key.json'), 'broken')
    await assert.rejects(openKeys(home(folder)), /signing-key\.json is not an Ed25519 key; put the right one back/)
  })

  it('stops the start of a public origin when it is missing, with what to do', () => {
    assert.throws(() => configured(publicOrigin), /^ConfigError: SIGNING_KEY is missing.*npm run admin -- new-key/)
    const SIGNING_KEY = JSON.stringify(newSigningKey())
    assert.equal(configured({ ...publicOrigin, SIGNING_KEY }).issuer, 'https://guild.example/api/auth')
  })

  it('and the other settings are checked, each with a sentence', () => {
    const other = newSigningKey()
    for (const [name, value] of [
      ['SIGNING_KEY', 'text'],
      ['SIGNING_KEY', JSON.stringify(publicHalf)],
      ['SIGNING_KEY', JSON.stringify({ ...other, x: publicHalf.x })],
      ['SIGNING_KEY', JSON.stringify({ ...other, kid: undefined })],
      ['PREVIOUS_KEYS', JSON.stringify(publicHalf)],
      ['PREVIOUS_KEYS', JSON.stringify([other])],
      ['PREVIOUS_KEYS', JSON.stringify([{ ...publicHalf, crv: 'X25519' }])],
      ['ISSUER', 'guild'],
      ['ISSUER', 'https://guild.example/?a=1'],
      ['AGENT_AUDIENCE', 'https://agent.example/#a'],
      ['AGENT_CLIENT_ID', 'two words'],
    ] as const) {
      assert.throws(() => configured({ [name]: value }), new RegExp(`^ConfigError: ${name} is .*; set it to `))
    }
    assert.ok(d)
    assert.deepEqual(configured({ PREVIOUS_KEYS: JSON.stringify([publicHalf]) }).previousKeys, [publicHalf])
  })
})
