// Documents in formats of others, read by parsers of others, or against what the format documents where nobody keeps a parser
// (docs/decisions/2026-11-29-documents-of-others.md has the whole list).
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { skillEntry } from '@modelcontextprotocol/server/ext/skills'
import { parseAtomFeed } from 'feedsmith'
import jsonld from 'jsonld'
import { parseSitemap } from 'sitemap'
import { z } from 'zod'
import { aiCatalog, apiCatalog, serverCard } from '../src/surfaces/discovery/machine.ts'
import { securityText } from '../src/surfaces/discovery/mount.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { known } from './teams.ts'
import { siteAt } from './with-site.ts'

const BASE_URL = 'http://localhost:3217'
const withSite = siteAt(BASE_URL)

const HOSTILE = { title: 'Me & <you> "]]>" \u0001', body: 'Who\u000b is here? & <b> </script><!--' }
/** Of every kind of address that a server can have. */
const addresses = [
  'https://guildhall.example',
  'https://a.b-c.example:8443',
  'http://localhost:3000',
  'http://[::1]:3000',
]

function assertTaken(schema: z.ZodType, value: unknown): void {
  assert.deepEqual(schema.safeParse(JSON.parse(JSON.stringify(value))).error?.issues ?? [], [])
}

describe('documents of the site in formats of others', () => {
  before(() => buildSite(() => {}))

  it(
    'are Atom to a parser of feeds, with every entry',
    withSite(async (world, get) => {
      const { alice } = world
      await known(world, alice, 'alice')
      const post = await alice.posts.create(HOSTILE)
      const bug = await alice.bugs.create({ title: 'Slow', description: HOSTILE.body, severity: 'low' })
      const file = new File(['{"name": "Digest", "nodes": []}'], 'digest.json')
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file })
      for (const [path, address] of [
        ['/feed.atom', `/community/posts/${post.id}`],
        ['/community/bugs.atom', `/community/bugs/${bug.id}`],
        ['/community/u/alice.atom', `/community/posts/${post.id}`],
        ['/library.atom', item.url.slice(BASE_URL.length)],
        [`/community/bugs/${bug.id}.atom`, `/community/bugs/${bug.id}`],
        ['/search.atom?q=slow', `/community/bugs/${bug.id}`],
        ['/blog.atom', '/blog/what-guildhall-is'],
      ] as const) {
        const feed = parseAtomFeed(await (await get(path)).text())
        assert.ok(feed.title && feed.id && feed.updated, path)
        assert.ok(
          feed.links?.some(({ rel, href }) => rel === 'self' && href === `${BASE_URL}${path}`),
          path,
        )
        const entries = feed.entries ?? []
        assert.ok(
          entries.some(({ links }) => links?.some(({ href }) => href === `${BASE_URL}${address}`)),
          path,
        )
        for (const entry of entries) assert.ok(entry.id && entry.title && entry.updated, path)
        assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, path)
      }
    }),
  )

  it(
    'are a sitemap to a parser that throws for what the protocol does not have',
    withSite(async (world, get) => {
      await world.alice.posts.create(HOSTILE)
      const items = await parseSitemap(Readable.from([await (await get('/sitemap.xml')).text()]))
      assert.ok(items.length > 10)
      for (const { url } of items) assert.ok(url.startsWith(`${BASE_URL}/`), url)
    }),
  )

  it(
    'are JSON-LD in which a processor leaves nothing out',
    withSite(async (world, get) => {
      const { alice } = world
      await known(world, alice, 'alice')
      const post = await alice.posts.create(HOSTILE)
      const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'one' }] }) })
      const file = new File(['{"name": "Digest", "nodes": []}'], 'digest.json')
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file })
      const types: string[] = []
      for (const path of [
        ...['/', '/community/u/alice', '/blog/what-guildhall-is', '/docs', '/library'],
        ...[`/community/posts/${post.id}`, `/community/orgs/${org.slug}`, item.url.slice(BASE_URL.length)],
      ]) {
        const page = await (await get(path)).text()
        for (const [, data = ''] of page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
          const [node] = await jsonld.expand(JSON.parse(data), {
            safe: true,
            // The context is one vocabulary; what is no term of it is nothing to a search engine.
            async documentLoader(url) {
              assert.match(url, /^https:\/\/schema\.org\/?$/)
              return {
                contextUrl: null,
                documentUrl: url,
                document: { '@context': { '@vocab': 'https://schema.org/' } },
              }
            },
          })
          types.push(String(node?.['@type']))
        }
      }
      assert.ok(types.length >= 4, types.join())
      for (const type of types) assert.match(type, /^https:\/\/schema\.org\/[A-Z]\w+$/)
    }),
  )

  it(
    'are a skill to the builder of the MCP SDK',
    withSite(async (_, get) => {
      const text = await (await get('/.well-known/agent-skills/guildhall/SKILL.md')).text()
      const entry = await skillEntry('guildhall', { 'SKILL.md': text })
      assert.equal(entry.frontmatter.name, 'guildhall')
    }),
  )

  it(
    'are llms.txt as llmstxt.org has it: a title, a quote, sections with lists of links alone',
    withSite(async (_, get) => {
      const text = await (await get('/llms.txt')).text()
      const [head = '', ...sections] = text.split(/^## /m)
      assert.match(head, /^# [^\n]+\n\n> [^\n]+\n/)
      assert.ok(sections.length > 1)
      for (const section of sections) {
        const [title = '', ...lines] = section.trimEnd().split('\n')
        assert.ok(title.trim())
        for (const line of lines.filter((one) => one.startsWith('- ')))
          assert.match(line, /^- (?:\[[^\]]+\]\(https?:\/\/\S+\)|JSON Schemas of)/)
      }
    }),
  )
})

const text = z.string().min(1)

/** AI Catalog 1.0 (Agent-Card/ai-catalog, specification/ai-catalog.md) with what the schema of ARD asks for besides: names for all, URNs. */
const AiCatalog = z.strictObject({
  specVersion: z.literal('1.0'),
  host: z.strictObject({ displayName: text, identifier: text, documentationUrl: z.url(), logoUrl: z.url() }),
  entries: z
    .array(
      z.strictObject({
        identifier: z.string().regex(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/),
        ...{ displayName: text, description: text, url: z.url() },
        type: z.string().regex(/^application\/[\w.+-]+$/),
      }),
    )
    .refine((entries) => new Set(entries.map(({ identifier }) => identifier)).size === entries.length),
})

/** The card of an MCP server (SEP-2127, modelcontextprotocol/experimental-ext-server-card). */
const ServerCard = z.strictObject({
  $schema: z.string().regex(/^https:\/\/static\.modelcontextprotocol\.io\/schemas\/v\d+\/server-card\.schema\.json$/),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  ...{ title: text.max(100), description: text.max(100), websiteUrl: z.url() },
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  icons: z.array(z.strictObject({ src: z.url(), mimeType: text, sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)) })),
  remotes: z.array(
    z.strictObject({
      type: z.enum(['sse', 'streamable-http']),
      url: z.string().regex(/^https?:\/\/\S+$/),
      supportedProtocolVersions: z.array(z.iso.date()),
    }),
  ),
})

/** A set of links (RFC 9264, 4.2): of each context the relations, and of each the targets. */
const Linkset = z.strictObject({
  linkset: z
    .array(
      z
        .object({ anchor: z.url() })
        .catchall(z.array(z.strictObject({ href: z.url(), type: z.string().regex(/^\w+\/[\w.+-]+$/) })).min(1)),
    )
    .min(1),
})

describe('documents of the server that have no parser', () => {
  for (const baseUrl of addresses) {
    it(`are as their formats document them, for ${baseUrl}`, () => {
      // A host by a number has no name of a domain; the card takes none.
      if (!baseUrl.includes('[')) assertTaken(ServerCard, serverCard({ baseUrl, name: 'Guildhall', partsOff: [] }))
      assertTaken(AiCatalog, aiCatalog({ baseUrl, name: 'Guildhall', partsOff: [] }))
      assertTaken(Linkset, apiCatalog(baseUrl))
    })
  }

  it('are a security.txt with fields of RFC 9116 alone, those that are single once', () => {
    const written = securityText({ contact: 'mailto:a@b.example', baseUrl: BASE_URL, now: 0 })
    const fields = written
      .trimEnd()
      .split('\n')
      .map((line) => /^([A-Z][\w-]+): (\S.*)$/.exec(line)?.[1] ?? line)
    const registered = ['Acknowledgments', 'Canonical', 'Contact', 'Encryption', 'Expires', 'Hiring', 'Policy']
    for (const field of fields) assert.ok([...registered, 'Preferred-Languages', 'CSAF'].includes(field), field)
    for (const single of ['Expires', 'Preferred-Languages'])
      assert.equal(fields.filter((field) => field === single).length, 1)
    assert.ok(fields.includes('Contact'))
    assert.match(written, /^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/m)
  })
})
