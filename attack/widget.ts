// The widget on other sites: a site that is not listed frames it, identities are forged, tokens of it reach further, and guests look at what others
// reported. The setting is of an admin, and is set back.
import { SignJWT, UnsecuredJWT } from 'jose'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer } from './oauth-client.ts'
import type { Target } from './target.ts'
import { BUG } from './things.ts'

const SITE = 'https://app.example'
const STRANGER = 'https://evil.example'
const KNOWN_MILLISECONDS = 1_000

async function whileListed<Result>(target: Target, work: () => Promise<Result>): Promise<Result> {
  const admin = await target.withRole('admin')
  const list = async (value: string | null) => {
    await admin.api.settings.change({ changes: { WIDGET_SITES: value } })
    await new Promise((resolve) => setTimeout(resolve, KNOWN_MILLISECONDS))
  }
  await list(SITE)
  try {
    return await work()
  } finally {
    await list(null)
  }
}

const claimsOf = ({ origin }: Target, more: object = {}) => {
  const now = Math.floor(Date.now() / 1000)
  return { iss: SITE, aud: origin, sub: `u-${Date.now()}`, name: 'Ada', iat: now, exp: now + 600, ...more }
}

const signed = (claims: Record<string, unknown>, secret: string) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))

export const widget: Attack[] = [
  {
    name: 'a site that is not listed frames no page, also not by the address of one that is',
    clause: 'clickjacking',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const hosts = [STRANGER, SITE, `${SITE}.evil.example`, '*', `${SITE} ${STRANGER}`, `${SITE};frame-ancestors *`]
      const paths = hosts.map(
        (host) => `/widget?host=${encodeURIComponent(host)}&accent=${encodeURIComponent(`${host};`)}`,
      )
      const others = [
        '/',
        '/sign-in',
        '/settings',
        '/community/bugs/new',
        '/widget/',
        '/widget/..',
        '/widgets',
        '//widget',
      ]
      await whileListed(target, () =>
        holdEach([...paths, ...others], String, async (path) => {
          const headers = { Origin: STRANGER, Referer: STRANGER }
          const { headers: sent, status } = await target.send({ path, headers })
          const policy = String(sent['content-security-policy'] ?? '')
          const [, ancestors] = /frame-ancestors ([^;]*)/.exec(policy) ?? []
          const isWidget = paths.includes(path)
          if (status === 200) hold(ancestors === (isWidget ? SITE : "'none'"), `${path} may be framed by ${ancestors}`)
          if (!isWidget && status === 200) hold(sent['x-frame-options'] === 'DENY', `${path} has no X-Frame-Options`)
        }),
      )
      const off = await target.send({ path: '/widget' })
      return holdStatus(off, [404], `${paths.length + others.length} addresses; without a list`)
    },
  },
  {
    name: 'a forged identity is no person of a site, and takes no account over',
    clause: 'access',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const admin = await target.withRole('admin')
      const victim = await target.newcomer()
      return whileListed(target, async () => {
        const { secret, id } = await admin.api.widget.createKey({ site: SITE })
        const identify = (identity: string) => target.anonymous().api.widget.identify({ identity })
        const claims = claimsOf(target)
        const [head = '', , signature = ''] = (await signed(claims, secret)).split('.')
        const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url')
        const forged = [
          new UnsecuredJWT(claims).encode(),
          `${Buffer.from('{"alg":"none"}').toString('base64url')}.${changed}.`,
          `${head}.${changed}.${signature}`,
          await signed(claims, 'x'.repeat(51)),
          await signed(claims, SITE.padEnd(40)),
          await signed(claimsOf(target, { iss: STRANGER }), secret),
          await signed(claimsOf(target, { aud: STRANGER }), secret),
          await signed(claimsOf(target, { exp: claims.iat - 60 }), secret),
          await signed(claimsOf(target, { exp: claims.iat + 86_400 }), secret),
        ]
        for (const [at, token] of forged.entries()) await holdRefused(identify(token), [401], `forged identity ${at}`)
        const account = (await victim.api.library.me()).user
        const thief = await identify(await signed(claimsOf(target, { email: account.email, sub: account.id }), secret))
        hold(thief.username !== account.username, 'an address took an account over')
        const paths = ['/api/library/me', '/api/community/notifications', '/api/community/admin/widget-keys']
        await holdEach(paths, String, async (path) =>
          holdStatus(await bearer(target, thief.token).get(path), [401, 403], 'a token of the widget'),
        )
        await admin.api.widget.revokeKey({ id })
        await holdRefused(identify(await signed(claims, secret)), [401], 'a revoked key')
        return `${forged.length} forged identities`
      })
    },
  },
  {
    name: 'a guest reads neither what other guests reported nor what is private',
    clause: 'private',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const title = `Geheimnis ${Date.now()}`
      return whileListed(target, async () => {
        const guest = target.anonymous()
        const { number } = await guest.api.widget.report({ ...BUG, title })
        const person = await target.newcomer()
        const paths = ['/api/community/bugs', '/api/community/feed', `/api/search?q=${title.slice(0, 9)}`]
        const more = [`/api/search/similar?title=${encodeURIComponent(title)}`, '/widget', `/community/${number}`]
        for (const caller of [guest, person]) {
          await holdEach([...paths, ...more], String, async (path) => {
            const { text } = await caller.get(path)
            hold(!text.replaceAll(encodeURIComponent(title), '').includes(title), `${path} tells of a held report`)
          })
        }
        await holdRefused(guest.api.widget.keys(), [401], 'a guest lists keys')
        await holdRefused(person.api.widget.createKey({ site: SITE }), [401, 403], 'a member makes a key')
        return `${paths.length + more.length} addresses, by a guest and a member`
      })
    },
  },
]
