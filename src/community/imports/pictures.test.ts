// Pictures of imported texts: stored as ours where they can be had, within bounds, and taken back with the import.
import assert from 'node:assert/strict'
import { tinyPng } from '../../../test/pictures.ts'
import { complaintsOf } from '../../../test/sound.ts'
import { home, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import type { GivenRecord } from '../../formats/imports/record.ts'
import { runImport } from './imports.ts'

const at = (day: number) => `2024-03-${String(day).padStart(2, '0')}T10:00:00Z`

interface Scene extends World {
  receiver: Receiver
  origin: string
  /** Reads and starts an import of a post with this text, and a comment. */
  begin(text: string, comment?: string): Promise<string>
}

/** A source on this machine: `/ok…` is a picture, `/to?…` leads elsewhere, `/is/<type>` says so of something else. */
const withSource = (world: World, run: (scene: Scene) => Promise<void>) =>
  receiving(async (receiver) => {
    const png = Buffer.from(await (await tinyPng()).arrayBuffer())
    world.dependencies.reach = home
    receiver.answer = ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'https://localhost')
      if (pathname.includes('ok')) return void response.writeHead(200).end(png)
      const to = searchParams.get('to')
      if (to) return void response.writeHead(302, { Location: to }).end()
      if (pathname.endsWith('.svg')) return void response.writeHead(200, { 'Content-Type': 'image/png' }).end('<svg/>')
      if (pathname.endsWith('large')) return void response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024 + 1))
      return void response.writeHead(404).end()
    }
    const { origin } = new URL(receiver.url)
    const begin = async (text: string, comment?: string) => {
      const thing = { type: 'thing', id: 'p1', kind: 'post', url: `${origin}/acme/looms/-/issues/1` } as const
      const records: GivenRecord[] = [
        { ...thing, title: 'Pictures', text, createdAt: at(3) },
        ...(comment ? [{ type: 'comment', id: 'c1', thing: 'p1', text: comment, createdAt: at(4) } as const] : []),
      ]
      const file = new File([records.map((one) => JSON.stringify(one)).join('\n')], 'records.jsonl')
      const { id } = await world.admin.imports.read({ source: 'guildhall', name: 'acme/looms', files: [file] })
      await world.admin.imports.start({ id })
      return id
    }
    await run({ ...world, receiver, origin, begin })
  })

const OURS = /\/api\/images\/text\/[0-9a-f-]{36}\?size=\d+x\d+/

onEveryEngine('pictures of an import', (it) => {
  it('are stored as ours, wherever a text shows them, and go with the import', (world) =>
    withSource(world, async ({ admin, anonymous, app, origin, begin, receiver }) => {
      const text = [
        `![one](${origin}/ok.png "title")`,
        `<img width="3" alt="two [2]" src="${origin}/ok-two.png">`,
        '![three|3x4](upload://ok3.png)',
        `![four](/uploads/${'a'.repeat(32)}/ok.png)`,
        `![away](${origin}/to?to=/ok-away)`,
        `![gone](${origin}/gone.png) ![svg](${origin}/a.svg) ![large](${origin}/large)`,
        `\`![code](${origin}/ok-code.png)\``,
        `[a file](/uploads/${'b'.repeat(32)}/notes.pdf)`,
      ].join('\n\n')
      const id = await begin(text, `Same: ![again](${origin}/ok.png), ![other](${origin}/ok-other)`)
      const { report } = await admin.imports.get({ id })
      assert.equal(report.pictures, 10)
      assert.deepEqual(report.leftOut, [{ what: 'files that texts link: the links stay', count: 1 }])
      assert.equal(receiver.arrived.length, 0, 'nothing is fetched before it is started')
      await app.imports()
      const { state, done } = await admin.imports.get({ id })
      assert.deepEqual([state, done.pictures, done.picturesLeft], ['done', 6, 3])
      const [post] = (await anonymous.posts.list({})).items
      const { body } = await anonymous.posts.get({ id: post!.id })
      const shown = body.split('\n\n')
      for (const one of shown.slice(0, 5)) assert.match(one, OURS)
      assert.ok(shown[1]!.startsWith('![two  2 ](') && shown[2]!.startsWith('![three]('))
      assert.deepEqual(shown.slice(5), text.split('\n\n').slice(5))
      const [comment] = (await anonymous.posts.comments({ id: post!.id })).items
      assert.equal([...comment!.body.matchAll(new RegExp(OURS, 'g'))].length, 2)
      const paths = receiver.arrived.map(({ path }) => path)
      assert.equal(new Set(paths).size, paths.length, 'each is asked for once')
      assert.ok(paths.includes('/uploads/short-url/ok3.png'))
      assert.ok(paths.includes(`/acme/looms/uploads/${'a'.repeat(32)}/ok.png`))
      const key = /text\/([0-9a-f-]{36})/.exec(body)?.[1] ?? ''
      const image = await anonymous.textImages.show({ key })
      assert.equal(image.headers.get('content-type'), 'image/png')
      assert.deepEqual(await complaintsOf(world), [])
      await admin.imports.revert({ id })
      await app.imports()
      await assert.rejects(anonymous.textImages.show({ key }), { status: 404 })
      await app.cleanUp()
      assert.deepEqual(await world.db.selectFrom('textImage').select('id').execute(), [])
      assert.deepEqual(await complaintsOf(world), [])
    }))

  it('are asked for at public addresses alone, and a redirect leads to no other', (world) =>
    withSource(world, async ({ admin, anonymous, app, dependencies, origin, begin, receiver }) => {
      const inside = [
        ...['http://169.254.169.254/ok', 'https://10.0.0.1/ok', 'https://[fd00::1]/ok', 'file:///etc/passwd'],
        ...['//user:word@localhost/ok', 'data:image/png;base64,AAAA'],
      ]
      const text = [
        ...inside.map((url) => `![in](${url})`),
        ...inside.map((url) => `![to](${origin}/to?to=${encodeURIComponent(url)})`),
        `![round](${origin}/to?to=/to?to=/to?to=/to?to=/ok)`,
      ].join('\n')
      const id = await begin(text)
      await app.imports()
      const { done, state } = await admin.imports.get({ id })
      assert.deepEqual([state, done.pictures], ['done', 0])
      assert.equal((await anonymous.posts.list({})).items[0]!.body, text)
      assert.ok(receiver.arrived.every(({ path }) => path.startsWith('/to')))
      const before = receiver.arrived.length
      dependencies.reach = { isAllowed: () => false }
      await admin.imports.revert({ id })
      await app.imports()
      const second = await begin(`![one](${origin}/ok.png)`)
      await app.imports()
      assert.deepEqual(
        [(await admin.imports.get({ id: second })).done.picturesLeft, receiver.arrived.length],
        [1, before],
      )
    }))

  it('are so many at most, and so many bytes', (world) =>
    withSource(world, async ({ admin, anonymous, dependencies, origin, begin, receiver }) => {
      const id = await begin([1, 2, 3].map((n) => `![${n}](${origin}/ok-${n})`).join('\n'))
      while (await runImport({ ...dependencies, most: { pictures: 2, bytes: 1e6 } }, id));
      const { done } = await admin.imports.get({ id })
      assert.deepEqual([done.pictures, done.picturesLeft, receiver.arrived.length], [2, 1, 2])
      const { size } = await world.db.selectFrom('textImage').select('size').executeTakeFirstOrThrow()
      await admin.imports.revert({ id })
      await world.app.imports()
      for (const [bytes, kept] of [
        [2 * size, 2],
        [2 * size - 1, 1],
      ] as const) {
        const next = await begin([4, 5, 6].map((n) => `![${n}](${origin}/ok-${n})`).join('\n'))
        while (await runImport({ ...dependencies, most: { pictures: 9, bytes } }, next));
        assert.equal((await admin.imports.get({ id: next })).done.pictures, kept)
        assert.equal([...(await anonymous.posts.list({})).items[0]!.body.matchAll(new RegExp(OURS, 'g'))].length, kept)
        await admin.imports.revert({ id: next })
        await world.app.imports()
      }
    }))

  it('are the same after a process that ended in between, and after two at once', (world) =>
    withSource(world, async ({ admin, anonymous, dependencies, origin, begin }) => {
      const text = [1, 2, 3, 4].map((n) => `![${n}](${origin}/ok-${n})`).join('\n')
      const bodies = new Set<string>()
      for (const how of ['whole', 'torn', 'two'] as const) {
        const id = await begin(text)
        let puts = 0
        const { objects } = dependencies.blobs
        const put: typeof objects.put = async (...given) => {
          await objects.put(...given)
          if (++puts % 2 === 1) throw new Error('The process ends')
        }
        const tearing = new Proxy(objects, {
          get: (target, key) => {
            const value: unknown = key === 'put' ? put : Reflect.get(target, key)
            return typeof value === 'function' ? value.bind(target) : value
          },
        })
        const torn = { ...dependencies, blobs: { ...dependencies.blobs, objects: tearing } }
        let goesOn = [true]
        while (goesOn.includes(true)) {
          const run = () =>
            runImport(how === 'torn' ? torn : dependencies, id).catch((error: Error) => {
              assert.match(error.message, /The process ends/)
              return true
            })
          goesOn = how === 'two' ? await Promise.all([run(), run()]) : [await run()]
        }
        assert.equal((await admin.imports.get({ id })).done.pictures, 4, how)
        bodies.add((await anonymous.posts.list({})).items[0]!.body)
        await admin.imports.revert({ id })
        await world.app.imports()
        await world.app.cleanUp()
      }
      assert.equal(bodies.size, 1)
    }))
})
