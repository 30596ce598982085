// The environment: defaults, validation and error messages.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newSigningKey } from '../oauth/server/server.ts'
import { ConfigError, readConfig } from './config.ts'

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
    ['MAIL_FROM', 'nobody'],
    ['ADMIN_EMAILS', 'alice, bob'],
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

  it('name a replica only beside its primary, and show no secret of either', () => {
    const DATABASE_READ_URL = 'postgres://guild:hunter2@replica/x'
    assert.throws(
      () => readConfig({ DATABASE_READ_URL }),
      (error) =>
        error instanceof ConfigError &&
        /^DATABASE_READ_URL is set/.test(error.message) &&
        !/hunter2/.test(error.message),
    )
    const both = readConfig({ DATABASE_READ_URL, DATABASE_URL: 'postgres://guild:hunter2@primary/x' })
    assert.deepEqual(both.databaseReadUrls, [DATABASE_READ_URL])
    assert.deepEqual(readConfig({}).databaseReadUrls, [])
  })

  it('name up to eight replicas, each of another server', () => {
    const DATABASE_URL = 'postgres://primary/x'
    const read = (DATABASE_READ_URL: string) => readConfig({ DATABASE_URL, DATABASE_READ_URL }).databaseReadUrls
    const many = (count: number) => Array.from({ length: count }, (_, n) => `postgres://guild:hunter2@replica${n}/x`)
    for (const between of [' ', ',', ' , ', '\n']) assert.deepEqual(read(many(8).join(between)), many(8))
    assert.deepEqual(read(`${many(2).join(',')}, `), many(2))
    assert.deepEqual(read('postgres://guild:hun,ter2@a/x'), ['postgres://guild:hun,ter2@a/x'])
    const [one] = many(1)
    const wrong = [
      many(9).join(' '),
      `${one} ${one}`,
      `${one},postgresql://other@REPLICA0:5432/y`,
      `${one} replica1`,
      `${one},replica1`,
      `${one},mysql://guild:hunter2@a/x`,
      'postgres://guild:hunter2@a:1,b:2/x',
    ]
    for (const text of wrong) {
      assert.throws(
        () => read(text),
        (error) =>
          error instanceof ConfigError &&
          /^DATABASE_READ_URL .* at most 8 addresses/.test(error.message) &&
          !/hunter2/.test(error.message),
        text,
      )
    }
  })

  const secret: [name: string, value: string][] = [
    ['DATABASE_URL', 'mysql://guild:hunter2@localhost/x'],
    ['DATABASE_URL', 'postgres://guild:hunter2@localhost'],
    ['DATABASE_URL', 'postgres//guild:hunter2@localhost/x'],
    ['DATABASE_READ_URL', 'mysql://guild:hunter2@localhost/x'],
    ['BLOB_URL', 'gs://id:hunter2@bucket'],
    ['MAIL_URL', 'smpt://guild:hunter2@mail.example'],
    ['MAIL_URL', 'hunter2'],
    ['SIGNING_KEY', '{"kty":"OKP","crv":"Ed25519","x":"abc","d":"hunter2"}'],
    ['SIGNING_KEY', 'hunter2'],
    ['PREVIOUS_KEYS', '[{"kty":"OKP","crv":"Ed25519","x":"abc","d":"hunter2","kid":"k"}]'],
    ['METRICS_TOKEN', 'hunter2'],
    // What was meant for another setting.
    ['BASE_URL', 'https://guild:hunter2@guild.example'],
    ['ISSUER', '{"kty":"OKP","d":"hunter2"}'],
    ['PORT', 'postgres://guild:hunter2@localhost/x'],
  ]
  for (const [name, value] of secret) {
    it(`refuse ${name} without repeating the secret in ${value}`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof ConfigError && error.message.startsWith(name) && !/hunter2/.test(error.message),
      )
    })
  }

  it('take mail only where replies have a domain', () => {
    const listening = { SMTP_LISTEN: '127.0.0.1:2525' }
    assert.throws(() => readConfig(listening), /SMTP_LISTEN is set, but REPLY_DOMAIN is not/)
    const { smtpListen, replyDomain } = readConfig({ ...listening, REPLY_DOMAIN: 'Reply.guild.example' })
    assert.deepEqual([smtpListen, replyDomain], [{ host: '127.0.0.1', port: 2525 }, 'reply.guild.example'])
    const imap = { REPLY_DOMAIN: 'a.example', TRUSTED_AUTHSERV: 'mx.a.example' }
    const url = 'imaps://me%40a.example:p%2Fw@imap.a.example/Replies%20here'
    const mailbox = { host: 'imap.a.example', port: 993, isTls: true, user: 'me@a.example', password: 'p/w' }
    assert.deepEqual(readConfig({ ...imap, REPLY_IMAP_URL: url }).replyMailbox, { ...mailbox, folder: 'Replies here' })
    const near = readConfig({ ...imap, REPLY_IMAP_URL: 'imap://a:b@127.0.0.1:1143' }).replyMailbox
    assert.deepEqual(near, { host: '127.0.0.1', port: 1143, isTls: false, user: 'a', password: 'b', folder: 'INBOX' })
    for (const off of Object.keys(imap)) {
      assert.throws(() => readConfig({ ...imap, [off]: '', REPLY_IMAP_URL: url }), /REPLY_IMAP_URL needs REPLY_DOMAIN/)
    }
    for (const other of [
      'imap://a:b@imap.a.example',
      'imaps://a@b.example',
      'https://a:b@c.example',
      'imaps://a:%@b.c',
      'x',
    ]) {
      assert.throws(() => readConfig({ ...imap, REPLY_IMAP_URL: other }), /REPLY_IMAP_URL/, other)
    }
    const wrong = { SMTP_LISTEN: '2525', REPLY_DOMAIN: 'guild', TRUSTED_AUTHSERV: 'a b' }
    for (const [name, value] of Object.entries(wrong))
      assert.throws(() => readConfig({ [name]: value }), new RegExp(name))
    assert.deepEqual(readConfig({ ...listening, SMTP_LISTEN: '[::1]:25', REPLY_DOMAIN: 'a.example' }).smtpListen, {
      host: '::1',
      port: 25,
    })
  })

  it('that are misspelt are named, with what was meant', () => {
    const warningsOf = (environment: Record<string, string>) => readConfig(environment).warnings
    for (const [name, meant] of [
      ['GUILDHALL_PORT', 'PORT'],
      ['GUILDHALL_LOGLEVEL', 'LOG_LEVEL'],
      ['ADMIN_EMAIL', 'ADMIN_EMAILS'],
      ['DATABASE_URI', 'DATABASE_URL'],
      ['RATE_LIMIT', 'RATE_LIMITS'],
      ['TRUSTED_PROXY', 'TRUST_PROXY'],
      ['data_dir', 'DATA_DIR'],
      ['SIGNINGKEY', 'SIGNING_KEY'],
    ] as const) {
      assert.deepEqual(warningsOf({ [name]: 'hunter2' }), [
        `${name} is no setting and has no effect; did you mean ${meant}?`,
      ])
    }
    assert.deepEqual(warningsOf({ GUILDHALL_THEME: 'hunter2' }), [
      'GUILDHALL_THEME is no setting and has no effect; docs/settings.md lists the settings.',
    ])
    const usual =
      'PATH HOME USER HOSTNAME LANG SHELL TERM PWD EDITOR LOGNAME NODE_OPTIONS DISPLAY MAIL POST TEST_POSTGRES_URL'
    assert.deepEqual(warningsOf(Object.fromEntries(usual.split(' ').map((name) => [name, 'x']))), [])
  })
})
