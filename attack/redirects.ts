// Threat 13: where forms lead, and what the links of feeds and metadata are.
import { type Attack, hold, holdEach, holdStatus } from './attack.ts'
import type { Target } from './target.ts'

const REDIRECTS = '13 redirects'

const elsewhere = [
  '/.//evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/..//evil.example',
  '/a/../..//evil.example',
  'https://evil.example',
  'https:evil.example',
  'http:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '\t//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '///evil.example',
  '/./\\evil.example',
  '@evil.example',
  '.evil.example',
  ':80@evil.example',
  '//evil.example\\@localhost',
  '/%0d%0aSet-Cookie:%20a=b',
  '/\r\nSet-Cookie: a=b',
]

const staysHere = (target: Target, location: string | undefined) => {
  hold(location !== undefined, 'no Location')
  const to = URL.parse(location, target.origin)
  hold(to?.origin === target.origin, `leads to ${location}`)
  hold(!/^\s*[\\/]{2}|^\/\.?\/|\\/.test(location), `leads to ${location}`)
}

export const redirects: Attack[] = [
  {
    name: 'sign-in leads to pages of the site and nowhere else',
    clause: REDIRECTS,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      return holdEach(elsewhere, String, async (to) => {
        const browser = alice.elsewhere()
        const path = `/sign-in?/password&to=${encodeURIComponent(to)}`
        const reply = await browser.form(
          path,
          { email: alice.email, password: alice.password },
          { Accept: 'text/html' },
        )
        holdStatus(reply, [303], 'the form')
        staysHere(target, reply.headers.location)
        hold(!reply.cookies.some((cookie) => /^a=b/.test(cookie)), 'it set a cookie of the attacker')
        const signedIn = await browser.get(`/sign-in?to=${encodeURIComponent(to)}`)
        if (signedIn.status === 303) staysHere(target, signedIn.headers.location)
      })
    },
  },
  {
    name: 'other forms that lead back lead back here',
    clause: REDIRECTS,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      return holdEach(elsewhere, String, async (to) => {
        for (const [path, fields] of [
          ['/theme', { theme: 'dark', back: to }],
          ['/vote', { target: 'bugs/x', value: '1', back: to }],
          [`/onboarding?to=${encodeURIComponent(to)}`, { username: 'x' }],
        ] as const) {
          const reply = await alice.form(path, fields, {
            Accept: 'text/html',
            Referer: `https://evil.example/${encodeURI(to)}`,
          })
          if (reply.headers.location) staysHere(target, reply.headers.location)
        }
      })
    },
  },
  {
    name: 'feeds, maps and metadata have links to this origin alone, also when a request names another',
    clause: REDIRECTS,
    run: (target) =>
      holdEach(
        [
          '/feed.atom',
          '/blog.atom',
          '/sitemap.xml',
          '/robots.txt',
          '/',
          '/.well-known/oauth-protected-resource',
          '/api/auth/.well-known/oauth-authorization-server',
          '/api/openapi.json',
          '/docs/mcp',
          '/llms.txt',
        ],
        String,
        async (path) => {
          const headers = {
            Host: 'evil.example',
            'X-Forwarded-Host': 'evil.example',
            'X-Forwarded-Proto': 'https',
            Forwarded: 'host=evil.example',
            'X-Original-URL': '/admin',
            'X-Rewrite-URL': '/admin',
          }
          const reply = await target.send({ path, headers })
          hold(
            !reply.text.includes('evil.example') && !JSON.stringify(reply.headers).includes('evil.example'),
            'the name is in the answer',
          )
          const double = await target.bytes(
            `GET //evil.example${path} HTTP/1.1\r\nHost: ${new URL(target.origin).host}\r\nConnection: close\r\n\r\n`,
          )
          hold(!double.includes('evil.example'), 'a path of two slashes is in the answer')
        },
      ),
  },
]
