// The tour of the README: its commands are run in their order against one server, and none of them is refused.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { startServer, withData } from './server.ts'

const hasPrograms = ['curl', 'openssl', 'sha256sum'].every((name) => spawnSync('which', [name]).status === 0)

/** From here on a person does it, in a browser. */
const BY_HAND = '# Open that address'

/** The blocks that talk to a server by curl, up to what a person does. */
const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .map(([, text = '']) => text)
  .filter((text) => text.includes('curl '))
  .map((text) => text.split(BY_HAND)[0])

it(
  'every command of the README’s tour does what it says',
  { skip: hasPrograms ? false : 'install curl and openssl' },
  () =>
    withData(async (DATA_DIR) => {
      assert.ok(blocks.length >= 8, `${blocks.length} blocks`)
      const server = await startServer({ DATA_DIR, REQUEST_LOG: 'on' })
      try {
        const script = ['curl() { command curl --fail-with-body "$@" && echo; }', ...blocks]
          .join('\n')
          .replaceAll('http://localhost:3000', server.url)
          .replaceAll('data/mail', join(DATA_DIR, 'mail'))
        const env = { ...process.env, DATA_DIR }
        const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
          env,
          encoding: 'utf8',
        })
        assert.equal(status, 0, (stdout + stderr).slice(-3_000))
        const [, said] = stdout.match(/^x-content-sha256: ([0-9a-f]{64})/im) ?? []
        assert.ok(said && stdout.includes(`${said}  `), 'the two hashes are equal')
        assert.match(stdout, /"status":"resolved"/)
        assert.match(stdout, /\/oauth2\/authorize\?client_id=\S+&code_challenge_method=S256/)
      } finally {
        await server.end('SIGTERM')
      }
      // The agent asked with a token of its own.
      const lines = server
        .output()
        .split('\n')
        .filter((line) => line.includes('"client":"monoagent"'))
      const { path, status, account } = JSON.parse(lines.at(-1) ?? '{}')
      assert.deepEqual([path, status, typeof account], ['/api/community/me', 200, 'string'])
    }),
)
