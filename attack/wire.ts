// HTTP itself: caches that are poisoned or deceived, answers that are split, requests that are smuggled, origins that read.
import { file } from '../test/multipart.ts'
import { type Attack, hold, holdEach, holdStatus, Skipped } from './attack.ts'
import { FORM } from './person.ts'
import { statusOf } from './request.ts'
import { makeOrg } from './things.ts'
import { callTool } from './watch.ts'

const WIRE = 'http'

const CRLF = '\r\nSet-Cookie: planted=1\r\nX: y'

export const wire: Attack[] = [
  {
    name: 'what one member sees is not kept for others',
    clause: WIRE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const paths = [
        '/',
        '/community',
        '/community/bugs',
        '/library',
        '/settings',
        '/api/community/feed',
        '/api/community/bugs',
        '/api/library/items',
        '/api/community/me',
      ]
      return holdEach(paths, String, async (path) => {
        const own = await alice.get(path)
        const cache = String(own.headers['cache-control'])
        hold(/private|no-store/.test(cache) && !/public|s-maxage/.test(cache), `Cache-Control: ${cache}`)
        const anonymous = await target.send({ path })
        hold(!anonymous.text.includes(alice.email), 'an anonymous answer has the address of a member')
        hold(!anonymous.cookies.some((cookie) => /session/i.test(cookie)), 'an anonymous answer sets a session')
      })
    },
  },
  {
    name: 'a private page with the ending of a file is no file',
    clause: WIRE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      return holdEach(
        [
          '/settings/x.css',
          '/settings.css',
          '/settings;x.js',
          '/settings%2fx.css',
          '/api/community/me/x.css',
          '/api/community/me.js',
          '/settings/%0ax.css',
          '/settings/..%2fx.png',
        ],
        String,
        async (path) => {
          const reply = await alice.get(path)
          hold(!reply.text.includes(alice.email), 'private and kept by a cache')
          hold(
            !/public|max-age=[1-9]/.test(String(reply.headers['cache-control'])),
            String(reply.headers['cache-control']),
          )
        },
      )
    },
  },
  {
    name: 'headers of a request do not change what others get',
    clause: WIRE,
    run: (target) =>
      holdEach(['/', '/community', '/api/community/bugs', '/sign-in', '/robots.txt'], String, async (path) => {
        const plain = await target.send({ path })
        const headers = {
          Host: 'poison.example',
          'X-Forwarded-Host': 'poison.example',
          'X-Forwarded-Scheme': 'http',
          'X-Forwarded-Proto': 'http',
          'X-Forwarded-Prefix': '/poison',
          'X-Host': 'poison.example',
          'X-Original-URL': '/settings',
          'Accept-Language': 'poison',
          Cookie2: 'poison',
          'X-Request-Id': 'poison',
        }
        const poisoned = await target.send({ path, headers })
        const after = await target.send({ path })
        for (const reply of [poisoned, after])
          hold(!(reply.text + JSON.stringify(reply.headers)).includes('poison'), 'it is in the answer')
        hold(after.status === plain.status, `${plain.status} became ${after.status}`)
      }),
  },
  {
    name: 'no line break of a request comes out in a header of an answer',
    clause: WIRE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const split = encodeURIComponent(CRLF)
      const paths = [
        `/sign-in?to=/a${split}`,
        `/community?sort=${split}`,
        `/api/auth/oauth2/authorize?client_id=${split}&redirect_uri=${split}&state=${split}`,
        `/a${split}`,
        `/api/library/items/${split}`,
        `/%0d%0aSet-Cookie:planted=1`,
        `/community/u/${split}`,
      ]
      await holdEach(paths, String, async (path) => {
        for (const person of [alice, target.anonymous()]) {
          const reply = await person.get(path)
          hold(!reply.cookies.some((cookie) => cookie.startsWith('planted')), 'a cookie was planted')
          hold(
            !/\n/.test(JSON.stringify(Object.values(reply.headers)).replace(/\\n/g, '\n')),
            'a line break in a header',
          )
        }
      })
      const { id } = await makeOrg(alice)
      const run = await alice.upload(`/api/community/orgs/${id}/runs`, [file('files', 'a"; x=y.md', '# a')])
      for (const { id: fileId } of (run.json()?.['files'] ?? []) as { id: string }[]) {
        const reply = await target.send({ path: `/api/community/org-run-files/${fileId}` })
        hold(
          !/filename="[^"]*"[^;]*x=y/.test(String(reply.headers['content-disposition'])),
          String(reply.headers['content-disposition']),
        )
      }
      return `${paths.length} places and a file name`
    },
  },
  {
    name: 'a request has one length: nothing is smuggled behind it',
    clause: WIRE,
    async run(target) {
      const host = new URL(target.origin).host
      const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`
      const heads: [string, string][] = [
        [
          'length and chunks',
          `Content-Length: ${smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
        ],
        ['chunks in other words', `Content-Length: 4\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
        ['chunks behind a tab', `Content-Length: 4\r\nTransfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n${smuggled}`],
        ['two lengths', `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
        ['a length with a sign', `Content-Length: +0\r\n\r\n${smuggled}`],
        ['a space before the colon', `Content-Length : 0\r\n\r\n${smuggled}`],
        ['a folded header', `X: a\r\n Content-Length: 5\r\n\r\n${smuggled}`],
        ['a NUL in a header', `X: a\0b\r\n\r\n`],
        [
          'another protocol',
          `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
        ],
        [
          'a WebSocket',
          `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
        ],
        ['two hosts', `Host: evil.example\r\n\r\n`],
      ]
      return holdEach(
        heads,
        ([name]) => name,
        async ([, rest]) => {
          const received = await target.bytes(`POST /api/community/bugs HTTP/1.1\r\nHost: ${host}\r\n${rest}`, 1_000)
          const answers = received.match(/^HTTP\/1\.1 \d{3}/gm) ?? []
          hold(answers.length <= 1 || statusOf(received) === 400, `${answers.length} answers: ${answers.join()}`)
          hold(!/ (5\d\d|101)$/.test(answers[0] ?? ''), `${answers[0]}`)
        },
      )
    },
  },
  {
    name: 'pages of other origins cannot read with a cookie',
    clause: WIRE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      return holdEach(
        ['https://evil.example', 'null', `${target.origin}.evil.example`, 'http://localhost.evil.example'],
        String,
        async (origin) => {
          for (const path of [
            '/api/community/me',
            '/api/auth/get-session',
            '/api/library/items',
            '/settings',
            '/oauth/consent',
            '/api/mcp',
            '/api/auth/oauth2/token',
          ]) {
            for (const method of ['GET', 'OPTIONS']) {
              const reply = await alice.send({
                method,
                path,
                headers: {
                  Origin: origin,
                  'Access-Control-Request-Method': 'POST',
                  'Access-Control-Request-Headers': 'content-type',
                },
              })
              hold(reply.headers['access-control-allow-credentials'] !== 'true', `${method} ${path} allows credentials`)
              hold(reply.headers['access-control-allow-origin'] !== origin, `${method} ${path} repeats the origin`)
            }
          }
        },
      )
    },
  },
  {
    name: 'pages cannot be framed, sniffed or opened by others',
    clause: WIRE,
    run: (target) =>
      holdEach(['/', '/sign-in', '/docs/reference', '/api/community/bugs', '/nothing'], String, async (path) => {
        const { headers } = await target.send({ path, headers: { Accept: 'text/html' } })
        hold(headers['x-content-type-options'] === 'nosniff', 'no nosniff')
        if (!String(headers['content-type']).includes('html')) return
        hold(/frame-ancestors 'none'/.test(String(headers['content-security-policy'])), 'no frame-ancestors')
        hold(headers['referrer-policy'], 'no Referrer-Policy')
        hold(headers['cross-origin-opener-policy'] === 'same-origin', 'no Cross-Origin-Opener-Policy')
      }),
  },
  {
    name: 'on https the browser gets Strict-Transport-Security',
    clause: WIRE,
    async run(target) {
      if (!target.place.secure) throw new Skipped('the target is not https')
      const { headers } = await target.send({ path: '/' })
      hold(
        /max-age=\d{7,}/.test(String(headers['strict-transport-security'])),
        String(headers['strict-transport-security']),
      )
      return String(headers['strict-transport-security'])
    },
  },
  {
    name: 'the tool endpoint refuses other origins and sessions that it did not make',
    clause: 'mcp',
    async run(target) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
      const post = (more: Record<string, string>, sent = body) =>
        target.send({ method: 'POST', path: '/api/mcp', headers: { ...headers, ...more }, body: sent })
      holdStatus(await post({ Cookie: 'session=x', Origin: 'https://evil.example' }), [200, 401, 403], 'another origin')
      const guessed = await post({ 'Mcp-Session-Id': 'guessed' })
      hold(guessed.status < 500 && !guessed.headers['mcp-session-id'], 'a session was opened')
      holdStatus(await post({ 'Content-Type': 'text/plain' }), [400, 403, 406, 415], 'text/plain')
      holdStatus(
        await target.send({ method: 'POST', path: '/api/mcp', headers: FORM, body }),
        [400, 403, 406, 415],
        'a form',
      )
      const many = await post({}, `[${Array.from({ length: 3_000 }, () => body).join()}]`)
      hold(
        many.status < 500 && many.bytes.byteLength < 1_000_000,
        `a batch of 3,000: ${many.status}, ${many.bytes.byteLength} bytes`,
      )
      return 'refused or passed over'
    },
  },
  {
    name: 'a tool call has no power but that of its token: a cookie does not count',
    clause: 'mcp',
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const reply = await callTool(alice, 'create_post', { title: 'by cookie', body: 'x' })
      holdStatus(reply, [401], 'a tool call with a cookie')
      hold(/resource_metadata/.test(String(reply.headers['www-authenticate'])), 'no challenge')
      return '401'
    },
  },
]
