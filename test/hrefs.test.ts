// Every thing that an answer gives the address of has an absolute one as well.
import assert from 'node:assert/strict'
import { describe, it as plainIt } from 'node:test'
import { z } from 'zod'
import { api } from '../src/api.ts'
import { addressesIn, hasAddresses, withoutAddresses } from '../src/contract/href.ts'
import type { Contract } from '../src/contract/operation.ts'
import { BASE_URL, onEveryEngine } from './world.ts'

/** Answers with a `url` that is not that of a thing's page: a feed, a picture, an endpoint of a member, and a server that signs in. */
const NO_PAGE =
  /^\/(account\/feeds|community\/images|community\/orgs\/\{id\}\/images|auth\/external|(community\/admin|library)\/webhooks)/

/** The objects of a schema that have `url`, and those of them that have `href`. */
function addressed(schema: object): { url: number; href: number } {
  const found = { url: 0, href: 0 }
  for (const [name, value] of Object.entries(schema)) {
    // Where a thing came from has its address at another tracker.
    if (typeof value !== 'object' || value === null || name === 'ImportedFrom') continue
    const inner = addressed(value)
    found.url += inner.url
    found.href += inner.href
  }
  if ('properties' in schema) {
    const fields = schema.properties as object
    if ('url' in fields) found.url++
    if ('href' in fields) found.href++
  }
  return found
}

/** Every object within an answer that has an address. */
function thingsIn(value: unknown): { url: string; href: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(thingsIn)
  return 'url' in value && typeof value.url === 'string'
    ? [{ href: undefined, ...value, url: value.url }, ...inner]
    : inner
}

describe('absolute addresses', () => {
  plainIt('are declared wherever an answer has the address of a thing', () => {
    let declared = 0
    for (const contract of Object.values(api as Record<string, Contract>)) {
      for (const { path, output } of Object.values(contract)) {
        if (NO_PAGE.test(path)) continue
        const { url, href } = addressed(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }))
        assert.equal(href, url, path)
        assert.equal(hasAddresses(output), url > 0, path)
        declared += href
      }
    }
    assert.ok(declared > 60, `${declared}`)
  })

  plainIt('are added where an answer has an address alone', () => {
    const Thing = z.object({ url: z.string().nullable(), href: z.string().prefault('').nullable() })
    const add = addressesIn(z.object({ all: z.array(Thing), by: z.record(z.string(), Thing.nullable()) }))
    const answer = {
      all: [{ url: '/a' }, { url: null }, { url: 'https://elsewhere.example/b' }],
      by: { one: { url: '/c' }, two: null },
    }
    add(answer, 'https://here.example')
    assert.deepEqual(answer, {
      all: [
        { url: '/a', href: 'https://here.example/a' },
        { url: null, href: null },
        { url: 'https://elsewhere.example/b', href: 'https://elsewhere.example/b' },
      ],
      by: { one: { url: '/c', href: 'https://here.example/c' }, two: null },
    })
    assert.equal(hasAddresses(z.object({ id: z.string() })), false)
    const one = z.object({ thing: Thing, text: z.unknown() })
    const given = {
      thing: { url: '/a', href: 'https://here.example/a' },
      text: { url: '/b', href: 'https://kept.example' },
    }
    const short = { ...given, thing: { url: '/a' } }
    assert.equal(withoutAddresses(one, JSON.stringify(given)), JSON.stringify(short))
  })

  plainIt('are left out for agents, and no text or name of a member with them', () => {
    const Thing = z.object({ text: z.string(), url: z.string(), href: z.string().nullable() })
    const text = 'a,"href":"b\\",\n"href":null'
    const things = [
      { text, url: '/a', href: 'https://here.example/"a\\' },
      { text: ',', url: '', href: null },
    ]
    const short = things.map(({ href: _, ...thing }) => thing)
    assert.equal(withoutAddresses(z.array(Thing), JSON.stringify(things)), JSON.stringify(short))
    // Where names are data, one can be called so.
    const named = z.object({ things: z.array(Thing), by: z.record(z.string(), z.string()) })
    const by = { name: 'a', href: 'b' }
    assert.equal(withoutAddresses(named, JSON.stringify({ things, by })), JSON.stringify({ things: short, by }))
  })
})

onEveryEngine('the absolute address of a thing', (it) => {
  it('is that of its page in every answer, and what interface.md names stays relative', async ({
    app,
    alice,
    bob,
    anonymous,
  }) => {
    await alice.profile.setUsername({ username: 'alice' })
    const bug = await alice.bugs.create({ title: 'An okapi stalls', description: 'It stands', severity: 'low' })
    await bob.bugs.comment({ id: bug.id, body: 'It stands here too' })
    const url = `/community/bugs/${bug.id}`
    await app.deliver()
    const answers = {
      feed: await anonymous.feed.list(),
      trending: await anonymous.feed.trending(),
      list: await anonymous.bugs.list(),
      get: await anonymous.bugs.get({ id: bug.id }),
      search: await anonymous.search.find({ q: 'okapi' }),
      similar: await anonymous.search.similar({ title: 'An okapi stalls' }),
      number: await anonymous.references.get({ number: bug.number }),
      follows: await alice.follows.list(),
      inbox: await alice.notifications.list(),
      news: await alice.news.list(),
      blog: await anonymous.blog.list(),
    }
    for (const [name, answer] of Object.entries(answers)) {
      const things = thingsIn(answer)
      assert.ok(things.length > 0, name)
      for (const thing of things) {
        assert.match(thing.url, /^\//, name)
        assert.equal(thing.href, BASE_URL + thing.url, name)
      }
    }
    assert.equal(answers.get.url, url)
    const [seen] = answers.feed.items
    assert.deepEqual([seen?.url, seen?.href], [url, `${BASE_URL}${url}`])
  })
})
