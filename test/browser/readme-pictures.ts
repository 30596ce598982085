// The pictures of the README: pages of the demo at a fixed time. `docs/pictures/pages.json` has the hash of each page that a picture shows, so that
// a picture is taken again when its page changed, and only then: pixels differ between versions of a browser.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import sharp from 'sharp'
import { fill } from '../../src/demo/demo.ts'
import type { World } from '../world.ts'
import { loadImages, PASSWORD, type Site, visit, withSite } from './site.ts'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const LIST = join(FOLDER, 'pages.json')
/** What the pages take for now. */
const NOW = Date.parse('2026-11-23T09:00:00Z')
/** In px; as high as the screen of `visit`. */
const WIDTH = 1280

/** The page of every picture, by its name in `docs/pictures`. */
const readmePictures: Readonly<Record<string, string>> = {
  'home.png': '/',
  'item.png': '/library/automations/printer-nudge',
}

/** Ids, hashes and keys, which are other ones in each instance. */
const BY_CHANCE = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{32,}|http(:\/\/|%3A%2F%2F)localhost(:|%3A)\d+/g

/** The hash of what a page shows: its body without scripts, and its styles. */
async function hashOf({ app, dependencies }: World, path: string): Promise<string> {
  const get = async (address: string) => {
    const answer = await app.fetch(new Request(new URL(address, dependencies.config.baseUrl)))
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
    return answer.text()
  }
  const html = await get(path)
  const body = html.slice(html.indexOf('<body')).replace(/<script\b.*?<\/script>|<link\b[^>]*>/gs, '')
  const sheets = [...html.matchAll(/<link[^>]*href="([^"]*\.css)"/g)].map(
    ([, address = '']) => new URL(address, `http://x${path}`).pathname,
  )
  const styles = await Promise.all([...new Set(sheets)].map(get))
  const shown = [body.replace(BY_CHANCE, '·'), ...styles.toSorted()]
  return createHash('sha256').update(shown.join('\n')).digest('hex')
}

async function take(site: Site, path: string): Promise<Buffer> {
  const { page, context, open } = await visit(site, { width: WIDTH, scheme: 'light' })
  await page.clock.setFixedTime(NOW)
  await open(path)
  await loadImages(page)
  const picture = await page.screenshot()
  await context.close()
  return sharp(picture).png({ palette: true, compressionLevel: 9 }).toBuffer()
}

/** Takes the pictures whose pages changed, and writes the hashes of all pages. Returns the names of those that were taken. */
export async function takeReadmePictures(): Promise<string[]> {
  const before: Record<string, string> = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : {}
  const hashes: Record<string, string> = {}
  const taken: string[] = []
  mock.timers.enable({ apis: ['Date'], now: NOW })
  await withSite(async (site) => {
    await fill(site.world.dependencies, { now: NOW, password: PASSWORD })
    for (const [name, path] of Object.entries(readmePictures)) {
      const hash = await hashOf(site.world, path)
      hashes[name] = hash
      if (before[name] === hash && existsSync(join(FOLDER, name))) continue
      writeFileSync(join(FOLDER, name), await take(site, path))
      taken.push(name)
    }
  })
  writeFileSync(LIST, `${JSON.stringify(hashes, null, 2)}\n`)
  return taken
}
