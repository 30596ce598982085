// Threat 3 again: JSON, headers, pictures, passwords and long names.

import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { field, file } from '../test/multipart.ts'
import { onePixelDeepBytes, onePixelDeepPng } from '../test/pictures.ts'
import { type Attack, atOnce, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { FORM } from './person.ts'
import { addRun, makeOrg, setAvatar } from './things.ts'
import { callTool, MEBIBYTE, refused, STOPPING, stopping, watched } from './watch.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const wide = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])))

const bombs: [name: string, width: number, height: number][] = [
  ['100 megapixels', 10_000, 10_000],
  ['2,500 megapixels', 50_000, 50_000],
  ['one row of 60 million', 60_000_000, 1],
]

export const exhausting: Attack[] = [
  stopping('JSON that is nested deep, wide, or made of names with a meaning', async (_target, alice) => {
    const bodies = [
      nested(100_000),
      `{"title":${nested(50_000)}}`,
      wide(20_000),
      `{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"title":"x"}`,
      `{"title":"${'\\u0061'.repeat(40_000)}"}`,
      `{"title":${'1'.repeat(200_000)}}`,
      `{"title":${'"a",'.repeat(60_000).slice(0, -1)}}`,
      '{"a":1e400}',
    ]
    return holdEach(
      bodies,
      (text) => text.slice(0, 20),
      async (body) => refused(await alice.post('/api/community/bugs', body), 'as a bug'),
    )
  }),
  stopping('JSON of 20 MB, and packed', async (_target, alice) => {
    const large = `{"title":"${'a'.repeat(20 * MEBIBYTE)}"}`
    refused(await alice.post('/api/community/bugs', large), '20 MB')
    refused(await alice.post('/api/mcp', large), '20 MB as a tool call')
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding }
      const reply = await alice.send({ method: 'POST', path: '/api/community/bugs', headers, body: gzipSync(large) })
      refused(reply, `packed with ${encoding}`)
    }
    return 'refused each'
  }),
  stopping('the largest bodies of tool calls', async (_target, alice) => {
    const { id } = await makeOrg(alice)
    const content = 'x'.repeat(2 * MEBIBYTE - 1)
    const files = Array.from({ length: 10 }, (_, n) => ({ filename: `${n}.md`, content }))
    return holdEach([10, 3, 1], String, async (count) => {
      const reply = await callTool(alice, 'run_org', { id, files: files.slice(0, count) })
      hold(reply.status < 500, `${reply.status}`)
    })
  }),
  stopping('the endpoints of OAuth with 4 MB', async (target) => {
    const client = target.anonymous()
    const paths = ['token', 'authorize', 'revoke', 'par', 'consent', 'userinfo'].map(
      (name) => `/api/auth/oauth2/${name}`,
    )
    await holdEach([...paths, '/oauth/consent', '/oauth/sign-out'], String, async (path) => {
      const fields = `grant_type=refresh_token&client_id=x&refresh_token=${'a'.repeat(1_000)}&`
      const body = fields.repeat((4 * MEBIBYTE) / fields.length)
      refused(await client.post(path, body, FORM), path)
    })
    return holdEach(['oauth2/register', 'agent/claim', 'agent/claim/verify', 'sign-in/email'], String, async (path) => {
      refused(await client.post(`/api/auth/${path}`, { redirect_uris: ['a'.repeat(4 * MEBIBYTE)] }), path)
    })
  }),
  stopping('an org whose definition is nested or has very many roles', async (_target, alice) => {
    const many = Array.from({ length: 4_000 }, (_, n) => ({ id: `r${n}`, reports_to: n ? `r${n - 1}` : null }))
    const all = [
      { run_config: JSON.parse(nested(5_000)) as unknown },
      { roles: many },
      {
        roles: many.slice(0, 1_000),
        communication: Array.from({ length: 5_000 }, (_, n) => ({
          from: `r${n % 1_000}`,
          to: `r${(n * 7) % 1_000}`,
          type: 'command',
        })),
      },
    ]
    return holdEach(
      all,
      (changes) => Object.keys(changes).join(),
      async (changes) => {
        const big = JSON.stringify({ name: 'Big', roles: [{ id: 'a' }], ...changes })
        const { answers, refusals } = await atOnce(1, () => alice.api.orgs.create({ orgJson: big }))
        for (const { status } of refusals) hold(status < 500, `${status}`)
        for (const { slug } of answers) {
          const page = await alice.get(`/community/orgs/${slug}`, { Accept: 'text/html' })
          hold(page.status < 500, 'its page is a fault')
        }
      },
    )
  }),
  stopping('many values in a query', async (target) => {
    const client = target.anonymous()
    const queries = ['q=', 'tag=', 'sort=', 'authorId=', 'label='].map((start) => `${start}${'a%20'.repeat(3_500)}`)
    return holdEach(
      [
        ...queries,
        'a=b&'.repeat(3_500),
        'per_page=1e9',
        'page=-1',
        'page=99999999999999999999',
        'q=%',
        'q=%25%25%25_%5C',
      ],
      (q) => q.slice(0, 12),
      async (q) => {
        for (const path of ['/api/community/bugs', '/api/library/items', '/community', '/library']) {
          hold((await client.get(`${path}?${q}`)).status < 500, `${path} is a fault`)
        }
      },
    )
  }),
  stopping('headers without end, and connections that send nothing', async (target) => {
    const host = new URL(target.origin).host
    const idle = Array.from({ length: 150 }, () =>
      target.bytes(`POST /api/community/bugs HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{`, 3_000),
    )
    const long = await target.bytes(
      `GET / HTTP/1.1\r\nHost: ${host}\r\n${`X-A: ${'a'.repeat(4_000)}\r\n`.repeat(50)}\r\n`,
      3_000,
    )
    hold(/^HTTP\/1\.1 (431|400)/.test(long), `200 KB of headers: ${long.slice(0, 40)}`)
    const reply = await target.send({ path: '/healthz' })
    hold(reply.status === 200 && reply.milliseconds < 3_000, `others waited ${Math.round(reply.milliseconds)} ms`)
    await Promise.all(idle)
    return 'others are served meanwhile'
  }),
  stopping('pictures that are small files and large pictures', async (_target, alice) =>
    holdEach(
      bombs,
      ([name]) => name,
      async ([name, width, height]) => {
        if (width * height <= 100_000_000) {
          return holdRefused(setAvatar(alice, onePixelDeepPng(width, height)), [400, 413], name)
        }
        // Only the header says so: the pixels would take minutes to write.
        const lie = onePixelDeepBytes(1, 1)
        lie.writeUInt32BE(width, 16)
        lie.writeUInt32BE(height, 20)
        return holdRefused(setAvatar(alice, new Blob([new Uint8Array(lie)], { type: 'image/png' })), [400, 413], name)
      },
    ),
  ),
  {
    name: 'pictures of one member do not hold up those of others',
    clause: STOPPING,
    needs: ['process', 'load', 'newcomers'],
    async run(target) {
      const [alice, bob] = [await target.member('alice'), await target.member('bob')]
      const image = onePixelDeepPng(4_900, 4_900)
      const { id } = await makeOrg(alice)
      const queue = atOnce(40, () => alice.api.orgImages.add({ id, image }))
      await sleep(200)
      const began = performance.now()
      await setAvatar(bob)
      const waited = Math.round(performance.now() - began)
      hold(waited < 6_000, `the other picture waited ${waited} ms`)
      for (const { status } of (await queue).refusals) hold(status < 500 || status === 503, `one of 40: ${status}`)
      return `${waited} ms behind 40 others`
    },
  },
  stopping('100 sign-ins with a long password at once', async (target) => {
    const guess = { email: 'no-such-account@example.com', password: 'x'.repeat(128) }
    const { refusals } = await atOnce(100, () => target.anonymous().api.accounts.signIn(guess))
    hold(refusals.length === 100, `${100 - refusals.length} are signed in`)
    for (const { status } of refusals) hold([401, 429, 503].includes(status), `${status}`)
    return 'each is answered'
  }),
  stopping('runs of ten files of 2 MB, ten at once', async (_target, alice) => {
    const { id } = await makeOrg(alice)
    const content = 'x'.repeat(2 * MEBIBYTE - 1)
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}.md`, content]))
    const { answers, refusals } = await atOnce(4, () => addRun(alice, id, files))
    for (const { status } of refusals) hold(status < 500, `${status}`)
    return `${answers.length} of 4 are kept`
  }),
  {
    name: 'a boundary, a part name or a file name of 1 MB',
    clause: STOPPING,
    needs: ['process', 'load'],
    async run(target) {
      const alice = await target.member('alice')
      const long = 'n'.repeat(MEBIBYTE)
      return watched(target, async () => {
        for (const part of [field(long, ''), file('file', long, '')]) {
          holdStatus(await alice.upload('/api/library/items', [part]), [400, 413, 431], 'a long name')
        }
        const type = `multipart/form-data; boundary=${'b'.repeat(4_000)}`
        refused(await alice.upload('/api/library/items', [field('file', long)], type), 'a long boundary')
        return 'refused each'
      })
    },
  },
]
