// What the pictures beside links elsewhere show: text of many scripts in glyphs, the faces of people, and labels.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sharp from 'sharp'
import { buildSite } from '../src/surfaces/site/build.ts'
import { workflowFile } from './library.ts'
import { named } from './owners.ts'
import { tinyPicture } from './pictures.ts'
import { joinTeam, known } from './teams.ts'
import { siteAt } from './with-site.ts'

const withSite = siteAt('http://localhost:3207')

/** Where the title of a bug stands, in px. */
const TITLE = { left: 72, top: 100, width: 1056, height: 110 }
/** Where the face of its author is, within its circle. */
const FACE = { left: 84, top: 210, width: 20, height: 20 }
const DARK = 110

interface Grey {
  data: Buffer
  info: { width: number; height: number }
}

/** What stands beside each other in a picture, apart by columns without ink. */
async function signsIn(png: Buffer): Promise<Grey[]> {
  const title = sharp(png).extract(TITLE).greyscale()
  const { data, info } = await title.raw().toBuffer({ resolveWithObject: true })
  const inked = (x: number) =>
    Array.from({ length: info.height }, (_, y) => data[y * info.width + x]!).some((v) => v < DARK)
  const signs: { left: number; width: number }[] = []
  for (let x = 0; x < info.width; x++) {
    if (!inked(x)) continue
    if (x > 0 && inked(x - 1)) signs.at(-1)!.width += 1
    else signs.push({ left: x, width: 1 })
  }
  return Promise.all(
    signs.map(async ({ left, width }) => {
      const column = await sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } })
        .extract({ left, width, top: 0, height: info.height })
        .png()
        .toBuffer()
      return sharp(column)
        .trim({ background: '#fbf8f5', threshold: 60 })
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
    }),
  )
}

/** Whether a sign is a frame around something: what is drawn where no font has a glyph. */
function isBox({ data, info: { width, height } }: Grey): boolean {
  const share = (length: number, at: (n: number) => number) =>
    Array.from({ length }, (_, n) => data[at(n)]!).filter((value) => value < 160).length / length
  const sides = [
    share(width, (x) => x),
    share(width, (x) => (height - 1) * width + x),
    share(height, (y) => y * width),
    share(height, (y) => y * width + width - 1),
  ]
  return sides.every((side) => side > 0.9)
}

describe('pictures for links elsewhere', () => {
  before(() => buildSite(() => {}))

  it(
    'draw Chinese, Japanese, Korean and other scripts and emoji in glyphs, not in boxes',
    withSite(async ({ alice }, get) => {
      const drawn = async (title: string) => {
        const { id } = await alice.bugs.create({ title, description: 'D', severity: 'low' })
        return signsIn(Buffer.from(await (await get(`/share/bug/${id}/picture.png`)).arrayBuffer()))
      }
      const boxes = await drawn('\u0378 \u0379')
      assert.deepEqual(boxes.map(isBox), [true, true])
      for (const title of ['語 体 體 简 ひ カ 한 글', 'Я Ω ع ש é', '🙂 🚀 ✅ 👩‍💻 ❤️']) {
        const signs = await drawn(title)
        assert.ok(signs.length >= title.split(' ').length, `${title}: ${signs.length} signs`)
        assert.deepEqual(signs.filter(isBox), [], title)
      }
    }),
  )

  it(
    'show the face of the author, as uploaded in each format, or made from the name',
    withSite(async (world, get) => {
      const { alice } = world
      await known(world, alice, 'alice')
      const { id } = await alice.bugs.create({ title: 'Short', description: 'D', severity: 'low' })
      const card = async () => (await get(`/share/bug/${id}/card.svg`)).text()
      const color = async () => {
        const png = Buffer.from(await (await get(`/share/bug/${id}/picture.png`)).arrayBuffer())
        const { channels } = await sharp(await sharp(png).extract(FACE).png().toBuffer()).stats()
        return channels.slice(0, 3).map(({ mean }) => mean)
      }
      assert.match(await card(), /<svg x="72" y="\d+" width="48" height="48" [^>]*viewBox="0 0 48 48">/)
      for (const format of ['png', 'jpeg', 'webp'] as const) {
        await alice.avatars.set({ avatar: await tinyPicture(format) })
        assert.match(await card(), new RegExp(`<image [^>]*href="data:image/${format};base64,`))
        for (const [at, mean] of (await color()).entries())
          assert.ok(Math.abs(mean - [40, 90, 160][at]!) < 12, `${format}: ${mean}`)
      }
      const policy = (await get(`/share/bug/${id}/card.svg`)).headers.get('content-security-policy')
      assert.equal(policy, "default-src 'none'; sandbox; img-src data:")
    }),
  )

  it(
    'show the faces of five of a team, and none of who has no username',
    withSite(async (world, get) => {
      const { alice, bob } = world
      await known(world, alice, 'alice')
      await alice.teams.create({ slug: 'night-shift', name: 'Night shift' })
      const faces = async (path: string) => (await (await get(path)).text()).match(/<clipPath /g)?.length ?? 0
      for (let count = 1; count <= 6; count++) {
        assert.equal(await faces('/share/team/night-shift/card.svg'), Math.min(count, 5))
        const username = `member-${count}`
        const person = world.person(username)
        await named(person, username)
        await joinTeam(alice, { slug: 'night-shift', username }, person)
      }
      const { id } = await bob.posts.create({ title: 'T', body: 'B' })
      assert.equal(await faces(`/share/post/${id}/card.svg`), 0)
    }),
  )

  it(
    'show the labels of a thing with their colours, and the tags of an item',
    withSite(async ({ alice, moderator }, get) => {
      const { id } = await alice.bugs.create({ title: 'Short', description: 'D', severity: 'low' })
      const names = ['mail', 'a <b>', 'third', 'fourth', 'fifth']
      for (const name of names) {
        const label = await moderator.labels.create({ name, color: '#b4552d' })
        await moderator.bugs.attachLabel({ id, labelId: label.id })
      }
      const svg = await (await get(`/share/bug/${id}/card.svg`)).text()
      assert.equal(svg.match(/<circle [^>]*fill="#b4552d"\/>/g)?.length, 4)
      assert.match(svg, />a &lt;b&gt;<.*>fifth<.*>fourth<.*>mail</)
      const post = await alice.posts.create({ title: 'Short', body: 'B' })
      const [first] = (await moderator.bugs.get({ id })).labels
      await moderator.posts.attachLabel({ id: post.id, labelId: first!.id })
      assert.match(await (await get(`/share/post/${post.id}/card.svg`)).text(), />a &lt;b&gt;</)
      const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
      const drawn = async () => {
        const png = await (await get(`/library/workflows/${item.slug}/picture.png`)).arrayBuffer()
        return sharp(png).greyscale().raw().toBuffer()
      }
      const before = await drawn()
      await alice.library.update({ id: item.id, tags: ['digest', 'morning'] })
      const after = await drawn()
      assert.ok(after.filter((value, at) => Math.abs(value - before[at]!) > 40).length > 500)
    }),
  )
})
