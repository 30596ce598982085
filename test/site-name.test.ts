// A server of another name: the default one is nowhere to be read, on pages, in mail, feeds and pictures, and in what programs read.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it as plainIt } from 'node:test'
import { DEFAULT_NAME, dataInNameOf, inNameOf } from '../src/language/named.ts'
import { htmlOf } from '../src/mail/html.ts'
import { forAdmins, forAnybody } from './browser/pages.ts'
import { fillPages } from './filled-pages.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const NAME = 'Acme & Lab'
/** Commands, files, packages, metrics and headers have it in small letters, or as a part of a longer word. */
const DEFAULT = new RegExp(`\\b${DEFAULT_NAME}\\b`)

const handbook = globSync('content/docs/*.md').flatMap((path) => {
  const [, name] = /(\w+)\.md$/.exec(path) ?? []
  return name === undefined || path.includes('.de.') ? [] : `/docs/${name}`
})
const blog = globSync('content/blog/*.md').map((path) => path.replace(/.*content(.*)\.md$/, '$1'))
const pages = [...new Set([...Object.values(forAnybody), ...Object.values(forAdmins), ...handbook, ...blog])]

/** What is served to programs. */
const documents = [
  ...['/llms.txt', '/auth.md', '/.well-known/agent-skills/guildhall/SKILL.md', '/.well-known/agent-skills/index.json'],
  ...['/.well-known/mcp/server-card.json', '/.well-known/mcp/server.json', '/api/mcp/server-card', '/api/openapi.json'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/api-catalog', '/.well-known/security.txt'],
  ...['/.well-known/oauth-protected-resource/api', '/.well-known/oauth-protected-resource/api/mcp'],
  ...['/feed.atom', '/blog.atom', '/library.atom', '/community/bugs.atom', '/community/orgs.atom'],
  ...['/search.atom?q=Text', '/community/changelog.atom', '/community/roadmap.atom', '/community/u/alice.atom'],
  ...['/calendar/roadmap.ics', '/calendar/releases.ics'],
  ...[
    '/robots.txt',
    '/sitemap.xml',
    '/docs/api?name=guide',
    '/api/community/blog',
    ...blog.map((post) => `/api/community${post}`),
  ],
  ...blog.map((post) => `/share${post}/card.svg`),
]

/** What the foot of pages says of the software (POWERED_BY). */
const POWERED = /Powered by Guildhall|Läuft mit Guildhall/g

/** Where the default name is, with a few words around it. */
const around = (whole: string) => {
  const text = whole.replace(POWERED, '')
  const at = text.search(DEFAULT)
  return at < 0 ? undefined : text.slice(Math.max(0, at - 60), at + 60)
}

async function mcp({ anonymous }: World, method: string): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const response = await anonymous.request('/api/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: method === 'initialize' ? params : {} }),
  })
  return response.text()
}

onEveryEngine(
  'a server of another name',
  (it) => {
    it('says it on every page, in every language', async (world) => {
      const things = await fillPages(world)
      const readers: Record<string, Person> = { visitor: world.anonymous, member: world.alice, admin: world.admin }
      const found: string[] = []
      let read = 0
      for (const [who, reader] of Object.entries(readers)) {
        for (const language of ['en', 'de']) {
          for (const path of [...pages, ...things]) {
            const response = await reader.request(path, {
              headers: { 'Accept-Language': language },
              redirect: 'manual',
            })
            const text = await response.text()
            const said = around(text)
            if (said !== undefined) found.push(`${path} says to a ${who}: ${said}`)
            if (text.includes(`· ${NAME.replace('&', '&amp;')}</title>`)) read++
          }
        }
      }
      assert.deepEqual([...new Set(found)], [])
      assert.ok(read > 300, `${read} pages have the name in their title`)
    })

    it('says it to programs, in feeds and in pictures', async (world) => {
      await world.alice.profile.setUsername({ username: 'alice' })
      await fillPages(world)
      const found: string[] = []
      for (const path of documents) {
        const text = await (await world.anonymous.request(path)).text()
        const said = around(text)
        if (said !== undefined) found.push(`${path}: ${said}`)
      }
      for (const method of ['initialize', 'tools/list', 'resources/list', 'prompts/list']) {
        const said = around(await mcp(world, method))
        if (said !== undefined) found.push(`${method}: ${said}`)
      }
      assert.deepEqual(found, [])
      assert.match(await mcp(world, 'initialize'), /"title":"Acme & Lab".*Acme & Lab is a community/)
      assert.match(await (await world.anonymous.request('/llms.txt')).text(), /^# Acme & Lab\n/)
      assert.match(await (await world.anonymous.request('/feed.atom')).text(), /<title>Acme &amp; Lab: /)
      const { title } = (await (await world.anonymous.request('/api/openapi.json')).json()).info
      assert.equal(title, NAME)
      assert.match(await (await world.anonymous.request(`/share${blog[0]}/card.svg`)).text(), />Acme &amp; Lab<\/text>/)
      const options = await world.alice.passkeys.beginRegistration({})
      assert.equal(JSON.parse(JSON.stringify(options)).rp.name, NAME)
    })

    it('says it where the blog is told of', async (world) => {
      const { alice, bob } = world
      await alice.profile.setUsername({ username: 'alice' })
      await bob.profile.setUsername({ username: 'bob' })
      for (const post of blog) await bob.blog.comment({ slug: post.slice('/blog/'.length), body: 'See this, @alice' })
      await world.app.deliver()
      const { items } = await alice.notifications.list()
      assert.equal(items.length, blog.length)
      const found = [around(JSON.stringify(items))]
      for (const path of ['/community/u/bob', '/community/u/bob.atom', '/notifications', '/search?q=this'])
        found.push(around(await (await alice.request(path)).text()))
      for (const { subject, body } of await world.mails(alice.email)) found.push(around(`${subject}\n${body}`))
      assert.deepEqual(
        found.filter((said) => said !== undefined),
        [],
      )
    })

    it('says it in mail', async (world) => {
      const { alice, admin } = world
      await alice.account()
      await alice.accounts.sendCode({ email: alice.email })
      await admin.invitations.create({ email: 'new@example.com' })
      await world.anonymous.request('/api/auth/agent/claim', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: alice.email, client_id: 'monoagent', scope: 'community:read' }),
      })
      const mails = [...(await world.mails(alice.email)), ...(await world.mails('new@example.com'))]
      assert.ok(mails.length >= 3, `${mails.length} mails`)
      for (const { subject, body } of mails) {
        assert.doesNotMatch(`${subject}\n${body}`, DEFAULT)
        const html = htmlOf({ subject, text: body, baseUrl: world.dependencies.config.baseUrl, name: NAME })
        assert.doesNotMatch(html, DEFAULT)
      }
      const files = await readdir(world.dependencies.config.mailUrl.slice('file:'.length)).catch(() => [])
      for (const file of files) {
        const source = await readFile(join(world.dependencies.config.mailUrl.slice('file:'.length), file), 'utf8')
        assert.doesNotMatch(source, DEFAULT, file)
      }
      assert.ok(mails.some(({ subject }) => subject === `You are invited to ${NAME}`))
      assert.ok(mails.some(({ body }) => body.includes(`Name: "${NAME} agent"`)))
    })
  },
  { SITE_NAME: NAME, SECURITY_CONTACT: 'security@example.com' },
)

plainIt('texts that come with the software say the name, and nothing else changes in them', () => {
  const text = 'Guildhall runs `guildhall`; GuildhallDown rings at the Guildhall.'
  assert.equal(inNameOf('Acme', text), 'Acme runs `guildhall`; GuildhallDown rings at the Acme.')
  assert.equal(inNameOf(DEFAULT_NAME, text), text)
  assert.equal(inNameOf('$& $1', 'Guildhall'), '$& $1')
  assert.deepEqual(dataInNameOf('A "quoted" name', [{ a: 'Guildhall', n: 1 }]), [{ a: 'A "quoted" name', n: 1 }])
})
