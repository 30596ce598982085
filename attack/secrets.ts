// Threats 12 and 16: secrets at rest, in logs and on addresses meant for the operator. Needs the folder and database of the server.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { AGENT, allowed, exchangeForm, signIn } from './oauth-client.ts'
import type { Target } from './target.ts'

const SECRETS = '12 secrets'
const OPERATOR = '16 operator'

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Every stored byte but the mails themselves: files of the folder, or the rows of every table. */
async function stored(target: Target): Promise<{ where: string; bytes: Buffer }[]> {
  const { dataDir, environment, query } = target.own
  const files = (await filesBelow(dataDir)).filter((path) => !relative(dataDir, path).startsWith('mail'))
  const all = await Promise.all(
    files.map(async (path) => ({
      where: relative(dataDir, path),
      bytes: await readFile(path).catch(() => Buffer.alloc(0)),
    })),
  )
  if (!environment['DATABASE_URL']) return all
  const tables = await query("select table_name from information_schema.tables where table_schema = 'public'")
  for (const { table_name: name } of tables) {
    const rows = await query(`select * from "${name}"`)
    all.push({ where: String(name), bytes: Buffer.from(JSON.stringify(rows)) })
  }
  return all
}

async function holdNowhere(target: Target, secrets: Record<string, string>): Promise<string> {
  const places = await stored(target)
  for (const [name, secret] of Object.entries(secrets)) {
    for (const { where, bytes } of places) hold(!bytes.includes(secret), `${name} is in ${where}`)
    hold(!target.own.output().includes(secret), `${name} is in the log`)
  }
  return `${Object.keys(secrets).length} secrets are in none of ${places.length} places, nor in the log`
}

export const secrets: Attack[] = [
  {
    name: 'mailed codes are nowhere in clear: not in a table, not in the WAL, not in the log',
    clause: SECRETS,
    needs: ['files', 'mail', 'newcomers'],
    async run(target) {
      const all: Record<string, string> = {}
      for (let n = 0; n < 5; n++) {
        const person = await target.newcomer()
        all[`the code of sign-up ${n}`] = await target.code(person.email)
        const given = { email: person.email, client_id: AGENT, scope: 'community:read' }
        const ask = () => target.anonymous().api.claims.claim(given)
        all[`the code of claim ${n}`] = await target.codeMailedBy(person.email, ask)
      }
      // Six digits alone stand in many numbers: what is looked for is a code as a text of its own.
      const places = await stored(target)
      for (const [name, code] of Object.entries(all)) {
        const alone = new RegExp(`(?<![0-9.a-fA-F])${code}(?![0-9a-fA-F])`)
        for (const { where, bytes } of places) hold(!alone.test(bytes.toString('latin1')), `${name} is in ${where}`)
        hold(!new RegExp(`\\b${code}\\b`).test(target.own.output()), `${name} is in the log`)
      }
      return `${Object.keys(all).length} codes in none of ${places.length} places`
    },
  },
  {
    name: 'a code cannot be found by hashing all of them: its hash has a key',
    clause: SECRETS,
    needs: ['files', 'mail', 'newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const code = await target.code(person.email)
      const inputs = [
        code,
        `${person.email}${code}`,
        `${person.email}:${code}`,
        `${code}:${person.email}`,
        `${person.id}:${code}`,
        `${person.id}${code}`,
        JSON.stringify([person.email, code]),
      ]
      const hashes = inputs.flatMap((input) =>
        (['sha256', 'sha1', 'md5', 'sha512'] as const).flatMap((algorithm) => {
          const hash = createHash(algorithm).update(input)
          const digest = hash.digest()
          return [digest.toString('hex'), digest.toString('base64url'), digest.toString('base64')]
        }),
      )
      return holdNowhere(target, Object.fromEntries(hashes.map((hash, n) => [`plain hash ${n}`, hash])))
    },
  },
  {
    name: 'passwords, session cookies, tokens and authorization codes are nowhere in clear',
    clause: SECRETS,
    needs: ['files', 'newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const { accessToken: access, refreshToken: refresh = '' } = await signIn(target, person)
      const { code = '' } = exchangeForm(await allowed(target, person))
      await target.send({ path: `/api/community/me?access_token=${access}` })
      await holdRefused(person.elsewhere().signIn(`${person.password}!`), [401], 'a wrong password')
      const cookies = Object.fromEntries([...person.cookies].map(([name, value]) => [`the cookie ${name}`, value]))
      return holdNowhere(target, {
        password: person.password,
        access,
        refresh,
        code,
        ...cookies,
      })
    },
  },
  {
    name: 'a start with wrong settings repeats no secret of them',
    clause: SECRETS,
    needs: ['files'],
    async run(target) {
      const secret = 'cJ7hk2QmVn8yTsW4xZpL0aRdEfGiBu3o'
      const wrong: Record<string, string>[] = [
        { SIGNING_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k', d: secret }) },
        { SIGNING_KEY: `{"kty":"OKP","d":"${secret}"` },
        { SIGNING_KEY: secret },
        { PREVIOUS_KEYS: JSON.stringify([{ kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k', d: secret }]) },
        { MAIL_URL: `smtp//user:${secret}@mail.example` },
        { MAIL_URL: `imap://user:${secret}@mail.example` },
        { DATABASE_URL: `postgres://user:${secret}@127.0.0.1:1/guildhall` },
        { DATABASE_URL: `mysql://user:${secret}@127.0.0.1/guildhall` },
        { DATABASE_URL: `postgres://user:${secret}@` },
        { METRICS_TOKEN: secret, PORT: 'x' },
        { BASE_URL: `https://user:${secret}@guild.example` },
        { BLOB_URL: `s4://key:${secret}@bucket` },
      ]
      return holdEach(
        wrong,
        (settings) => Object.keys(settings).join(),
        async (settings) => {
          const { code, output } = await target.own.misconfigured(settings)
          hold(!output.includes(secret), `it says: ${output.slice(0, 160).replace(secret, '(the secret)')}`)
          hold(code === 1, `it ended with ${code}`)
        },
      )
    },
  },
  {
    name: 'everything in the data folder is for its owner alone',
    clause: SECRETS,
    needs: ['files'],
    async run(target) {
      const { dataDir } = target.own
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
      const open: string[] = []
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name)
        const { mode } = await stat(path).catch(() => ({ mode: 0 }))
        if ((mode & 0o077) !== 0) open.push(`${relative(dataDir, path)} ${(mode & 0o777).toString(8)}`)
      }
      hold(open.length === 0, `${open.length} of ${entries.length} are open: ${open.slice(0, 4).join(', ')}`)
      return `${entries.length} files and folders`
    },
  },
  {
    name: 'figures and details are for the operator alone',
    clause: OPERATOR,
    async run(target) {
      const tricks: Record<string, string>[] = [
        {},
        { Host: '127.0.0.1' },
        { Host: 'localhost' },
        { 'X-Forwarded-For': '127.0.0.1' },
        { 'X-Real-IP': '127.0.0.1' },
        { Authorization: 'Bearer ' },
        { Authorization: 'Bearer undefined' },
        { Authorization: 'Bearer a-token-of-the-operato' },
        { Authorization: 'Bearer a-token-of-the-operator x' },
        { Cookie: 'token=a-token-of-the-operator' },
        { Authorization: 'Basic OjA=' },
      ]
      return holdEach(tricks, JSON.stringify, async (headers) => {
        for (const path of [
          '/metrics',
          '/metrics/',
          '/metrics?token=a-token-of-the-operator',
          '/%6detrics',
          '/api/metrics',
        ]) {
          const reply = await target.send({ path, headers })
          hold(!/guildhall_|process_cpu|nodejs_/.test(reply.text), `${path} shows figures`)
          holdStatus(reply, [301, 308, 400, 401, 403, 404], path)
        }
        const ready = await target.send({ path: '/readyz', headers })
        hold(ready.text.length < 100 && !/postgres|sqlite|\/data|error/i.test(ready.text), `/readyz: ${ready.text}`)
      })
    },
  },
  {
    name: 'mails of the default folder are gone after a day',
    clause: OPERATOR,
    needs: ['files', 'mail', 'newcomers', 'process'],
    async run(target) {
      const { dataDir } = target.own
      await target.code((await target.newcomer()).email)
      const mails = (await filesBelow(join(dataDir, 'mail'))).filter((path) => path.endsWith('.eml'))
      const old = new Date(Date.now() - 25 * 3_600_000)
      await Promise.all(mails.map((path) => utimes(path, old, old)))
      await target.own.cleanUp()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      const left = (await filesBelow(join(dataDir, 'mail'))).filter((path) => mails.includes(path))
      hold(left.length === 0, `${left.length} of ${mails.length} old mails are still there`)
      return `${mails.length} are gone`
    },
  },
  {
    name: 'a fault tells nothing of the inside, and the page of the site neither',
    clause: OPERATOR,
    run: (target) =>
      holdEach(
        [
          '/api/nothing',
          '/nothing',
          '/api/community/bugs/nothing',
          '/oauth/consent',
          '/api/auth/oauth2/authorize',
          '/api/auth/oauth2/token',
          '/api/mcp',
          '/.well-known/nothing',
        ],
        String,
        async (path) => {
          for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
            const reply = await target.send({ path, method })
            hold(reply.status < 500 || reply.status === 501, `${method}: ${reply.status}`)
            hold(
              !/node_modules|at .*\.ts:|\/src\/|SQLITE|SyntaxError|TypeError/.test(reply.text),
              `${method}: ${reply.text.slice(0, 80)}`,
            )
            hold(!('x-powered-by' in reply.headers) && !('server' in reply.headers), 'it names its software')
          }
        },
      ),
  },
]
