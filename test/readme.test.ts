// The documents for new users: the commands of the README and of the guide are run in their order, each against a server of its own, and
// none of them is refused.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { startServer, type TestServer, withData } from './server.ts'
import { temporaryDirectory } from './temporary.ts'

const hasPrograms = ['curl', 'openssl', 'sha256sum'].every((name) => spawnSync('which', [name]).status === 0)
const skip = hasPrograms ? false : 'install curl and openssl'

const ROOT = join(import.meta.dirname, '..')

/** From here on a person signs in, in a browser. */
const BY_HAND = 'api/auth/oauth2/token -d grant_type=authorization_code'

/** The shell blocks of a document; cli/test/packed.test.ts runs those of the command line. */
const blocksOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, text = '']) => text)
    .filter((text) => !text.includes('guildhall login'))

const isCall = (text: string) => text.includes('curl ')

/** Runs blocks in one shell, in an empty folder; returns what they printed. */
async function run(t: TestContext, blocks: readonly string[], { url }: TestServer, DATA_DIR: string): Promise<string> {
  const script = [
    'curl() { command curl --fail-with-body "$@" && echo; }',
    `npm() { command npm --prefix '${ROOT}' "$@"; }`,
    ...blocks,
  ]
    .join('\n')
    .replaceAll(/http:\/\/localhost:3000|\{base_url\}/g, url)
    .replaceAll('data/mail', join(DATA_DIR, 'mail'))
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: await temporaryDirectory(t),
    env: { ...process.env, DATA_DIR },
    encoding: 'utf8',
  })
  assert.equal(status, 0, (stdout + stderr).slice(-3_000))
  return stdout
}

it('every command of the README, and the call of MCP by hand, does what it says', { skip }, (t) =>
  withData(async (DATA_DIR) => {
    const [use, ...others] = [...blocksOf('README.md'), ...blocksOf('content/docs/mcp.md')].filter(isCall)
    assert.ok(use && others.length > 0)
    const server = await startServer({ DATA_DIR })
    try {
      const output = await run(t, [use, ...others], server, DATA_DIR)
      assert.match(output, /"items":\[\{[^}]*"title":"The digest is late"/)
      assert.match(output, /"structuredContent":/)
    } finally {
      await server.end('SIGTERM')
    }
  }),
)

it('every command of the guide does what it says', { skip }, (t) =>
  withData(async (DATA_DIR) => {
    const blocks = blocksOf('content/docs/guide.md')
    assert.ok(blocks.length >= 14, `${blocks.length} blocks`)
    const server = await startServer({ DATA_DIR, REQUEST_LOG: 'on' })
    try {
      const output = await run(t, blocks, server, DATA_DIR)
      assert.match(output, /^digest-copy\.json: OK$/m)
      assert.match(output, /"version":"1\.1\.0"/)
      assert.match(output, /"status":"resolved"/)
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

it('the guide to authentication leads an agent to the page where its user signs in', { skip }, (t) =>
  withData(async (DATA_DIR) => {
    const blocks = blocksOf('content/docs/authentication.md')
    const byHand = blocks.findIndex((text) => text.includes(BY_HAND))
    assert.equal(byHand, 2)
    const server = await startServer({ DATA_DIR })
    try {
      const output = await run(t, blocks.slice(0, byHand), server, DATA_DIR)
      const [address = ''] =
        output.match(/^http\S+\/oauth2\/authorize\?client_id=\S+&code_challenge_method=S256$/m) ?? []
      const { status, headers } = await fetch(address, { redirect: 'manual' })
      assert.deepEqual([status, new URL(headers.get('location')!).pathname], [303, '/oauth/sign-in'])
    } finally {
      await server.end('SIGTERM')
    }
  }),
)
