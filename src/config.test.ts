import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { newSigningKey } from './oauth/oauth.ts'

const SIGNING_KEY = JSON.stringify(newSigningKey())

describe('settings', () => {
  it('are none: everything has a default', () => {
    const config = readConfig({})
    assert.equal(config.baseUrl, 'http://localhost:3000')
    assert.equal(config.host, '127.0.0.1')
    assert.ok(config.databaseUrl.endsWith('/data/guildhall.db'))
    assert.ok(config.mailUrl.startsWith('file:/') && config.mailUrl.endsWith('/data/mail'))
    assert.deepEqual([config.trustProxy, config.rateLimits, config.publicOrigin], [0, true, false])
  })

  it('make the origin follow the port', () => {
    assert.equal(readConfig({ PORT: '8080' }).baseUrl, 'http://localhost:8080')
    assert.equal(readConfig({ BASE_URL: 'https://Guild.example/', SIGNING_KEY }).baseUrl, 'https://guild.example')
  })

  const bad: [name: string, value: string][] = [
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['BASE_URL', 'guild.example'],
    ['BASE_URL', 'https://guild.example/path'],
    ['BASE_URL', 'ftp://guild.example'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['BLOB_URL', 'gs://bucket'],
    ['MAIL_URL', 'mailto:me'],
    ['MAIL_FROM', 'nobody'],
    ['ADMIN_EMAILS', 'alice@example.com, bob'],
    ['TRUST_PROXY', 'yes'],
    ['RATE_LIMITS', 'maybe'],
    ['LOG_LEVEL', 'loud'],
  ]
  for (const [name, value] of bad) {
    it(`refuse ${name}=${value} with a sentence that says what to set`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof ConfigError && error.message.startsWith(`${name} is "${value}"; set it to `),
      )
    })
  }

  it('are all complained about at once', () => {
    assert.throws(() => readConfig({ PORT: 'x', LOG_LEVEL: 'x' }), /^ConfigError: PORT .*\nLOG_LEVEL/)
  })

  it('keep limits on where others can reach them', () => {
    assert.equal(readConfig({ RATE_LIMITS: 'off' }).rateLimits, false)
    assert.throws(() => readConfig({ RATE_LIMITS: 'off', BASE_URL: 'https://guild.example' }), /RATE_LIMITS is off/)
  })
})
