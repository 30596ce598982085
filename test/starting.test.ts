// What a start and the operator's commands say when something is wrong: in words that help, and without a secret.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onEngines } from './databases.ts'
import { type Environment, freePort, runProgram, startServer, withData, withFolder } from './server.ts'

const SECRETS = {
  SIGNING_KEY: '{"kty":"OKP","crv":"Ed25519","x":"abc","d":"hunter2","kid":"k"}',
  MAIL_URL: 'smpt://guild:hunter2@mail.example',
  DATABASE_URL: 'postgres://guild:hunter2@127.0.0.1:99999/guild',
}
const programs = [['src/main.ts'], ['src/admin.ts', 'grant', 'a@example.com', 'admin'], ['src/demo/main.ts']]

describe('a start', () => {
  it('repeats no secret of its settings', () =>
    withFolder(async (DATA_DIR) => {
      for (const program of programs) {
        const { code, output } = await runProgram(program, { DATA_DIR, ...SECRETS })
        assert.equal(code, 1)
        for (const name of Object.keys(SECRETS)) assert.ok(output.includes(name), output)
        assert.doesNotMatch(output, /hunter2/)
      }
    }))

  it('repeats no password of a database that does not answer', () =>
    withFolder(async (DATA_DIR) => {
      for (const program of programs) {
        const DATABASE_URL = 'postgres://guild:hunter2@127.0.0.1:1/guild'
        const { code, output } = await runProgram(program, { DATA_DIR, DATABASE_URL })
        assert.equal(code, 1)
        assert.doesNotMatch(output, /hunter2/)
      }
    }))

  it('says in a sentence why DATA_DIR cannot be made, whatever it is', { skip: process.platform === 'win32' }, () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, 'file'), '')
      symlinkSync('nowhere', join(folder, 'dangling'))
      symlinkSync('loop', join(folder, 'loop'))
      const wrong = {
        file: /cannot be made: \S+file is no folder/,
        'file/below': /cannot be made: \S+file is no folder/,
        dangling: /cannot be made: \S+dangling is a link that leads to no folder/,
        'dangling/below': /cannot be made: \S+dangling is a link that leads to no folder/,
        'loop/below': /cannot be made: a link in \S+ leads back to itself/,
        [`below/${'x'.repeat(300)}`]: /cannot be made: a name in it is too long/,
        '/dev/null/below': /cannot be made: \/dev\/null is no folder/,
        ...(process.platform === 'linux' && {
          '/proc/below/deeper': /cannot be made: no folder can be made in \/proc/,
        }),
      }
      for (const [path, sentence] of Object.entries(wrong)) {
        const DATA_DIR = resolve(folder, path)
        for (const program of ['src/main.ts', 'src/demo/main.ts']) {
          const { code, output } = await runProgram([program], { DATA_DIR, PORT: '0' })
          assert.equal(code, 1, output)
          assert.match(output, sentence)
          assert.doesNotMatch(output, /\n {4}at /)
        }
      }
    }),
  )

  it('names settings that are misspelt, and starts', () =>
    withData(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR, GUILDHALL_PORT: '80', ADMIN_EMAIL: 'hunter2@example.com' })
      assert.match(server.output(), /^GUILDHALL_PORT is no setting .* PORT\?$/m)
      assert.match(server.output(), /^ADMIN_EMAIL is no setting .* ADMIN_EMAILS\?$/m)
      assert.doesNotMatch(server.output(), /hunter2/)
      assert.equal(await server.end('SIGTERM'), 0)
    }))

  it('ends at a signal that arrives in its last moments', () =>
    withData(async (DATA_DIR) => {
      const kill = `
        const { log } = console
        console.log = (text) => {
          log(text)
          if (text.startsWith('Guildhall is at')) process.kill(process.pid, 'SIGTERM')
        }`
      const preload = `data:text/javascript,${encodeURIComponent(kill)}`
      const PORT = String(await freePort())
      const { code, output } = await runProgram(['--import', preload, 'src/main.ts'], { DATA_DIR, PORT })
      assert.equal(code, 0, output)
      assert.match(output, /Guildhall is at/)
    }))

  onEngines('a database', (make) => {
    it('that was made by a newer version is named', async () => {
      const database = await make()
      try {
        await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(
          database.db,
        )
        const where: Environment = database.url.startsWith('postgres')
          ? { DATABASE_URL: database.url, DATA_DIR: tmpdir() }
          : { DATA_DIR: dirname(database.url) }
        for (const program of programs.slice(0, 2)) {
          const { code, output } = await runProgram(program, where)
          assert.equal(code, 1)
          assert.match(output, /made by a newer version of Guildhall \(it has 9999-later,/)
        }
      } finally {
        await database.remove()
      }
    })
  })

  it('says that the disk is full', async (test) => {
    await withFolder(async (folder) => {
      for (const size of ['4k', '300k']) {
        try {
          execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
        } catch {
          test.skip('a small disk can only be made by root')
          return
        }
        try {
          for (const program of [['src/main.ts'], ['src/admin.ts', 'migrate']]) {
            const { code, output } = await runProgram(program, { DATA_DIR: `${folder}/data` })
            assert.equal(code, 1)
            assert.match(output, /the disk is full/)
          }
        } finally {
          execFileSync('umount', [folder])
        }
      }
    })
  })
})

describe('a new key', () => {
  it('is made where there is none yet, on a public origin', async () => {
    const { code, output } = await runProgram(['src/admin.ts', 'new-key'], { BASE_URL: 'https://guild.example' })
    assert.equal(code, 0)
    assert.equal(JSON.parse(output).crv, 'Ed25519')
    const started = await runProgram(['src/admin.ts', 'grant', 'a@example.com', 'admin'], {
      BASE_URL: 'https://guild.example',
    })
    assert.match(started.output, /SIGNING_KEY is missing/)
  })
})
